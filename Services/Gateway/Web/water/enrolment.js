/** Devices that are made: what was found in a list of them, what became of each, and the file and the labels that tell it. */

import { wordOf } from "../lang/index.js";
import { csvOf } from "../words/csv.js";

/** @typedef {Pick<import("../words/format.js").Voice, "t">} Voice */

/**
 * A line of a list in which nothing is wrong.
 * @typedef {object} Line
 * @property {number} line
 * @property {string} id
 * @property {string | null} name
 * @property {string | null} firmware
 * @property {string | null} preset
 * @property {string | null} [presetName] What it is called.
 * @property {'new' | 'known' | 'taken'} state known: it is the person's already; taken: it is somebody else's.
 */

/** @typedef {{line: number, column: string | null, code: string, detail: string | null}} LineFault */

/** @typedef {{devices: readonly Line[], faults: readonly LineFault[]}} Looked */

/**
 * Details of a device that are told once.
 * @typedef {object} Opened
 * @property {string} id
 * @property {string} user
 * @property {string} password
 * @property {string} host
 * @property {number} port
 * @property {boolean} tls
 * @property {string | null} httpUrl
 * @property {string | null} claimCode null for one that is linked already.
 */

/**
 * @typedef {object} Made
 * @property {string} id
 * @property {string} name
 * @property {string | null} firmware
 * @property {'waiting' | 'made' | 'known' | 'refused'} state
 * @property {string | null} reason Why it was refused.
 * @property {Opened | null} opened
 * @property {boolean} isUnreadable Whether it was sealed, and cannot be opened.
 */

/** Columns of a list; the first one is needed. */
export const columns = Object.freeze(["hardware_id", "name", "firmware", "preset"]);

/** Letters of a list at most: what the service takes at once. */
export const longest = 250_000;

/** Firmware that the service knows how to set up. */
export const firmwares = Object.freeze(["native", "esphome", "tasmota", "shelly", "shelly-gen1", "zigbee2mqtt", "reef-pi", "senml", "sensorthings"]);

/**
 * The fault of a line, in words.
 * @param {Voice} voice
 * @param {LineFault} fault
 */
export const faultText = ({ t }, { code, detail }) => wordOf(t, "enrol.fault", code, { detail: detail ?? "" });

/**
 * The state of a device that was asked for, in words.
 * @param {Voice} voice
 * @param {{state: string, reason: string | null, isUnreadable: boolean}} made
 */
export function stateText({ t }, { state, reason, isUnreadable }) {
    if (isUnreadable) return t("enrol.unreadable");
    if (state === "refused") return wordOf(t, "enrol.reason", reason ?? "refused");
    return wordOf(t, "enrol.state", state);
}

/**
 * Devices that are counted and not listed: their ids are made for them.
 * @param {object} wish
 * @param {number} wish.count
 * @param {string} wish.name Of all of them; each has its number behind it.
 * @param {string} wish.firmware Empty: none is named.
 * @param {string} wish.preset Empty: the usual limits.
 */
export function counted({ count, name, firmware, preset }) {
    const rest = { ...firmware === "" ? {} : { firmware }, ...preset === "" ? {} : { preset } };
    return Array.from({ length: count }, (_, index) => ({ ...name === "" ? {} : { name: count === 1 ? name : `${name} ${index + 1}` }, ...rest }));
}

/**
 * The lines of a list that are asked for: those that are nobody's yet.
 * @param {Looked} looked
 */
export const wishedOf = ({ devices }) =>
    devices.filter(({ state }) => state === "new").map(({ id, name, firmware, preset }) => ({
        id,
        ...name === null ? {} : { name },
        ...firmware === null ? {} : { firmware },
        ...preset === null ? {} : { preset },
    }));

/**
 * All that is told of devices once, as a file.
 * @param {readonly Made[]} devices
 */
export const fileOf = (devices) =>
    csvOf([
        ["hardware_id", "name", "firmware", "state", "user", "password", "claim_code", "host", "port", "tls", "http_url"],
        ...devices.map(({ id, name, firmware, state, opened }) => [
            id,
            name,
            firmware,
            state,
            opened?.user ?? null,
            opened?.password ?? null,
            opened?.claimCode ?? null,
            opened?.host ?? null,
            opened ? String(opened.port) : null,
            opened ? String(opened.tls) : null,
            opened?.httpUrl ?? null,
        ]),
    ]);

/**
 * Paper with labels that are sold cut: how many stand beside and below each other. Their millimetres are in the styles.
 * @type {Readonly<Record<Paper, {across: number, down: number}>>}
 */
const papers = Object.freeze({ a4: { across: 3, down: 8 }, letter: { across: 3, down: 10 } });

/** @typedef {'a4' | 'letter'} Paper */

/** Countries whose paper is letter. */
const letterCountries = new Set(["US", "CA", "MX", "PH", "CL", "CO", "CR", "GT", "PA", "DO", "SV", "NI", "VE"]);

/**
 * The paper of a person's country.
 * @param {readonly string[]} locales As the browser tells them.
 * @returns {Paper}
 */
export function paperOf(locales) {
    const region = locales.map((locale) => /-([A-Z]{2})\b/.exec(locale)?.[1]).find((found) => found !== undefined);
    return region !== undefined && letterCountries.has(region) ? "letter" : "a4";
}

/**
 * The sheets of many labels.
 * @template T
 * @param {readonly T[]} labels
 * @param {Paper} paper
 * @returns {T[][]}
 */
export function sheetsOf(labels, paper) {
    const size = papers[paper].across * papers[paper].down;
    return Array.from({ length: Math.ceil(labels.length / size) }, (_, index) => labels.slice(index * size, (index + 1) * size));
}

/**
 * The address that a label's code is of: whoever has its device not linked yet links it there, others see the device. What stands behind the
 * hash is sent to nobody.
 * @param {string} origin
 * @param {Pick<Opened, "id" | "claimCode">} device
 */
export const addressOf = (origin, { id, claimCode }) =>
    claimCode === null ? `${origin}/devices/${encodeURIComponent(id)}` : `${origin}/devices/link#${claimCode}`;
