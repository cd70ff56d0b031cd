/**
 * Something that is on or off, at once.
 */

import { h, set } from "../../page/dom.js";

/**
 * @param {object} model
 * @param {string} model.label
 * @param {boolean} model.isOn
 * @param {(isOn: boolean) => void} model.onTurn
 */
export function createSwitch({ label, isOn, onTurn }) {
    const element = h(
        "button",
        { class: "switch", type: "button", role: "switch", "aria-label": label },
        h("span", { class: "switch-knob" }),
    );
    /** @param {boolean} next */
    function show(next) {
        isOn = next;
        set(element, "aria-checked", String(next));
    }
    element.addEventListener("click", () => {
        show(!isOn);
        onTurn(isOn);
    });
    show(isOn);
    return { element, show };
}
