/**
 * A device in a list: name, place, state in a word, and its last 12 hours along the lower edge.
 */

import { h, set, setText } from "../../page/dom.js";
import { createIcon, setShape } from "../shape/shape.js";
import { createWaterline } from "../waterline/waterline.js";

/**
 * @typedef {object} DeviceCardModel
 * @property {string} name
 * @property {string} detail
 * @property {string} href Its water.
 * @property {{href: string, label: string}} more All else about it.
 * @property {import("../shape/shape.js").ShapeName | null} shape
 * @property {string} word
 * @property {boolean} isAlarm
 * @property {boolean} isAnswered Whether somebody is on it.
 * @property {import("../waterline/waterline.js").WaterlineModel} line
 */

/** @param {() => void} open Its water is wanted. */
export function createDeviceCard(open) {
    const name = h("span", { class: "device-card-name" });
    const detail = h("span", { class: "device-card-detail small quiet" });
    const shape = h("span");
    const word = h("span", { class: "small" });
    const line = createWaterline("card");
    const link = h(
        "a",
        { class: "device-card-link", onclick: open },
        h("span", { class: "device-card-text" }, name, detail),
        h("span", { class: "device-card-state" }, shape, word),
        line.element,
    );
    const more = h("a", { class: "device-card-more icon-button" }, createIcon("more"));
    const element = h("li", { class: "device-card surface" }, link, more);
    return {
        element,
        link,
        /** @param {DeviceCardModel} model */
        update(model) {
            set(link, "href", model.href);
            set(more, "href", model.more.href);
            set(more, "aria-label", model.more.label);
            set(element, "data-alarm", model.isAlarm);
            set(element, "data-answered", model.isAnswered);
            setText(name, model.name);
            setText(detail, model.detail);
            setShape(shape, model.shape);
            setText(word, model.word);
            line.update(model.line);
        },
        remove: line.remove,
    };
}
