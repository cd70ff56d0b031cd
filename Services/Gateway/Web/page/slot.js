/**
 * A part of a screen that is made anew only where what it is made of has changed: whoever reads, presses or focuses something in it does not
 * lose it to what happens elsewhere.
 */

import { isMadeOf } from "./signals.js";

/** @param {Element} element */
export function createSlot(element) {
    /** @type {readonly unknown[] | undefined} */
    let shown;
    return {
        element,
        /**
         * @param {readonly unknown[]} parts All that the content depends on, compared by identity.
         * @param {() => Node[]} make
         */
        update(parts, make) {
            if (isMadeOf(shown, parts)) return;
            shown = parts;
            element.replaceChildren(...make());
        },
    };
}
