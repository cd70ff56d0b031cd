/**
 * A button that says what it is doing while it does it, at the same width.
 */

import { h, set, setText } from "../../page/dom.js";

/**
 * @typedef {object} ButtonModel
 * @property {string} text
 * @property {'primary' | 'quiet' | 'outlined' | 'text' | 'danger'} [kind]
 * @property {boolean} [isLarge]
 * @property {boolean} [isSubmit]
 * @property {string} [busyText]
 * @property {Element | null} [icon]
 * @property {() => void | Promise<void>} [press] While its promise lasts, the button is busy.
 */

/** @param {ButtonModel} model */
export function createButton({ text, kind = "quiet", isLarge = false, isSubmit = false, busyText, icon = null, press }) {
    const words = h("span", null, text);
    const element = h(
        "button",
        { class: `button button-${kind}${isLarge ? " button-large" : ""}`, type: isSubmit ? "submit" : "button" },
        icon,
        words,
    );
    let isBusy = false;

    /** @param {boolean} next */
    function setBusy(next) {
        if (next === isBusy) return;
        isBusy = next;
        if (next) element.style.setProperty("min-width", `${element.offsetWidth}px`);
        else element.style.removeProperty("min-width");
        // It keeps the focus, which a disabled button would lose.
        set(element, "aria-disabled", next ? "true" : null);
        set(element, "aria-busy", next ? "true" : null);
        setText(words, next ? busyText ?? text : text);
    }

    element.addEventListener("click", async (event) => {
        if (isBusy || element.getAttribute("aria-disabled") === "true") return event.preventDefault();
        const doing = press?.();
        if (!(doing instanceof Promise)) return;
        setBusy(true);
        try {
            await doing;
        } finally {
            setBusy(false);
        }
    });

    return {
        element,
        setBusy,
        get isBusy() {
            return isBusy;
        },
        /** @param {string} next */
        setText(next) {
            text = next;
            if (!isBusy) setText(words, next);
        },
        /** @param {boolean} isEnabled */
        setEnabled(isEnabled) {
            set(element, "aria-disabled", isEnabled ? null : "true");
        },
    };
}
