/** What is known of an alert, a name and a value each. */

import { h, set, setText } from "../../page/dom.js";

/** @typedef {{name: string, value: string, isAlarm: boolean}} Fact */

/**
 * @param {string} name
 * @param {string} value
 * @param {boolean} [isAlarm]
 * @returns {Fact}
 */
export function fact(name, value, isAlarm = false) {
    return { name, value, isAlarm };
}

/** @param {Fact} model */
export function createFact({ name }) {
    const value = h("dd");
    return {
        element: h("div", { class: "fact" }, h("dt", null, name), value),
        /** @param {Fact} next */
        update(next) {
            setText(value, next.value);
            set(value, "class", next.isAlarm ? "fact-alarm" : null);
        },
    };
}
