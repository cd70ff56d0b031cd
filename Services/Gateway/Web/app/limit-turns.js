/** Reads parameters anew once other limits hold, which the stream does not tell: nothing was changed. */

import { effect } from "../page/signals.js";
import { nextTurn } from "../water/periods.js";

/** The longest wait of a timer; what is further ahead is looked at again then. */
const longest = 86_400_000;
/** So long after a turn it is asked: clocks differ. */
const grace = 2_000;

/**
 * @param {object} what
 * @param {import("../page/signals.js").Signal<ReadonlyMap<string, import("../water/tanks.js").ParameterList> | undefined>} what.parameters
 * @param {() => Promise<unknown>} what.read
 */
export function followTurns({ parameters, read }) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    return effect([parameters], () => {
        clearTimeout(timer);
        const next = nextTurn([...parameters.value?.values() ?? []].flatMap(({ items }) => items));
        if (next === null) return;
        const wait = Math.min(Math.max(next - Date.now(), 0) + grace, longest);
        timer = setTimeout(() => void read().catch(() => {}), wait);
    });
}
