/** A button that does one thing when it is pressed, and asks when it is held; Shift and Enter, or the key of the menu, ask as well. */

/** So long a press is a hold, in milliseconds. */
const long = 500;
/** A finger that moves so far scrolls. */
const far = 10;

/**
 * @param {HTMLElement} button
 * @param {{press: () => void, hold: () => void}} does
 */
export function onHold(button, { press, hold }) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    /** Whether the press that goes on has asked already. */
    let hasAsked = false;
    let begin = { x: 0, y: 0 };

    function ask() {
        clearTimeout(timer);
        if (hasAsked) return;
        hasAsked = true;
        hold();
    }

    button.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        hasAsked = false;
        begin = { x: event.clientX, y: event.clientY };
        clearTimeout(timer);
        timer = setTimeout(ask, long);
    });
    button.addEventListener("pointermove", ({ clientX, clientY }) => {
        if (Math.hypot(clientX - begin.x, clientY - begin.y) > far) clearTimeout(timer);
    });
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(end, () => clearTimeout(timer));
    button.addEventListener("contextmenu", (event) => {
        event.preventDefault();
        ask();
    });
    button.addEventListener("keydown", (event) => {
        hasAsked = false;
        if (event.key !== "Enter" || !event.shiftKey) return;
        event.preventDefault();
        ask();
    });
    button.addEventListener("click", () => {
        clearTimeout(timer);
        if (!hasAsked) press();
        hasAsked = false;
    });
}
