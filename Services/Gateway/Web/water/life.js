/** Lives of devices, by the words of their firmware: which of it asks for a hand, and the sentences for it. */

import { numberText } from "./silence-hint.js";

/** @typedef {Pick<import("../words/format.js").Voice, "t" | "format">} Words */

/**
 * As the service tells it.
 * @typedef {object} Life
 * @property {string} device
 * @property {string | null} family null while it has said nothing of itself.
 * @property {string | null} version
 * @property {boolean} isOlder Whether another of the person's devices runs a newer version of the same firmware.
 * @property {string | null} newer A newer version that its firmware knows of.
 * @property {number | null} battery In percent.
 * @property {number | null} daysLeft In how many days it is empty.
 * @property {number | null} signal In dBm.
 * @property {number | null} linkQuality From 0 to 255.
 * @property {string | null} startedAt
 * @property {string | null} resetReason
 * @property {number} restartsADay 0 where it seldom starts anew.
 * @property {readonly string[]} needs battery, signal, restarts or firmware; a newer service may name others.
 */

/** @param {Pick<Life, "needs"> | undefined} life @param {string} need */
export const asks = (life, need) => life?.needs.includes(need) ?? false;

/**
 * Texts of the table's cells, and of the rows of a device's page; empty where nothing is known.
 * @param {Words} words
 * @param {Life | undefined} life
 */
export function cellsOf(words, life) {
    const { t } = words;
    const strength = life?.signal ?? null;
    const quality = life?.linkQuality ?? null;
    return {
        battery: typeof life?.battery === "number" ? t("life.percent", { number: numberText(words, life.battery) }) : "",
        lasts: typeof life?.daysLeft === "number" ? t("life.lasts", { count: life.daysLeft }) : "",
        signal: strength !== null
            ? t("life.dBm", { number: numberText(words, strength) })
            : quality !== null
            ? t("life.link", { number: numberText(words, quality) })
            : "",
        firmware: life?.version ?? "",
        restarts: !life || life.family === null ? "" : life.restartsADay > 0
            ? t("life.aDay", { number: numberText(words, life.restartsADay) })
            : t("life.seldom"),
    };
}

/**
 * All in one line, below the name of a device.
 * @param {Words} words
 * @param {Life | undefined} life
 */
export function lineOf(words, life) {
    const { battery, lasts, signal, firmware } = cellsOf(words, life);
    const line = [battery, lasts, signal, firmware].filter(Boolean).join(" · ");
    return line === "" ? words.t("life.none") : line;
}

/**
 * A sentence for each thing that asks for a hand.
 * @param {Words} words
 * @param {Life} life
 * @returns {string[]}
 */
export function needsOf(words, life) {
    const { t } = words;
    return [
        asks(life, "battery")
            ? life.daysLeft === null ? t("life.lowBattery_plain") : t("life.lowBattery", { count: life.daysLeft })
            : "",
        asks(life, "signal") ? t("life.weakSignal") : "",
        asks(life, "restarts") ? t("life.manyRestarts", { number: numberText(words, life.restartsADay) }) : "",
        life.isOlder ? t("life.older_this") : "",
        life.newer === null ? "" : t("life.newer", { version: life.newer }),
    ].filter(Boolean);
}

/**
 * Two sentences about all devices: how many need a hand, and how many run old firmware.
 * @param {Words} words
 * @param {readonly Life[]} lives
 */
export function summaryOf({ t }, lives) {
    const needy = lives.filter(({ needs }) => needs.length > 0).length;
    const older = lives.filter(({ isOlder }) => isOlder).length;
    return {
        lead: needy > 0 ? t("life.needs", { count: needy }) : t("life.fine"),
        older: older > 0 ? t("life.older", { count: older }) : "",
    };
}

/**
 * Trouble first, otherwise in the order in which they come. Taken once: rows do not move under a finger.
 * @param {readonly Life[]} lives
 * @returns {Map<string, number>} The place of each device.
 */
export function placesOf(lives) {
    const sorted = [...lives].sort((one, other) => Math.min(other.needs.length, 1) - Math.min(one.needs.length, 1));
    return new Map(sorted.map(({ device }, index) => [device, index]));
}
