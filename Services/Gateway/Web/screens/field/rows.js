/** A sample in the list: where and when, how far it has come, and its photos. */

import { placeName } from "../../water/field/text.js";

/** @typedef {import("../../water/field/draft.js").Draft} Draft */
/** @typedef {import("../../water/field/draft.js").Sample} Sample */
/** @typedef {ReturnType<typeof import("../../water/field/sending.js").standingOf>} Standing */
/** @typedef {{id: string, at: number, name: string, detail: string, more: string[], icon?: string, shape?: import("../../components/shape/shape.js").ShapeName}} Row */

/** What stands before the words of each state. @type {Record<string, {icon?: string, shape?: import("../../components/shape/shape.js").ShapeName}>} */
const marks = {
    begun: { icon: "pencil" },
    saved: { icon: "phone" },
    waiting: { shape: "pending" },
    sending: { shape: "pending" },
    sent: { shape: "fine" },
    refused: { shape: "fault" },
    conflict: { shape: "fault" },
    gone: { shape: "fault" },
    withdrawn: { shape: "skipped" },
};

/**
 * @param {import("../../app/context.js").Context} context
 * @param {readonly Draft[]} drafts
 * @param {ReadonlyMap<string, Standing>} standings
 * @param {readonly Sample[]} samples
 * @param {{withdrawing: ReadonlySet<string>, troubles: ReadonlyMap<string, string>}} more
 * @returns {Row[]} The newest first.
 */
export function rowsOf(context, drafts, standings, samples, more) {
    const own = new Set(drafts.map(({ id }) => id));
    const kept = drafts.map((draft) => draftRow(context, draft, standings.get(draft.id)));
    return [...kept, ...samples.filter(({ id }) => !own.has(id)).map((sample) => sampleRow(context, sample, more))].sort((one, other) => other.at - one.at);
}

/**
 * @param {import("../../app/context.js").Context} context
 * @param {Draft} draft
 * @param {Standing | undefined} standing
 * @returns {Row}
 */
function draftRow(context, draft, standing) {
    const { t, format } = context;
    const at = Date.parse(draft.begunAt);
    const { state, why, safe, photos } = standing ?? { state: "begun", why: "", safe: 0, photos: 0 };
    const word = state === "sent" && draft.base && draft.base.version > 1 ? t("field.state_sentAgain") : t(`field.state_${state}`);
    const receipt = photos === 0 ? "" : draft.answered > 0 ? t("field.photos_safe", { safe, count: photos }) : t("field.photos", { count: photos });
    return {
        id: draft.id,
        at,
        name: placeName(context, draft),
        detail: `${format.clock(at)} · ${word}`,
        more: [draft.protocol.name, why, receipt].filter((text) => text !== ""),
        ...marks[state],
    };
}

/**
 * @param {import("../../app/context.js").Context} context
 * @param {Sample} sample
 * @param {{withdrawing: ReadonlySet<string>, troubles: ReadonlyMap<string, string>}} more
 * @returns {Row}
 */
function sampleRow(context, sample, { withdrawing, troubles }) {
    const { t, format } = context;
    const at = Date.parse(sample.begunAt);
    const state = sample.state === "withdrawn" || withdrawing.has(sample.id) ? "withdrawn" : "sent";
    const why = troubles.get(sample.id) ?? "";
    const word = state === "sent" && sample.version > 1 ? t("field.state_sentAgain") : t(`field.state_${state}`);
    const by = sample.author && !sample.author.isMe ? sample.author.name : "";
    const photos = sample.photos.length > 0 ? t("field.photos", { count: sample.photos.length }) : "";
    return {
        id: sample.id,
        at,
        name: placeName(context, sample),
        detail: `${format.clock(at)} · ${word}`,
        more: [why, by, photos].filter((text) => text !== ""),
        ...marks[state],
    };
}
