/** The position of a sample set on a map, where nothing finds it well enough: by a tap, or in the middle of what is seen. */

import { createButton } from "../../components/button/button.js";
import { createMap } from "../../components/map/map.js";
import { placeOf, positionOf } from "../../drawing/mercator.js";
import { h, set, svg } from "../../page/dom.js";

/** @typedef {import("../../water/field/draft.js").Position} Position */
/** @typedef {{latitude: number, longitude: number}} Place */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {Place} from What the map shows at first.
 * @param {(position: Position) => void} take
 */
export async function openPin(context, from, take) {
    const { t, api } = context;
    const source = await api.get("/map").then(({ data }) => data.tiles ? data : null).catch(() => null);
    /** @type {Place} */
    let place = from;
    /** @type {{view: import("../../drawing/mercator.js").View, size: import("../../drawing/mercator.js").Size} | null} */
    let shown = null;
    const pin = svg("circle", { class: "track-chosen", r: 9 });
    const drawing = svg("svg", { class: "track-drawing", "aria-hidden": "true" }, pin);

    /** @param {{x: number, y: number}} at Of the window, in pixels. */
    function put(at) {
        if (!shown) return;
        const { view, size } = shown;
        const world = 256 * 2 ** view.zoom;
        place = placeOf({ x: view.x + (at.x - size.width / 2) / world, y: view.y + (at.y - size.height / 2) / world });
        map.draw();
    }

    const map = createMap(context, {
        source,
        href: () => "",
        onFailure() {},
        overlay: {
            element: drawing,
            places: () => [from],
            press: put,
            draw(view, size) {
                shown = { view, size };
                const { x, y } = positionOf(place, view, size);
                set(drawing, "viewBox", `0 0 ${size.width} ${size.height}`);
                set(pin, "cx", x);
                set(pin, "cy", y);
            },
        },
    });
    const middle = createButton({ text: t("field.pin_middle"), press: () => void (shown && put({ x: shown.size.width / 2, y: shown.size.height / 2 })) });
    const save = createButton({
        text: t("common.save"),
        kind: "primary",
        press() {
            // To about ten centimetres: a finger is no finer.
            const [latitude, longitude] = [place.latitude, place.longitude].map((degrees) => Math.round(degrees * 1e6) / 1e6);
            take({ latitude, longitude, accuracy: null, altitude: null, source: "map" });
            sheet.close();
        },
    });
    const sheet = context.sheet({ title: t("field.pin"), lead: t("field.pin_text"), body: [h("div", { class: "form" }, map.element, middle.element, save.element)], onClose: map.remove });
    map.fit();
}
