/** The way to the house's sign-in provider: by links, for the browser leaves the app. */

/**
 * @param {string} client This installation's number, whose alerts signing in resumes.
 * @param {string} zone The time zone of an account that is opened.
 */
export function wayToProvider(client, zone) {
    return `/oidc/sign-in?${new URLSearchParams({ client, zone })}`;
}

/** The way to sign out at the provider as well. */
export const wayOutOfProvider = "/oidc/sign-out";

/** The ways in of a person, and those that the house takes. @typedef {{hasPassword: boolean, takesPasswords: boolean, provider: string | null, identities: Identity[], signsOutThere: boolean}} WaysIn */
/** @typedef {{id: string, issuer: string, name: string | null, linkedAt: string, usedAt: string, isInUse: boolean}} Identity */

/**
 * @param {Pick<import("./context.js").Context, "api">} context
 * @returns {Promise<WaysIn>}
 */
export async function readWaysIn({ api }) {
    const [{ data: service }, { data: ways }] = await Promise.all([
        api.get("/service", { anonymous: true }),
        api.get("/account/identities"),
    ]);
    return {
        hasPassword: ways.hasPassword,
        takesPasswords: service.takesPasswords !== false,
        provider: service.provider ?? null,
        identities: ways.identities ?? [],
        signsOutThere: ways.signsOutThere === true,
    };
}

/**
 * Whether a person proves themselves by their password.
 * @param {WaysIn} ways
 */
export function provesByPassword({ hasPassword, takesPasswords }) {
    return hasPassword && takesPasswords;
}

/**
 * Whether a person proves themselves to the provider: somebody there is linked.
 * @param {WaysIn} ways
 */
export function provesByProvider({ provider, identities }) {
    return provider !== null && identities.some(({ isInUse }) => isInUse);
}
