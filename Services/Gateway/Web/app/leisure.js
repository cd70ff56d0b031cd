/** What no first screen waits for, nor for all words: it comes once the first screen with its values and graphs has had the line for itself. */

import { effect, signal } from "../page/signals.js";

/** @typedef {import("./context.js").Context} Context */

/**
 * @typedef {object} App
 * @property {Context["session"]} session
 * @property {Context["store"]} store
 * @property {() => import("../lang/index.js").Words} words
 * @property {() => Context} context
 * @property {(count: number) => void} onDue Told how much is to be done today or late, at each change.
 */

/**
 * Begins with each session.
 * @param {App} app
 */
export function follow({ session, store, words, context, onDue }) {
    const isIn = () => session.state.value === "in";
    let followsCare = false;
    let due = 0;

    /** Follows what the tanks need, and sends what was done without a connection. */
    async function startCare() {
        if (followsCare || !isIn()) return;
        followsCare = true;
        try {
            const { careOf } = await words().along(import("./care.js"));
            const care = careOf(context());
            store.care.value = care;
            const tell = () => {
                const next = care.todo(Date.now(), context().format.zone).length;
                if (next === due) return;
                due = next;
                onDue(due);
            };
            effect([care.shown, store.settings], tell);
            setInterval(tell, 60_000);
            void care.read();
        } catch (error) {
            // The next session asks for it again; its own screen says what does not come.
            followsCare = false;
            console.info("What is to be done has not come.", error);
        }
    }

    /**
     * @template T
     * @param {{value: T | null}} place
     * @param {() => Promise<T>} load
     */
    async function fill(place, load) {
        if (place.value || !isIn()) return;
        try {
            place.value = await load();
        } catch (error) {
            // The next session asks for it again.
            console.info("Something that is told beside the water has not come.", error);
        }
    }

    /** Knows what people measured themselves. */
    const startHand = () => fill(store.hand, async () => (await import("./hand-keeping.js")).handKeepingOf(context()));

    /** Knows how the probes stand. */
    const startProbes = () => fill(store.probes, async () => (await words().along(import("./probes.js"))).probesOf(context()));

    /** Sends what was measured in the field, and looks whether it has arrived. */
    const startField = () => fill(signal(/** @type {unknown} */ (null)), async () => (await words().along(import("./field/field.js"))).fieldOf(context()));

    /** Goes on with areas of the map that are still on their way here. */
    async function startAreas() {
        const areas = isIn() ? await store.kept("areas") : null;
        if (areas?.some((/** @type {{state: string}} */ { state }) => state === "going")) void (await import("./areas.js")).areasOf(context()).go();
    }

    for (const start of [startCare, startHand, startProbes, startAreas, startField]) effect([session.state], () => void start());
}
