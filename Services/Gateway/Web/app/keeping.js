/**
 * What is known, as it is kept on this device: each tank and each list of parameters by itself, so that a reading writes one of them.
 */

import { isMadeOf } from "../page/signals.js";

/**
 * @typedef {object} Kept
 * @property {import("./known.js").Account} account
 * @property {import("./known.js").Settings | null} settings
 * @property {readonly import("../water/snoozes.js").Snooze[]} snoozes
 * @property {readonly import("../water/answers.js").Answer[]} answers
 * @property {number} seenAt
 * @property {import("../water/tanks.js").Device[] | undefined} devices
 * @property {Map<string, import("../water/tanks.js").ParameterList>} parameters
 * @property {Map<string, Map<string, import("../water/tanks.js").Latest>>} latest
 */

const overview = "overview";
/** Who is signed in. Without it nothing of what else is kept is anybody's, so it is written by itself as soon as it is known. */
const person = "account";
/** Where versions that kept everything in one piece have it. */
const former = "known";
/** What was not yet written on this visit is written so soon, in milliseconds. */
const soon = 2_000;
/** Later what devices measure is written at most so often, and when the app is left. */
const seldom = 15_000;

/** Somebody whose water was not read yet. */
const nothing = Object.freeze({
    settings: null,
    snoozes: [],
    answers: [],
    seenAt: 0,
    devices: undefined,
    parameters: new Map(),
    latest: new Map(),
});

/**
 * @param {import("./disk.js").Disk} disk
 * @param {() => Kept | null} known What there is to keep; null while nobody is signed in.
 */
export function createKeeping(disk, known) {
    /** What each entry was written of. @type {Map<string, unknown[]>} */
    let written = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let isDue = false;
    let dueAt = 0;
    let hasWritten = false;

    /**
     * Writes what has changed before long.
     * @param {boolean} [isChosen] Whether people changed it: they may be without a connection in a moment.
     */
    function keep(isChosen = false) {
        const pause = isChosen || !hasWritten ? soon : seldom;
        const at = Date.now() + pause;
        if (isDue && dueAt <= at) return;
        clearTimeout(timer);
        isDue = true;
        dueAt = at;
        timer = setTimeout(write, pause);
    }

    function write() {
        clearTimeout(timer);
        isDue = false;
        const { devices, parameters, latest, ...rest } = known() ?? {};
        if (!devices || !parameters || !latest) return;
        hasWritten = true;
        /** @type {Map<string, {parts: unknown[], value: unknown}>} */
        const entries = new Map();
        for (const device of devices) {
            const [list, values] = [parameters.get(device.id), latest.get(device.id)];
            entries.set(`tank ${device.id}`, { parts: [device, values], value: { device, values: [...values ?? []] } });
            entries.set(`list ${device.id}`, { parts: [list], value: { device: device.id, list } });
        }
        /** @type {[string, unknown][]} */
        const changed = [...entries].flatMap(([key, { parts, value }]) => isMadeOf(written.get(key), parts) ? [] : [[key, value]]);
        const gone = [...written.keys()].filter((key) => !entries.has(key));
        written = new Map([...entries].map(([key, { parts }]) => [key, parts]));
        disk.put(new Map([[overview, { ...rest, devices: devices.map(({ id }) => id) }], ...changed]), [former, ...gone]).then((result) => {
            // What could not be written is not there.
            if (result === undefined) written.clear();
        });
    }

    // Whoever closes the app has what was last seen when it opens again.
    addEventListener("visibilitychange", () => {
        if (document.hidden && isDue) write();
    });
    addEventListener("pagehide", () => {
        if (isDue) write();
    });

    return {
        keep,
        write,

        /**
         * Writes who is signed in.
         * @param {import("./known.js").Account} account
         */
        keepAccount: (account) => disk.set(person, account),

        /** For whoever is signed in next, nothing has been written. */
        forget() {
            clearTimeout(timer);
            isDue = false;
            hasWritten = false;
            written.clear();
        },

        /** What was known when this was last open; null when nobody was signed in. @returns {Promise<Kept | null>} */
        async recalled() {
            const [known, account, tanks, lists] =
                await Promise.all([disk.get(overview), disk.get(person), disk.all("tank "), disk.all("list ")]);
            if (!known?.account) return account ? { ...nothing, account } : null;
            // What is no longer listed goes with the next writing.
            for (const { device } of tanks) written.set(`tank ${device.id}`, []);
            for (const { device } of lists) written.set(`list ${device}`, []);
            const byID = new Map(tanks.map(({ device }) => [device.id, device]));
            const devices = known.devices.flatMap((/** @type {string} */ id) => byID.get(id) ?? []);
            return {
                account: known.account,
                settings: known.settings,
                snoozes: known.snoozes,
                answers: known.answers,
                seenAt: known.seenAt,
                devices,
                parameters: new Map(lists.flatMap(({ device, list }) => list ? [[device, list]] : [])),
                latest: new Map(tanks.map(({ device, values }) => [device.id, new Map(values)])),
            };
        },
    };
}
