/**
 * The shapes of states and the icons of controls. All of them stand beside words and are hidden from readers.
 */

import { svg } from "../../page/dom.js";

/** @typedef {import("../../water/headline.js").ShapeName} ShapeName */

/** On a grid of 16. @type {Record<ShapeName, string>} */
const shapes = {
    low: "M1.6 2.6h12.8L8 13.8z",
    high: "M1.6 13.4h12.8L8 2.2z",
    fault: "M8 1.2 14.8 8 8 14.8 1.2 8z",
    silent: "M8 1.9a6.1 6.1 0 1 1 0 12.2A6.1 6.1 0 0 1 8 1.9z",
    fine: "M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM5.2 8.2l2 2 3.6-4.2",
    live: "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
    snoozed: "M4 8h8",
    due: "M8 1.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13z",
    late: "M8 1.900 14.100 8 8 14.100 1.900 8z",
    done: "M8 1.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zM6.900 11.300 3.800 8.200l1.100-1.100 2 2 4.200-4.200 1.100 1.100z",
    skipped: "M8 1.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zM5 8h6",
    pending: "M8 1.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zM8 4.600V8l2.300 1.500",
    answered: "M8 2.200a2.8 2.8 0 1 1 0 5.600 2.8 2.8 0 0 1 0-5.600zM2.700 14c.5-2.800 2.600-4 5.300-4s4.800 1.200 5.300 4",
    worked: "M4 2.500v11M8 2.500v11M12 2.500v11",
    byHand: "M5 3.5h6A1.5 1.5 0 0 1 12.5 5v6a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 11V5A1.5 1.5 0 0 1 5 3.5z",
    offline: "M2 2l12 12M5.2 5.3A4 4 0 0 0 4.6 7 2.9 2.9 0 0 0 5 12.8h7M7 3.8a4 4 0 0 1 4.9 3.5 2.8 2.8 0 0 1 2 4.2",
};

/**
 * @param {ShapeName} name
 * @returns {SVGSVGElement}
 */
export function createShape(name) {
    return svg(
        "svg",
        { class: `shape shape-${name}`, viewBox: "0 0 16 16", "aria-hidden": "true" },
        svg("path", { d: shapes[name] }),
    );
}

/**
 * Puts another shape in the place of one, unless it is there already.
 * @param {Element} slot
 * @param {ShapeName | null} name
 */
export function setShape(slot, name) {
    if (slot.getAttribute("data-shape") === (name ?? "")) return;
    slot.setAttribute("data-shape", name ?? "");
    slot.replaceChildren(...(name === null ? [] : [createShape(name)]));
}

/** @typedef {'chevronRight' | 'chevronDown' | 'back' | 'more' | 'handle' | 'zoomOut' | 'bucket'} IconName */

/** On a grid of 24. @type {Record<IconName, string>} */
const icons = {
    chevronRight: "M9 5.5 15.5 12 9 18.5",
    chevronDown: "M5.5 9 12 15.5 18.5 9",
    back: "M15 5 8 12l7 7",
    more: "M5.5 12h.01M12 12h.01M18.5 12h.01",
    handle: "M5 8.5h14M5 12h14M5 15.5h14",
    bucket: "M4.500 9h15l-1.800 11h-11.400zM6 9a6 5.500 0 0 1 12 0",
    zoomOut: "M4 12h16M4 12l3.5-3.5M4 12l3.5 3.5M20 12l-3.5-3.5M20 12l-3.5 3.5",
};

/**
 * @param {IconName} name
 * @param {string} [className]
 * @returns {SVGSVGElement}
 */
export function createIcon(name, className = "") {
    return svg(
        "svg",
        { class: `icon icon-${name} ${className}`.trim(), viewBox: "0 0 24 24", "aria-hidden": "true" },
        svg("path", { d: icons[name] }),
    );
}

let counter = 0;

/** A name for a part of a drawing that another part refers to. */
export function uniqueID() {
    counter += 1;
    return `drawing-${counter}`;
}

/**
 * The hatching that stands for "nobody was listening": slanting.
 * @returns {string} A value for `fill`.
 */
export const hatching = () => pattern("hatch", "rotate(45)");

/**
 * The comb that stands for "somebody worked": upright.
 * @returns {string} A value for `fill`.
 */
export const combing = () => pattern("comb", null);

/**
 * Parallel lines: one pattern for the whole page.
 * @param {string} id
 * @param {string | null} turn
 */
function pattern(id, turn) {
    if (!document.getElementById(id)) {
        const lines = svg(
            "pattern",
            { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: turn },
            svg("path", { class: "hatch-line", d: "M3 0v6" }),
        );
        document.body.append(
            svg("svg", { class: "hatch", width: 0, height: 0, "aria-hidden": "true" }, svg("defs", null, lines)),
        );
    }
    return `url(#${id})`;
}
