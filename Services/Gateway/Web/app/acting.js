/**
 * Whom this window acts for: the person, or a project that they are an owner or administrator of. It holds for this window alone and ends
 * with it; another choice begins everything anew, so that nothing that is known of one is ever shown as the other's.
 */

/** @typedef {'owner' | 'administrator' | 'keeper' | 'viewer'} Role */
/** @typedef {{id: string, name: string}} Acting */

const kept = "aqua-acting";

/**
 * What is asked for as the project, by the methods: its devices, what they measure and its limits. What people do, and what alarms them, they do
 * and hear as themselves.
 * @type {Record<string, RegExp>}
 */
const served = {
    GET: /^\/(enrolment(\/batches\/[^/]+|\/setup\/[^/]+)?|devices|device-lives|parameters|presets(\/[^/]+)?|journal|map\/change|audit(\.csv)?|field-protocols(\/[^/]+)?|field-samples(\.csv|\/received\/[^/]+|\/[^/]+(\/versions|\/photos\/[^/]+)?)?|readings\/latest|devices\/[^/]+(\/(parameters|readings|probes|rejects|invitations|watchers|calibrations|tests|journal|work|questionnaire|life|messages|report|deletions|approvals|public|second|station|track|places|sample-receivers)([/.].*)?)?)$/,
    POST: /^\/enrolment(\/look)?$|^\/presets$|^\/sites$|^\/parameters\/(preset|back-tests)$|^\/devices(\/[^/]+\/(key|parameters\/(preset|reset)|invitations|sample-receivers|work\/[^/]+\/(extend|finish)|deletions|approvals(\/[^/]+\/withdraw)?))?$/,
    PUT: /^\/presets\/[^/]+$|^\/field-protocols\/[^/]+$|^\/field-samples\/[^/]+\/review$|^\/devices\/[^/]+\/(parameters\/order|probes\/chosen|questionnaire|public|second|site|station)$/,
    PATCH: /^\/devices\/[^/]+(\/parameters(\/[^/]+)?)?$/,
    DELETE: /^\/enrolment\/batches\/[^/]+$|^\/sample-receivers\/[^/]+$|^\/field-samples\/[^/]+(\/photos\/[^/]+)?$|^\/presets\/[^/]+$|^\/devices\/[^/]+(\/public|\/second|\/site|\/station|\/track|\/(invitations|watchers|tests|journal|work|parameters\/[^/]+\/calibrations)\/.+)?$/,
};

/** @type {Acting | null} */
let acting = read();

/** @returns {Acting | null} */
function read() {
    try {
        const { id, name } = JSON.parse(sessionStorage.getItem(kept) ?? "null") ?? {};
        return typeof id === "string" && typeof name === "string" ? { id, name } : null;
    } catch {
        return null; // Storage may be switched off; then everybody acts for themselves.
    }
}

/** Whom this window acts for; null: the person. */
export const actingAs = () => acting;

/**
 * Whether a request is made as the project: those about a person, and about projects, never are.
 * @param {string} method
 * @param {string} path
 */
export const isForProject = (method, path) => served[method]?.test(path) ?? false;

/**
 * Acts for a project from now on, or for oneself.
 * @param {Acting | null} next
 */
export function act(next) {
    forget();
    if (next) sessionStorage.setItem(kept, JSON.stringify({ id: next.id, name: next.name }));
    history.replaceState(null, "", "/");
    location.reload();
}

/** The session has ended, and with it all that the person acted for. */
export function forget() {
    acting = null;
    try {
        sessionStorage.removeItem(kept);
    } catch {
        // Storage may be switched off.
    }
}
