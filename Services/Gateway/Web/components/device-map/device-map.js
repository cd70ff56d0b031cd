/**
 * A map of devices, or of what is drawn over it: on the pictures that the operator chose where there are any, else on lines with a scale, which
 * also stand in while there is no connection or the pictures do not come. Pictures of the service's own are shown without a connection as well, as far
 * as they were kept.
 */

import { h, set } from "../../page/dom.js";
import { createMap } from "../map/map.js";
import { createSymbol } from "../symbol/symbol.js";

/** @typedef {import("../map/map.js").MapPlace} MapPlace */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} parts
 * @param {(id: string) => string} parts.href Where a mark leads.
 * @param {(id: string) => void} [parts.open] It was followed.
 * @param {(wish: {source: import("../map/map.js").MapSource, bounds: import("../../drawing/areas.js").Bounds, zoom: number}) => Promise<void>} [parts.save]
 *     Asks how near the part of the service's own map that is in the window is to be kept on this device.
 * @param {import("../map/map.js").Overlay | null} [parts.overlay]
 * @param {(place: import("../../drawing/mercator.js").Place) => boolean} [parts.press] A place was pressed; true: that was taken.
 * @param {() => void} [parts.ready] Where pictures come from is known, or that nobody knows.
 */
export function createDeviceMap(context, { href, open, save, overlay = null, press, ready }) {
    const { api, t, store } = context;
    const trouble = h(
        "div",
        { class: "map-trouble", role: "status", hidden: true },
        h("p", null, t("devices.map_failed")),
        h("button", { class: "button button-outlined", type: "button", onclick: retry }, t("devices.map_again")),
    );
    const place = h("div", { class: "map-place", "data-waiting": "" });
    const note = h("p", { class: "small quiet map-note" });
    const keeping = h(
        "p",
        { class: "map-keeping", hidden: true },
        h("button", { class: "button button-text", type: "button", onclick: () => void saveArea() }, createSymbol("download"), t("maps.save")),
        h("a", { class: "button button-text", href: "/saved-maps" }, t("maps.title")),
    );
    const element = h("div", null, trouble, place, note, keeping);
    /** Where pictures come from; null: there are none; undefined: nobody knows. @type {import("../map/map.js").MapSource | null | undefined} */
    let source;
    let isAsked = false;
    let hasFailed = false;
    let isGone = false;
    /** @type {readonly MapPlace[]} */
    let places = [];
    /** The map that stands, and of what it is. @type {{map: ReturnType<typeof createMap>, source: import("../map/map.js").MapSource | null} | null} */
    let standing = null;

    /** Whether this browser shows pictures that were kept. */
    const canKeep = () => typeof caches !== "undefined" && Boolean(navigator.serviceWorker?.controller);

    async function read() {
        try {
            const { data } = await api.get("/map");
            source = data.tiles === null ? null : data;
            void store.keep("map", data.own ? data : null);
        } catch {
            // Areas of the service's own map may be here.
            source = await store.kept("map") ?? undefined;
        }
        isAsked = true;
        if (isGone) return;
        draw();
        ready?.();
    }

    function draw() {
        // Nothing is drawn that would give way to a map a moment later.
        set(place, "data-waiting", !isAsked);
        if (!isAsked) return;
        const wanted = source && (source.own || (!hasFailed && store.connection.value.state !== "offline")) ? source : null;
        if (standing?.source !== wanted) {
            standing?.map.remove();
            standing = { map: createMap(context, { source: wanted, href, open, overlay, press, onFailure: fail }), source: wanted };
            place.replaceChildren(standing.map.element);
        }
        set(trouble, "hidden", !hasFailed);
        set(keeping, "hidden", !save || !wanted?.own || !canKeep());
        note.textContent = wanted?.own
            ? t("maps.own")
            : wanted
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

    async function saveArea() {
        const area = standing?.map.area();
        if (!save || !area || !source?.own) return;
        try {
            await save({ source, ...area });
        } catch {
            context.toast({ text: t("common.failed") });
        }
    }

    void read();
    return {
        element,
        /** @param {readonly MapPlace[]} next Those in front first. */
        update(next) {
            places = next;
            draw();
        },
        /** Draws what stands over the map once more. */
        redraw: () => standing?.map.draw(),
        fit: () => standing?.map.fit(),
        /** @param {import("../../drawing/mercator.js").Place} place */
        centre: (place) => standing?.map.centre(place),
        middle: () => standing?.map.middle() ?? null,
        /** The service's own map, of which parts can be kept on this device, and how near it is shown; null: there is none. */
        own() {
            return source?.own && canKeep() ? { source, zoom: standing?.map.area()?.zoom ?? source.own.leastZoom } : null;
        },
        remove() {
            isGone = true;
            standing?.map.remove();
        },
    };
}
