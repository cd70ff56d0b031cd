/**
 * A device in a list: name, place, state in a word, and its last 12 hours along the lower edge.
 */

import { h, set, setText } from "../../app/dom.js";
import { setShape } from "../shape/shape.js";
import { createWaterline } from "../waterline/waterline.js";

/**
 * @typedef {object} DeviceCardModel
 * @property {string} name
 * @property {string} detail
 * @property {string} href
 * @property {import("../shape/shape.js").ShapeName | null} shape
 * @property {string} word
 * @property {boolean} isAlarm
 * @property {import("../waterline/waterline.js").WaterlineModel} line
 */

export function createDeviceCard() {
    const name = h("span", { class: "device-card-name" });
    const detail = h("span", { class: "device-card-detail small quiet" });
    const shape = h("span", { class: "device-card-shape" });
    const word = h("span", { class: "device-card-word small" });
    const line = createWaterline("card");
    const link = h(
        "a",
        { class: "device-card-link" },
        h("span", { class: "device-card-text" }, name, detail),
        h("span", { class: "device-card-state" }, shape, word),
        line.element,
    );
    const element = h("li", { class: "device-card surface" }, link);
    return {
        element,
        link,
        /** @param {DeviceCardModel} model */
        update(model) {
            set(link, "href", model.href);
            set(element, "data-alarm", model.isAlarm);
            setText(name, model.name);
            setText(detail, model.detail);
            setShape(shape, model.shape);
            setText(word, model.word);
            line.update(model.line);
        },
        remove: line.remove,
    };
}
