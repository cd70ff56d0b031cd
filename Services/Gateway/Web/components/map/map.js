/**
 * A map that is dragged and zoomed, of tiles that the operator chose, with a mark for each place.
 *
 * The server of the tiles is told the origin of this service and nothing of the page: some servers refuse those who say
 * nothing, and nobody needs to know more.
 */

import { addressOf, bounded, dragged, fitting, positionOf, tilesOf, zoomedTo } from "../../drawing/mercator.js";
import { h, set, setText } from "../../page/dom.js";
import { setShape } from "../shape/shape.js";
import { createSymbol } from "../symbol/symbol.js";

/** @typedef {import("../../drawing/mercator.js").View} View */
/** @typedef {import("../../drawing/mercator.js").Point} Point */

/**
 * @typedef {object} MapPlace
 * @property {string} id
 * @property {number} latitude
 * @property {number} longitude
 * @property {string} name
 * @property {string} state In words.
 * @property {import("../shape/shape.js").ShapeName | null} shape
 * @property {boolean} isAlarm
 * @property {string} href
 */

/**
 * @typedef {object} MapSource
 * @property {string} tiles The template of their addresses.
 * @property {string} attribution
 * @property {string | null} attributionLink
 */

const margin = 80;
/** What one press of an arrow moves, as a share of the window. */
const step = 0.25;

/**
 * @param {object} model
 * @param {MapSource} model.source
 * @param {{label: string, help: string, closer: string, wider: string}} model.words
 * @param {() => void} model.onFailure No picture came.
 */
