/** Two moments on one line: an input for each, so that fingers, keys and readers move them as any other. */

import { h, set, setText } from "../../page/dom.js";

/** @typedef {import("../../water/change.js").Moments} Moments */
/** @typedef {import("../../water/change.js").Reach} Reach */

/**
 * @param {object} model
 * @param {string} model.from The name of the first.
 * @param {string} model.to
 * @param {(time: number) => string} model.text A moment in words.
 * @param {(which: 'from' | 'to', time: number) => void} model.move
 */
export function createTimeSlider({ from, to, text, move }) {
    const begin = createInput("from", from);
    const end = createInput("to", to);
    const between = h("span", { class: "time-slider-between" });
    const first = h("span");
    const second = h("span");
    const least = h("span");
    const element = h(
        "div",
        null,
        h("div", { class: "time-slider-line" }, between, begin, end),
        h("p", { class: "time-slider-texts small quiet", "aria-hidden": "true" }, least, first, second),
    );

    /**
     * @param {'from' | 'to'} which
     * @param {string} name
     */
    function createInput(which, name) {
        const input = h("input", { type: "range", "aria-label": name });
        input.addEventListener("input", () => move(which, Number(input.value)));
        return input;
    }

    return {
        element,
        /**
         * @param {Moments} moments
         * @param {Reach} reach
         */
        show(moments, reach) {
            for (const [input, time] of /** @type {const} */ ([[begin, moments.from], [end, moments.to]])) {
                set(input, "min", reach.from);
                set(input, "max", reach.until);
                set(input, "step", reach.step);
                input.value = String(time);
                set(input, "aria-valuetext", text(time));
            }
            // Moments that were kept may lie further back.
            const share = (/** @type {number} */ time) => `${(Math.min(1, Math.max(0, (time - reach.from) / (reach.until - reach.from))) * 100).toFixed(2)}%`;
            between.style.left = share(moments.from);
            between.style.right = `calc(100% - ${share(moments.to)})`;
            setText(least, text(reach.from));
            setText(first, text(moments.from));
            setText(second, text(moments.to));
        },
    };
}
