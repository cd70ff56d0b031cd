/** Entries of the log of changes, in words. */

import { isoDay } from "../../words/time.js";

/** @typedef {import("../../words/format.js").Voice} Voice */

/**
 * @typedef {object} Entry
 * @property {number} id
 * @property {string} at
 * @property {string} action As noun.verb.
 * @property {string} outcome
 * @property {number} times
 * @property {string} actor
 * @property {boolean} isOwn
 * @property {string | null} actorName
 * @property {string | null} device
 * @property {string | null} parameter
 * @property {string | null} unit In which limits of the parameter are told here.
 * @property {string | null} subject
 * @property {string | null} clientName
 * @property {string | null} network
 * @property {string | null} [account] Whose account it concerns, for operators, who are not told the names of what is others'.
 * @property {{field: string, before: unknown, after: unknown}[]} changes
 */

/** Fields of limits, whose values have the unit of the parameter. */
const limits = new Set(["minimum", "maximum", "criticalMinimum", "criticalMaximum", "changePerHour"]);
/** Of whom the subject is a client, which calls itself by a long text. */
const ofClients = /^session\./;

/**
 * The act, in a sentence; of an action that only a newer service knows, its name.
 * @param {Pick<Entry, "action" | "subject" | "clientName" | "parameter" | "device" | "account">} entry
 * @param {import("../../lang/index.js").Words} t
 */
export function sentenceOf({ action, subject, clientName, parameter, device, account }, t) {
    const key = `audit.act_${action.replace(".", "_")}`;
    const name = ofClients.test(action) ? clientName ?? t("account.client") : subject ?? device ?? (account ? "…" : "");
    if (!t.has(key)) return [action, name].filter(Boolean).join(" · ");
    return t(key, { name, parameter: nameOfParameter(parameter, t) });
}

/**
 * @param {string | null} parameter
 * @param {import("../../lang/index.js").Words} t
 */
function nameOfParameter(parameter, t) {
    if (parameter === null) return t("audit.device");
    return t.has(`water.${parameter}_full`) ? t(`water.${parameter}_full`) : parameter;
}

/**
 * The person, token or service that did it.
 * @param {Pick<Entry, "actor" | "actorName" | "isOwn" | "account">} entry
 * @param {import("../../lang/index.js").Words} t
 */
function actorOf({ actor, actorName, isOwn, account }, t) {
    if (actor === "token") return t(account && !isOwn ? "audit.by_tokenOf" : "audit.by_token", { name: actorName ?? "" });
    if (actor === "account") {
        if (isOwn) return t("audit.by_you");
        return actorName === null || actorName.startsWith("former-") ? t("audit.by_former") : actorName;
    }
    const word = t.has(`audit.by_${actor}`) ? t(`audit.by_${actor}`) : actor;
    return actor === "operator" && actorName ? `${word} · ${actorName}` : word;
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {string | null} unit
 * @param {Voice} voice
 */
function valueText(field, value, unit, { t, format }) {
    if (value === null || value === undefined) return t("audit.none");
    if (typeof value === "boolean") return t(value ? "audit.yes" : "audit.no");
    if (field === "role" && t.has(`projects.role_${value}`)) return t(`projects.role_${value}`);
    if (typeof value === "number") {
        const number = format.number(value, `${value}`.split(".")[1]?.length ?? 0);
        return limits.has(field) && unit !== null ? format.withUnit(number, unit) : number;
    }
    const time = typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
    return Number.isNaN(time) ? `${value}` : format.moment(time);
}

/**
 * A line for each field that has a word, with its value before and after.
 * @param {Pick<Entry, "changes" | "unit">} entry
 * @param {Voice} voice
 */
function changeLines({ changes, unit }, voice) {
    return changes.filter(({ field }) => voice.t.has(`audit.field_${field}`)).map(({ field, before, after }) => {
        const [was, is] = [before, after].map((value) => valueText(field, value, unit, voice));
        const name = voice.t(`audit.field_${field}`);
        return before === null && !limits.has(field) ? voice.t("audit.set", { field: name, after: is }) : voice.t("audit.changed", { field: name, before: was, after: is });
    });
}

/**
 * The lines below an entry's sentence: when, who and from where; what was refused; each change.
 * @param {Entry} entry
 * @param {Voice} voice
 */
export function linesOf(entry, voice) {
    const { t, format } = voice;
    const refused = entry.outcome === "refused" ? [t("audit.refused", { count: entry.times })] : [];
    return [
        [format.clock(Date.parse(entry.at)), actorOf(entry, t), entry.network].filter(Boolean).join(" · "),
        ...(entry.account && entry.account !== entry.actorName ? [t("audit.of_account", { name: entry.account })] : []),
        ...refused,
        ...changeLines(entry, voice),
    ];
}

/**
 * Entries by their days, in their order.
 * @param {readonly Entry[]} entries
 * @param {string} zone
 */
export function daysOf(entries, zone) {
    /** @type {Map<string, Entry[]>} */
    const days = new Map();
    for (const entry of entries) {
        const day = isoDay(Date.parse(entry.at), zone);
        const known = days.get(day);
        if (known) known.push(entry);
        else days.set(day, [entry]);
    }
    return [...days].map(([day, entries]) => ({ day, at: Date.parse(entries[0].at), entries }));
}