export function createMap({ source, words, onFailure }) {
    const ground = h("div", { class: "map-ground", "aria-hidden": "true" });
    const marks = h("ul", { class: "map-marks" });
    const help = h("p", { class: "visually-hidden", id: "map-help" }, words.help);
    const window = h("div", {
        class: "map-window",
        role: "group",
        tabindex: "0",
        "aria-label": words.label,
        "aria-describedby": help.id,
    }, ground, marks);
    const closer = h("button", { class: "map-button", type: "button", "aria-label": words.closer, onclick: () => zoom(1) }, createSymbol("plus"));
    const wider = h("button", { class: "map-button", type: "button", "aria-label": words.wider, onclick: () => zoom(-1) }, createSymbol("minus"));
    const attribution = h(
        "p",
        { class: "map-attribution" },
        source.attributionLink === null
            ? source.attribution
            : h("a", { href: source.attributionLink, target: "_blank", rel: "noopener noreferrer" }, source.attribution),
    );
    const element = h("div", { class: "map" }, window, help, h("div", { class: "map-buttons" }, closer, wider), attribution);

    let size = { width: 0, height: 0 };
    /** @type {View | null} */
    let view = null;
    /** @type {readonly MapPlace[]} */
    let places = [];
    /** @type {Map<string, HTMLImageElement>} */
    const tiles = new Map();
    /** @type {Map<string, {item: HTMLLIElement, link: HTMLAnchorElement, shape: HTMLElement, name: HTMLElement}>} */
    const made = new Map();
    let hasLoaded = false;
    /** Fingers and buttons that are down. @type {Map<number, Point>} */
    const pointers = new Map();
    let wasDragged = false;

    const observer = new ResizeObserver(([entry]) => {
        const { width, height } = entry.contentRect;
        if (width === size.width && height === size.height) return;
        size = { width, height };
        if (view) view = bounded(view, size);
        draw();
    });
    observer.observe(window);

    function draw() {
        if (size.width === 0 || size.height === 0 || places.length === 0) return;
        view ??= fitting(places, size, margin);
        drawTiles(view);
        drawMarks(view);
    }

    /** @param {View} shown */
    function drawTiles(shown) {
        const wanted = new Set();
        for (const tile of tilesOf(shown, size)) {
            // A narrow earth is seen more than once.
            const key = `${tile.z}/${tile.x}/${tile.y} ${Math.round((tile.left + shown.x * 2 ** tile.z * tile.size) / tile.size)}`;
            wanted.add(key);
            const image = tiles.get(key) ?? request(tile);
            tiles.set(key, image);
            const side = `${Math.ceil(tile.size)}px`;
            image.style.width = side;
            image.style.height = side;
            image.style.transform = `translate(${tile.left.toFixed(2)}px, ${tile.top.toFixed(2)}px)`;
        }
        for (const [key, image] of tiles) {
            if (wanted.has(key)) continue;
            image.src = "";
            image.remove();
            tiles.delete(key);
        }
    }

    /** @param {import("../../drawing/mercator.js").Tile} tile */
    function request(tile) {
        const image = h("img", { class: "map-tile", alt: "", draggable: "false", decoding: "async" });
        image.referrerPolicy = "strict-origin";
        image.addEventListener("load", () => {
            hasLoaded = true;
            set(image, "data-here", true);
        });
        image.addEventListener("error", () => {
            if (!image.isConnected) return;
            const all = [...tiles.values()];
            set(image, "data-missing", true);
            if (!hasLoaded && all.every((other) => other.hasAttribute("data-missing"))) onFailure();
        });
        image.src = addressOf(source.tiles, tile);
        ground.append(image);
        return image;
    }

    /** @param {View} shown */
    function drawMarks(shown) {
        for (const place of places) {
            const mark = markOf(place);
            const { x, y } = positionOf(place, shown, size);
            mark.item.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
            // What lies outside of the window is not reached by the keyboard either; the list below has everything.
            set(mark.item, "hidden", x < 0 || y < 0 || x > size.width || y > size.height);
            set(mark.link, "href", place.href);
            set(mark.item, "data-alarm", place.isAlarm);
            set(mark.link, "aria-label", `${place.name}, ${place.state}`);
            setShape(mark.shape, place.shape ?? "fine");
            setText(mark.name, place.name);
        }
        for (const [id, { item }] of made) {
            if (places.some((place) => place.id === id)) continue;
            item.remove();
            made.delete(id);
        }
    }

    /** @param {MapPlace} place */
    function markOf({ id }) {
        const known = made.get(id);
        if (known) return known;
        const shape = h("span", { class: "map-shape" });
        const name = h("span", { class: "map-name" });
        const link = h("a", { class: "map-mark", draggable: "false" }, shape, name);
        link.addEventListener("click", (event) => {
            if (wasDragged) event.preventDefault();
        });
        const mark = { item: h("li", null, link), link, shape, name };
        marks.append(mark.item);
        made.set(id, mark);
        return mark;
    }

    /** @param {View | null} next */
    function look(next) {
        if (!next) return;
        view = next;
        draw();
    }

    /**
     * @param {number} by Levels.
     * @param {Point} [at]
     */
    function zoom(by, at = { x: size.width / 2, y: size.height / 2 }) {
        if (view) look(zoomedTo(view, Math.round(view.zoom + by), at, size));
    }

    /** @param {MouseEvent} event */
    function pointUnder(event) {
        const box = window.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    // MARK: Touch and mouse

    window.addEventListener("pointerdown", (event) => {
        if (event.pointerType === "mouse" && event.button !== 0) return;
        if (pointers.size === 0) wasDragged = false;
        pointers.set(event.pointerId, pointUnder(event));
    });

    window.addEventListener("pointermove", (event) => {
        const before = pointers.get(event.pointerId);
        if (!before || !view) return;
        const at = pointUnder(event);
        if (!wasDragged && Math.hypot(at.x - before.x, at.y - before.y) < 4) return;
        if (!wasDragged) window.setPointerCapture(event.pointerId);
        wasDragged = true;
        pointers.set(event.pointerId, at);
        if (pointers.size === 1) return look(dragged(view, { x: at.x - before.x, y: at.y - before.y }, size));
        const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
        if (!other || pointers.size > 2) return;
        const ratio = Math.hypot(at.x - other.x, at.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
        look(zoomedTo(view, view.zoom + Math.log2(Math.max(0.1, ratio)), other, size));
    });

    /** @param {PointerEvent} event */
    function release(event) {
        pointers.delete(event.pointerId);
    }
    window.addEventListener("pointerup", release);
    window.addEventListener("pointercancel", release);

    window.addEventListener("dblclick", (event) => zoom(1, pointUnder(event)));

    window.addEventListener("wheel", (event) => {
        // The page scrolls, unless the map was chosen before, or the fingers on a touchpad pinch.
        if (!view || (!event.ctrlKey && !window.matches(":focus-within"))) return;
        event.preventDefault();
        look(zoomedTo(view, view.zoom - event.deltaY / (event.ctrlKey ? 60 : 240), pointUnder(event), size));
    }, { passive: false });

    // MARK: Keyboard

    window.addEventListener("keydown", (event) => {
        if (!view || event.altKey || event.metaKey || event.ctrlKey) return;
        const [x, y] = [size.width * step, size.height * step];
        /** @type {Record<string, () => void>} */
        const keys = {
            ArrowLeft: () => view && look(dragged(view, { x, y: 0 }, size)),
            ArrowRight: () => view && look(dragged(view, { x: -x, y: 0 }, size)),
            ArrowUp: () => view && look(dragged(view, { x: 0, y }, size)),
            ArrowDown: () => view && look(dragged(view, { x: 0, y: -y }, size)),
            "+": () => zoom(1),
            "=": () => zoom(1),
            "-": () => zoom(-1),
            "0": () => look(fitting(places, size, margin)),
        };
        if (!keys[event.key]) return;
        keys[event.key]();
        event.preventDefault();
    });

    return {
        element,
        /** @param {readonly MapPlace[]} next */
        update(next) {
            places = next;
            draw();
        },
        remove() {
            observer.disconnect();
            for (const image of tiles.values()) image.src = "";
            element.remove();
        },
    };
}
