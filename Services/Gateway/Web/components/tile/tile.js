/** A tank among many, as a tile of a grid or a row of a list: its name, one number, its state unless it is fine, its last 12 hours. */

import { h, set, setText } from "../../page/dom.js";
import { setShape } from "../shape/shape.js";
import { createWaterline } from "../waterline/waterline.js";

/**
 * @typedef {object} TileModel
 * @property {string} id
 * @property {string} name
 * @property {string} value The number beside the name; empty where there is none.
 * @property {import("../../water/overview.js").Mood} mood
 * @property {import("../shape/shape.js").ShapeName | null} shape
 * @property {string} word Its state, or what the number is of.
 * @property {string} label All of it for readers.
 * @property {boolean} isHere Whether the number is of what is outside.
 * @property {boolean} isOld Whether there is no connection.
 * @property {boolean} [isSite] Whether it is a place without a device.
 * @property {import("../waterline/waterline.js").WaterlineModel | null} line null: it is flat, and nothing has to be drawn.
 */

/**
 * @param {(id: string) => void} open Its water is wanted.
 * @returns {import("../../page/keyed.js").Item<TileModel> & {link: HTMLAnchorElement}}
 */
export function createTile(open) {
    const name = h("span", { class: "tile-name" });
    const value = h("span", { class: "tile-value" });
    const shape = h("span");
    const word = h("span");
    const state = h("span", { class: "tile-state" }, shape, word);
    const flat = h("span", { class: "tile-line" });
    /** @type {ReturnType<typeof createWaterline> | null} */
    let line = null;
    let id = "";
    const link = h("a", { class: "tile", href: "/", onclick: () => open(id) }, name, value, state, flat);
    const element = h("li", null, link);

    return {
        element,
        link,
        update(model) {
            id = model.id;
            set(link, "data-mood", model.mood);
            set(link, "data-here", model.isHere);
            set(link, "data-old", model.isOld);
            set(link, "aria-label", model.label);
            setText(name, model.name);
            setText(value, model.value);
            setShape(shape, model.shape);
            setText(word, model.word);
            if (model.line === null) {
                line?.remove();
                line = null;
                flat.replaceChildren();
            } else {
                if (!line) flat.append((line = createWaterline("tile")).element);
                line.update(model.line);
            }
        },
        remove: () => line?.remove(),
    };
}
