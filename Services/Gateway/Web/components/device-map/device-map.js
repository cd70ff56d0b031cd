/**
 * A map of devices: on the pictures that the operator chose where there are any, else on lines with a scale, which also stand in while there is no
 * connection or the pictures do not come.
 */

import { h, set } from "../../page/dom.js";
import { createMap } from "../map/map.js";

/** @typedef {import("../map/map.js").MapPlace} MapPlace */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} parts
 * @param {(id: string) => string} parts.href Where a mark leads.
 * @param {(id: string) => void} [parts.open] It was followed.
 */
export function createDeviceMap(context, { href, open }) {
    const { api, t, store } = context;
    const trouble = h(
        "div",
        { class: "map-trouble", role: "status", hidden: true },
        h("p", null, t("devices.map_failed")),
        h("button", { class: "button button-outlined", type: "button", onclick: retry }, t("devices.map_again")),
    );
    const place = h("div", { class: "map-place", "data-waiting": "" });
    const note = h("p", { class: "small quiet map-note" });
    const element = h("div", null, trouble, place, note);
    /** Where pictures come from; null: there are none; undefined: nobody knows. @type {import("../map/map.js").MapSource | null | undefined} */
    let source;
    let isAsked = false;
    let hasFailed = false;
    let isGone = false;
    /** @type {readonly MapPlace[]} */
    let places = [];
    /** The map that stands, and of what it is. @type {{map: ReturnType<typeof createMap>, source: import("../map/map.js").MapSource | null} | null} */
    let standing = null;

    async function read() {
        try {
            const { data } = await api.get("/map");
            source = data.tiles === null ? null : data;
        } catch {
            source = undefined;
        }
        isAsked = true;
        if (!isGone) draw();
    }

    function draw() {
        // Nothing is drawn that would give way to a map a moment later.
        set(place, "data-waiting", !isAsked);
        if (!isAsked) return;
        const wanted = source && !hasFailed && store.connection.value.state !== "offline" ? source : null;
        if (standing?.source !== wanted) {
            standing?.map.remove();
            standing = { map: createMap(context, { source: wanted, href, open, onFailure: fail }), source: wanted };
            place.replaceChildren(standing.map.element);
        }
        set(trouble, "hidden", !hasFailed);
        note.textContent = wanted
            ? t("devices.map_text", { host: new URL(wanted.tiles.replace(/[{}]/g, "")).host })
            : t(source === null ? "devices.chart_text" : "devices.chart_plain");
        standing.map.update(places);
    }

    function fail() {
        hasFailed = true;
        draw();
    }

    function retry() {
        hasFailed = false;
        draw();
    }

    void read();
    return {
        element,
        /** @param {readonly MapPlace[]} next Those in front first. */
        update(next) {
            places = next;
            draw();
        },
        remove() {
            isGone = true;
            standing?.map.remove();
        },
    };
}
