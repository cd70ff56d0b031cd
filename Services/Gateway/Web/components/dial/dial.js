/**
 * A dial of a day with the arc of a span on it, whose ends are handles: dragged, or turned by keys.
 */

import { arc, minutesAt, pointOn } from "../../drawing/dial.js";
import { h, set, setText, svg } from "../../page/dom.js";
import { snapped, stepped, turned } from "../../water/quiet.js";

/** @typedef {import("../../water/quiet.js").End} End */
/** @typedef {import("../../water/quiet.js").Span} Span */

/** Of the drawing, and of the middle of its ring. */
const size = 270;
const radius = 124;
/** How many steps a key is. @type {Record<string, number>} */
const keys = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 4, PageDown: -4 };

/**
 * @param {object} model
 * @param {string} model.label
 * @param {Record<End, string>} model.names What the ends are.
 * @param {(minutes: number) => string} model.textOf
 * @param {(span: Span) => void} model.onTurn
 * @param {() => void} model.onRest An end was let go.
 */
export function createDial({ label, names, textOf, onTurn, onRest }) {
    /** @type {Span} */
    let span = { from: 0, until: 0 };
    const path = svg("path", { class: "dial-arc" });
    const hours = h("span", { class: "dial-hours" });
    const length = h("span", { class: "dial-length" });
    const ends = { from: createEnd("from"), until: createEnd("until") };
    const face = h(
        "div",
        { class: "dial-face" },
        svg(
            "svg",
            { class: "dial-drawing", viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`, "aria-hidden": "true" },
            svg("circle", { class: "dial-track", r: radius }),
            path,
        ),
        ...[0, 6, 12, 18].map((hour) => h("span", { class: `dial-mark dial-mark-${hour}`, "aria-hidden": "true" }, String(hour).padStart(2, "0"))),
        ends.from,
        ends.until,
    );
    const element = h("div", { class: "dial", role: "group", "aria-label": label }, face, h("p", { class: "dial-text" }, hours, length));

    /** @param {End} end */
    function createEnd(end) {
        const handle = h("div", { class: "dial-end", role: "slider", tabindex: "0", "aria-label": names[end], "aria-valuemin": 0, "aria-valuemax": 1439 });
        handle.addEventListener("keydown", (event) => {
            const count = keys[event.key];
            if (count === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            turn(end, stepped(span[end], count));
            onRest();
        });
        handle.addEventListener("pointerdown", (event) => {
            if (event.button !== 0) return;
            event.preventDefault();
            handle.focus();
            handle.setPointerCapture(event.pointerId);
        });
        handle.addEventListener("pointermove", (event) => {
            if (!handle.hasPointerCapture(event.pointerId)) return;
            const { left, top, width, height } = face.getBoundingClientRect();
            turn(end, snapped(minutesAt(event.clientX - left - width / 2, event.clientY - top - height / 2)));
        });
        handle.addEventListener("lostpointercapture", onRest);
        return handle;
    }

    /**
     * @param {End} end
     * @param {number} minutes
     */
    function turn(end, minutes) {
        const next = turned(span, end, minutes);
        if (next[end] !== span[end]) onTurn(next);
    }

    return {
        element,
        /**
         * @param {Span} next
         * @param {{hours: string, length: string}} texts
         */
        update(next, texts) {
            span = next;
            setText(hours, texts.hours);
            setText(length, texts.length);
            set(path, "d", arc(span.from, span.until, radius));
            for (const [end, handle] of Object.entries(ends)) {
                const minutes = span[/** @type {End} */ (end)];
                const { x, y } = pointOn(minutes, radius);
                handle.style.setProperty("left", `${(x / size + 0.5) * 100}%`);
                handle.style.setProperty("top", `${(y / size + 0.5) * 100}%`);
                set(handle, "aria-valuenow", minutes);
                set(handle, "aria-valuetext", textOf(minutes));
            }
        },
    };
}
