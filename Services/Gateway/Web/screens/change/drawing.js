/** An outline that is being drawn: a corner with each press, or with Enter in the middle of the map, or around the points that are shown. */

import { corners, crosses, outlineAround, rounded } from "../../water/outline.js";
import { h, set, setText } from "../../page/dom.js";

/** @typedef {import("../../water/change.js").Place} Place */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} parts
 * @param {() => readonly Place[]} parts.points What an outline may be drawn around.
 * @param {() => void} parts.changed Its corners are others, or it has begun or ended.
 */
export function createDrawing({ t }, { points, changed }) {
    /** @type {Place[] | null} */
    let outline = null;
    /** @type {((outline: Place[]) => void) | null} */
    let finish = null;
    const told = h("p", { class: "small quiet", role: "status" });
    const back = createButton("changeMap.corner_back", () => take(outline?.slice(0, -1) ?? []));
    const around = createButton("changeMap.corner_around", () => take(outlineAround(points())));
    const cancel = createButton("changeMap.drawing_cancel", end);
    const done = createButton("changeMap.drawing_done", () => {
        const [drawn, then] = [outline, finish];
        if (!drawn || !then) return;
        then(drawn);
    }, "button-primary");
    const element = h(
        "section",
        { class: "change-drawing surface", hidden: true, "aria-label": t("changeMap.zone_add") },
        h("p", null, t("changeMap.drawing_text")),
        told,
        h("div", { class: "change-buttons" }, back, around, cancel, done),
    );

    /**
     * @param {string} word
     * @param {() => void} press
     * @param {string} [kind]
     */
    function createButton(word, press, kind = "") {
        return h("button", { class: `button ${kind}`.trim(), type: "button", onclick: press }, t(word));
    }

    /** @param {Place[]} next */
    function take(next) {
        outline = next;
        show();
        changed();
    }

    function show() {
        set(element, "hidden", outline === null);
        if (!outline) return;
        const isCrossing = crosses(outline);
        setText(told, isCrossing ? t("changeMap.corners_cross") : t("changeMap.corners", { count: outline.length }));
        set(back, "disabled", outline.length === 0);
        set(around, "hidden", points().length === 0);
        set(done, "disabled", outline.length < corners.least || isCrossing);
    }

    function end() {
        outline = null;
        finish = null;
        show();
        changed();
    }

    return {
        element,
        outline: () => outline,
        end,

        /**
         * @param {readonly Place[]} from The corners that it has already.
         * @param {(outline: Place[]) => void} then
         */
        begin(from, then) {
            finish = then;
            take([...from]);
        },

        /** @param {Place} place */
        add({ latitude, longitude }) {
            if (!outline || outline.length >= corners.most) return;
            const corner = { latitude: rounded(latitude), longitude: rounded(longitude) };
            if (outline.some((other) => other.latitude === corner.latitude && other.longitude === corner.longitude)) return;
            take([...outline, corner]);
        },
    };
}
