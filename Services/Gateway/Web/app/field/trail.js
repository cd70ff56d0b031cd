/**
 * The way of one survey, listened to from when a person begins it until they end it, and only while the page is in sight: phones tell nothing
 * behind a dark screen, so that the way has a gap there.
 */

import { keepAwake } from "../../page/awake.js";
import { watchPosition } from "../../page/position.js";
import { signal } from "../../page/signals.js";
import { walked } from "../../water/field/trail.js";

/** @typedef {{sample: string, isAwake: boolean, accuracy: number | null, trouble: import("../../page/position.js").NoPosition | null}} Listening */
/** @typedef {ReturnType<typeof createTrail>} Trail */

/**
 * @param {Pick<import("./drafts.js").Drafts, 'change'>} drafts
 * @param {{watch?: typeof watchPosition, awake?: typeof keepAwake, page?: Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>}} [surroundings]
 */
export function createTrail(drafts, { watch = watchPosition, awake = keepAwake, page = document } = {}) {
    const listening = signal(/** @type {Listening | null} */ (null));
    let endWatch = () => {};
    let endAwake = () => {};
    /** Whether nobody listened before the next position. */
    let begins = true;

    /** @param {Partial<Listening>} change */
    function note(change) {
        if (listening.value) listening.value = { ...listening.value, ...change };
    }

    function listen() {
        endWatch();
        begins = true;
        if (page.hidden || !listening.value) return;
        const { sample } = listening.value;
        endWatch = watch((fix) => {
            drafts.change(sample, (draft) => {
                const track = walked(draft.track, fix, begins);
                if (track === draft.track) return draft;
                begins = false;
                return { ...draft, track };
            });
            note({ accuracy: Math.round(fix.accuracy), trouble: null });
        }, (trouble) => note({ trouble }));
    }

    function end() {
        listening.value = null;
        endWatch();
        endAwake();
        page.removeEventListener("visibilitychange", listen);
    }

    return {
        listening,

        /** Begins to listen, or goes on after a gap. @param {string} sample */
        begin(sample) {
            end();
            listening.value = { sample, isAwake: false, accuracy: null, trouble: null };
            page.addEventListener("visibilitychange", listen);
            endAwake = awake((isAwake) => note({ isAwake }));
            listen();
        },

        end,
    };
}
