/** The way of a survey on a map without tiles: a line for each stretch, none across a gap, and where somebody is now. */

import { createMap } from "../../components/map/map.js";
import { positionOf } from "../../drawing/mercator.js";
import { set, svg } from "../../page/dom.js";

/** @typedef {import("../../water/field/trail.js").Segment} Segment */

/** @param {import("../../app/context.js").Context} context */
export function createTrailMap(context) {
    const line = svg("path", { class: "track-line" });
    const last = svg("circle", { class: "track-chosen", r: 7 });
    const drawing = svg("svg", { class: "track-drawing", "aria-hidden": "true" }, line, last);
    /** @type {readonly Segment[]} */
    let track = [];
    const map = createMap(context, {
        source: null,
        href: () => "",
        onFailure() {},
        overlay: {
            element: drawing,
            places: () => track.flat(),
            press() {},
            draw(view, size) {
                set(drawing, "viewBox", `0 0 ${size.width} ${size.height}`);
                const points = track.map((segment) => segment.map((fix) => positionOf(fix, view, size)));
                set(line, "d", points.map((stretch) => `M${stretch.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`).join(""));
                const end = points.at(-1)?.at(-1);
                set(last, "hidden", !end);
                set(last, "cx", end?.x ?? null);
                set(last, "cy", end?.y ?? null);
            },
        },
    });
    return {
        element: map.element,
        /** @param {readonly Segment[]} next */
        show(next) {
            if (next === track) return;
            track = next;
            map.fit();
        },
        remove: map.remove,
    };
}
