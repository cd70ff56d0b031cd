/** Entries of the journal in words. */

import { wordOf } from "../lang/index.js";
import { handText } from "./by-hand.js";
import { perLitre } from "./dosing.js";

/** @typedef {import("./journal.js").Entry} Entry */
/** @typedef {import("./journal.js").Content} Content */
/** @typedef {import("../words/format.js").Voice} Voice */

/** Of an amount, so many digits behind the mark at most. */
const mostDecimals = 2;

/**
 * A number with as many digits as it has, three at most that tell something: 20, 2.5, 0.17, 0.0042.
 * @param {Voice} voice
 * @param {number} value
 */
export function numberText({ format }, value) {
    const size = Math.abs(value);
    const most = size === 0 || size >= 0.1 ? mostDecimals : Math.min(6, 1 - Math.floor(Math.log10(size)));
    const shown = Number(value.toFixed(most));
    return format.number(shown, (String(shown).split(".")[1] ?? "").length);
}

/**
 * @param {Voice} voice
 * @param {number} amount
 * @param {string | null} unit As the service names it.
 */
export function amountText(voice, amount, unit) {
    const { t, format } = voice;
    const isThousand = (unit === "gram" || unit === "millilitre") && amount >= 1_000;
    const number = isThousand ? format.number(amount / 1_000, amount % 100 === 0 ? 1 : 2) : numberText(voice, amount);
    switch (unit) {
        case "percent":
            return format.withUnit(number, "%");
        case "litre":
            return format.withUnit(number, "L");
        case "millilitre":
            return format.withUnit(number, isThousand ? "L" : "mL");
        case "gram":
            return format.withUnit(number, isThousand ? "kg" : "g");
        case "drop":
            return t("journal.drops", { count: amount, number });
        case "tablet":
            return t("journal.tablets", { count: amount, number });
        default:
            return unit === null ? number : format.withUnit(number, unit);
    }
}

/**
 * What was done, in a few words.
 * @param {Voice} voice
 * @param {Content & Pick<Partial<Entry>, "photos" | "details">} entry
 */
export function titleOf(voice, entry) {
    const { t } = voice;
    const { kind, amount, unit, subject, count, text, details } = entry;
    const size = amount === null ? "" : amountText(voice, amount, unit);
    if (kind === "died") {
        const animals = { count: count ?? 1, what: subject ?? "" };
        return subject ? t("journal.died_of", animals) : count === null ? t("journal.kind_died") : t("journal.died_some", animals);
    }
    if (kind === "note") return text?.split("\n")[0] || t(entry.photos?.length ? "journal.kind_photo" : "journal.kind_note");
    if (kind === "calibrated" && details?.parameter && t.has(`calibration.did_${details.kind}`)) {
        const name = t(`water.${details.parameter}_full`);
        return t(`calibration.did_${details.kind}`, { name });
    }
    const own = kind === "done" ? details?.name : kind === "worked" ? workName(voice, details?.kind) : undefined;
    const whole = own ?? (kind === "fed" ? "" : kind === "waterChanged" ? size : subject ? quantified(voice, subject, count, size) : size);
    const key = `journal.${kind}_of`;
    return whole !== "" && t.has(key) ? t(key, { what: whole }) : wordOf(t, "journal.kind", kind);
}

/**
 * The kind of work on the water, where it has a name.
 * @param {Voice} voice
 * @param {string | undefined} kind
 */
function workName({ t }, kind) {
    return kind && kind !== "other" && t.has(`work.${kind}`) ? t(`work.${kind}`) : "";
}

/**
 * What a test by hand measured, and how long work on the water lasted or lasts.
 * @param {Voice} voice
 * @param {Entry["details"]} details
 */
function detailsOf(voice, details) {
    const { t, format } = voice;
    const { values = [], from, until, endedAt } = details ?? {};
    const measured = values.map((value) => {
        const key = `water.${value.parameter}_full`;
        return t("journal.measured", { name: t.has(key) ? t(key) : value.parameter, value: handText(voice, value, null) });
    });
    const span = from && until ? Date.parse(endedAt ?? until) - Date.parse(from) : 0;
    return span < 60_000 ? measured : [...measured, format.duration(span)];
}

/**
 * @param {Voice} voice
 * @param {string} subject
 * @param {number | null} count
 * @param {string} size
 */
function quantified({ t }, subject, count, size) {
    if (count !== null) return t("journal.counted", { count, what: subject });
    return size === "" ? subject : t("language.list", { first: subject, next: size });
}

/**
 * What else there is to say of an entry, and who did it.
 * @param {Voice} voice
 * @param {Entry} entry
 * @param {object} about
 * @param {number | null} about.volume Of the tank, in litres.
 * @param {string} [about.tank] Its name, where several are listed together.
 * @returns {string[]}
 */
export function factsOf(voice, entry, { volume, tank }) {
    const { t } = voice;
    const { kind, amount, unit, subject, text, photos, details } = entry;
    const isFed = kind === "fed";
    return [
        tank,
        isFed ? subject : null,
        isFed && amount !== null ? amountText(voice, amount, unit) : null,
        kind === "dosed" && amount !== null ? doseText(voice, amount, unit, volume) : null,
        ...detailsOf(voice, details),
        kind === "note" ? text?.split("\n").slice(1).join(" ") : text,
        photos.length > 0 ? t("journal.photos", { count: photos.length }) : null,
        byText(voice, entry),
    ].flatMap((fact) => fact || []);
}

/**
 * @param {Voice} voice
 * @param {number} amount
 * @param {string | null} unit
 * @param {number | null} volume
 */
function doseText(voice, amount, unit, volume) {
    if (volume === null || (unit !== "gram" && unit !== "millilitre")) return null;
    const value = voice.format.withUnit(numberText(voice, perLitre(amount, volume)), unit === "gram" ? "g/L" : "mL/L");
    return voice.t("journal.per_litre", { volume: amountText(voice, volume, "litre"), value });
}

/**
 * The name of the person; entries that wait on this phone are their own.
 * @param {Voice} voice
 * @param {Entry} entry
 */
function byText({ t }, { by, version }) {
    if (version === 0 || by?.isMe) return t("journal.you");
    return by ? by.name : t("journal.nobody");
}
