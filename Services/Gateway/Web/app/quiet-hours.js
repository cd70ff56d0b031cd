/**
 * The person's quiet hours, and what waits for their end: read when somebody looks at them, shown as they are changed, kept on this device
 * for when there is no connection.
 */

import { signal } from "../page/signals.js";
import { createCoalesced } from "./coalesced.js";

/** @typedef {import("../water/quiet.js").Hours} Hours */
/** @typedef {import("../water/quiet.js").Quiet} Quiet */
/** @typedef {ReturnType<typeof createQuietHours>} QuietHours */

/**
 * @typedef {object} Known
 * @property {Quiet | null} told null while it is not known.
 * @property {number} seenAt When it was read.
 * @property {boolean} isOld Whether it could not be read since.
 * @property {unknown} trouble Why not.
 */

const path = "/quiet-hours";
const part = "quiet-hours";
/** @type {Known} */
const nothing = { told: null, seenAt: 0, isOld: false, trouble: null };

/**
 * @param {object} parts
 * @param {import("./api.js").API} parts.api
 * @param {(key: string, value: unknown) => unknown} parts.keep
 * @param {(key: string) => Promise<any>} parts.kept
 */
export function createQuietHours({ api, keep, kept }) {
    const known = signal(nothing);
    /** Counts the people who have signed in here: what was asked for one is nothing for the next. */
    let generation = 0;
    /** Counts the changes, at their beginning and at their end: an answer from before one of them says what was. */
    let changes = 0;
    /** What the service said last. @type {Quiet | null} */
    let held = null;
    /** The change that is to be sent next. @type {{hours: Hours | null} | null} */
    let wished = null;
    /** @type {Promise<void> | null} */
    let sending = null;

    /** @param {Quiet} told */
    function take(told) {
        held = told;
        const seenAt = Date.now();
        known.value = { told, seenAt, isOld: false, trouble: null };
        keep(part, { told, seenAt });
    }

    async function load() {
        const [mine, before] = [generation, changes];
        try {
            const { data } = await api.get(path);
            if (mine === generation && before === changes) take(data);
        } catch (error) {
            if (mine !== generation) return;
            let { told, seenAt } = known.value;
            if (told === null) {
                const had = await kept(part);
                if (mine !== generation || known.value.told !== null) return;
                if (had?.told) ({ told, seenAt } = had);
                held = told;
            }
            known.value = { told, seenAt, isOld: told !== null, trouble: error };
        }
    }

    /** Sends what is wished, the last wish last. What was overtaken by another wish is told to nobody. */
    async function send() {
        const mine = generation;
        while (wished) {
            const { hours } = wished;
            wished = null;
            try {
                if (hours) held = (await api.put(path, hours)).data;
                else {
                    await api.delete(path);
                    held = held && { ...held, hours: null, quietUntil: null };
                }
                if (mine !== generation) return;
            } catch (error) {
                if (mine !== generation) return;
                if (wished) continue;
                changes += 1;
                // A refused change is taken back: the screen shows the hours that hold.
                known.value = { ...known.value, told: held };
                throw error;
            }
        }
        changes += 1;
        if (held) take(held);
    }

    const reading = createCoalesced(load);

    return {
        known,

        /** Reads it. Whoever asks while it is read waits for a reading that began after the question. */
        read: reading.ask,

        /**
         * Changes them, or turns them off: at once on the screen, and back where the service refuses it, which is thrown.
         * @param {Hours | null} hours
         */
        async change(hours) {
            const { told } = known.value;
            if (told === null) return;
            wished = { hours };
            changes += 1;
            known.value = { ...known.value, told: { ...told, hours } };
            if (sending === null) {
                const mine = send().finally(() => sending === mine && (sending = null));
                sending = mine;
            }
            await sending;
        },

        forget() {
            generation += 1;
            reading.forget();
            sending = null;
            wished = null;
            held = null;
            known.value = nothing;
        },
    };
}
