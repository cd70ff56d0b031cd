/**
 * A setting of the person's, such as quiet hours: read when a screen shows it, shown as it is changed, and kept on this device for when
 * there is no connection.
 */

import { signal } from "../page/signals.js";
import { createCoalesced } from "./coalesced.js";

/**
 * @template T
 * @typedef {object} Known
 * @property {T | null} told null while it is not known.
 * @property {number} seenAt When it was read.
 * @property {boolean} isOld Whether it could not be read since.
 * @property {unknown} trouble Why not.
 */

/**
 * @template T
 * @template Wish
 * @param {object} parts
 * @param {() => Promise<T>} parts.get Asks the service.
 * @param {(wish: Wish, held: T | null) => Promise<T | null>} parts.send Tells the service, and says what holds from then on.
 * @param {(told: T, wish: Wish) => T} parts.changed The setting that is shown until the service answers.
 * @param {string} parts.part The name under which it is kept.
 * @param {(key: string, value: unknown) => unknown} parts.keep
 * @param {(key: string) => Promise<any>} parts.kept
 */
export function createChangeable({ get, send, changed, part, keep, kept }) {
    /** @type {Known<T>} */
    const nothing = { told: null, seenAt: 0, isOld: false, trouble: null };
    const known = signal(nothing);
    /** Counts the people who have signed in here: what was asked for one is nothing for the next. */
    let generation = 0;
    /** Counts the changes, at their beginning and at their end: an answer from before one of them says what was. */
    let changes = 0;
    /** What the service said last. @type {T | null} */
    let held = null;
    /** The change that is to be sent next. @type {{wish: Wish} | null} */
    let wished = null;
    /** @type {Promise<void> | null} */
    let sending = null;

    /** @param {T} told */
    function take(told) {
        held = told;
        const seenAt = Date.now();
        known.value = { told, seenAt, isOld: false, trouble: null };
        keep(part, { told, seenAt });
    }

    async function load() {
        const [mine, before] = [generation, changes];
        try {
            const data = await get();
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

    /** Sends the wishes, the last one last; a wish that was overtaken by another is not sent. */
    async function sendAll() {
        const mine = generation;
        while (wished) {
            const { wish } = wished;
            wished = null;
            try {
                const answer = await send(wish, held);
                if (mine !== generation) return;
                held = answer;
            } catch (error) {
                if (mine !== generation) return;
                if (wished) continue;
                changes += 1;
                // A refused change is taken back: the screen shows what holds.
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

        /** Reads the setting. Whoever asks during a reading waits for one that began after the question. */
        read: reading.ask,

        /**
         * Changes the setting: at once on the screen, and back where the service refuses, which is thrown.
         * @param {Wish} wish
         */
        async change(wish) {
            const { told } = known.value;
            if (told === null) return;
            wished = { wish };
            changes += 1;
            known.value = { ...known.value, told: changed(told, wish) };
            if (sending === null) {
                const mine = sendAll().finally(() => sending === mine && (sending = null));
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
