/** What happened on the account, and what of it the person has not looked at. */

import { nameOfForm } from "../words/form-name.js";

/**
 * @typedef {object} AccountEvent
 * @property {number} id
 * @property {string} kind
 * @property {string} happenedAt
 * @property {string | null} subject
 * @property {string | null} [clientName] What people call the client that the subject is.
 * @property {string | null} [detail] What was chosen: of a form its name.
 * @property {string | null} network
 * @property {string | null} session
 * @property {boolean} isThis
 */

/** Of whom the subject is a client, which calls itself by a long text. */
const ofClients = new Set(["signedIn", "signedOutElsewhere", "sessionStolen"]);
/** So many are looked at: whoever has more of them reads all on the account's screen. */
const limit = 20;

/**
 * The sentence of an event.
 * @param {Pick<AccountEvent, "kind" | "subject" | "clientName" | "detail">} event
 * @param {import("../lang/index.js").Words} t
 */
export function sentenceOf({ kind, subject, clientName, detail }, t) {
    const key = `account.event_${kind}`;
    const name = ofClients.has(kind) ? clientName ?? t("account.client") : subject ?? "";
    // A kind of a service that is newer than this app.
    return t.has(key) ? t(key, { name, form: kind === "endpointFormChanged" ? nameOfForm({ t }, detail ?? "") : "" }) : name;
}

/**
 * Events of elsewhere since the person has looked.
 * @param {AccountEvent[]} events
 * @param {number} seen The number of the last event that they looked at.
 */
function unseenOf(events, seen) {
    return events.filter(({ id, isThis }) => !isThis && id > seen);
}

/**
 * Reads the events of elsewhere since the person has looked, the newest first.
 * @param {Pick<import("./context.js").Context, "api" | "preferences">} context
 */
export async function readUnseen({ api, preferences }) {
    /** @type {{data: {items: AccountEvent[]}}} */
    const { data } = await api.get("/account/events", { query: { limit } });
    const newest = data.items[0]?.id ?? null;
    // Events from before the first look are no news.
    preferences.seenEvent ??= newest;
    const unseen = unseenOf(data.items, preferences.seenEvent ?? 0);
    // Own events are no news in a later session, either.
    if (unseen.length === 0) preferences.seenEvent = newest;
    return unseen;
}

/**
 * Events in one line; null: there is none.
 * @param {AccountEvent[]} events
 * @param {Pick<import("./context.js").Context, "t" | "format">} context
 */
export function newsText(events, { t, format }) {
    const [only] = events;
    if (!only) return null;
    if (events.length > 1) return t("account.news", { count: events.length });
    return t("home.happened", { event: sentenceOf(only, t), time: format.moment(Date.parse(only.happenedAt)) });
}
