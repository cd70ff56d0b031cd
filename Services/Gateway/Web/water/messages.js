/** A device's messages as they came, in words. */

/** @typedef {import("../words/format.js").Voice} Voice */

/**
 * @typedef {object} Message
 * @property {string} time When it was measured.
 * @property {string} receivedAt
 * @property {number} delay In seconds.
 * @property {boolean} late
 * @property {boolean} receiptTime
 * @property {boolean} history
 * @property {boolean} doubtedTime
 * @property {boolean} inParts
 * @property {boolean} approved
 * @property {string[]} deleted The parameters whose values were deleted.
 * @property {{parameter: string, value: number, unit: string}[]} values
 */

/** Properties by which messages are chosen. */
export const properties = ["late", "receiptTime", "history", "doubtedTime", "inParts", "deleted"];

/** So many seconds from measuring to receipt are not worth a word. */
const usualDelay = 60;

/**
 * Its values, in one line.
 * @param {Voice} voice
 * @param {Message} message
 * @param {(parameter: string) => number | undefined} decimalsOf
 */
export function valuesText({ t, format }, { values }, decimalsOf) {
    return values.map(({ parameter, value, unit }) => {
        const digits = decimalsOf(parameter) ?? 2;
        return `${t(`water.${parameter}`)} ${format.withUnit(format.number(value, digits), unit)}`;
    }).join(" · ");
}

/**
 * What is to be said of how it came; empty for what came as usual.
 * @param {Voice} voice
 * @param {Message} message
 */
export function factsOf({ t, format }, message) {
    const { delay, deleted } = message;
    const facts = [
        Math.abs(delay) > usualDelay ? t(delay > 0 ? "records.came_later" : "records.came_before", { span: format.brief(Math.abs(delay) * 1_000) }) : "",
        message.receiptTime ? t("records.is_receiptTime") : "",
        message.doubtedTime ? t("records.is_doubtedTime") : "",
        message.history ? t("records.is_history") : "",
        message.inParts ? t("records.is_inParts") : "",
        deleted.length > 0 ? t("records.is_deleted", { names: deleted.map((name) => t(`water.${name}`)).join(", ") }) : "",
        message.approved ? t("records.is_approved") : "",
    ];
    return facts.filter((fact) => fact !== "").join(" · ");
}
