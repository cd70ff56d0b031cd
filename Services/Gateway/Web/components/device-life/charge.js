/** The charge of a battery, as a bar beside its number. */

import { h, set } from "../../page/dom.js";

export function createCharge() {
    const level = h("span", { class: "charge-level" });
    const element = h("span", { class: "charge", "aria-hidden": "true" }, level);
    return {
        element,
        /** @param {number | null} percent null: there is none. */
        update(percent) {
            set(element, "hidden", percent === null);
            level.style.width = `${Math.max(4, Math.min(100, percent ?? 0))}%`;
        },
    };
}
