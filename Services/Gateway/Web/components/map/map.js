/**
 * A map that is dragged and zoomed, of tiles that the operator chose, with a mark for each place, or with what is drawn over it; without tiles, of
 * lines and a scale alone, which also show where a map of the service's own has no tile.
 */

import { bounded, dragged, fitting, placeAt, placeOf, pointOf, positionOf, shiftOf, zoomedTo } from "../../drawing/mercator.js";
import { boundsOf } from "../../drawing/areas.js";
import { graticuleOf, metresOfPixel, scaleOf } from "../../drawing/graticule.js";
import { h, set, setText, svg } from "../../page/dom.js";
import { createPlaceMarks } from "../place-marks/place-marks.js";
import { createSymbol } from "../symbol/symbol.js";
import { createGround } from "./ground.js";

/** @typedef {import("../../drawing/mercator.js").View} View */
/** @typedef {import("../../drawing/mercator.js").Point} Point */

/** @typedef {import("../place-marks/place-marks.js").Marked & {latitude: number, longitude: number}} MapPlace */

/**
 * @typedef {object} MapSource
 * @property {string} tiles The template of their addresses.
 * @property {string} attribution
 * @property {string | null} attributionLink
 * @property {import("../../drawing/areas.js").Extent | null} [own] The extent of a map that the service has itself.
 */

/**
 * A drawing over the map, such as the way of a boat. While the map is dragged, what was drawn is moved: it reaches over the window's edges by `beyond`.
 * @typedef {object} Overlay
 * @property {Element} element
 * @property {() => readonly {latitude: number, longitude: number}[]} places What the map shows at first.
 * @property {(view: View, size: {width: number, height: number}) => void} draw
 * @property {(at: Point) => void} press The map was pressed there.
 */

/** Pixels over which a map can be dragged until it is drawn again, and by which drawings reach over each edge of the window. */
export const beyond = 128;
/** A finger that stays for so long is at rest, in milliseconds. */
const rest = 150;
const margin = 80;
/** Around what is drawn over it. */
const edge = 28;
/** What one press of an arrow moves, as a share of the window. */
const step = 0.25;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {MapSource | null} model.source null: no tiles.
 * @param {(id: string) => string} model.href Where a mark leads.
 * @param {(id: string) => void} [model.open] It was followed.
 * @param {Overlay | null} [model.overlay]
 * @param {(place: import("../../drawing/mercator.js").Place) => boolean} [model.press] A place was pressed, or the middle by Enter; true: that was taken.
 * @param {() => void} model.onFailure No picture came.
 */
export function createMap(context, { source, href, open, overlay = null, press, onFailure }) {
    const { t, format } = context;
    const words = { label: t("devices.map"), help: t("devices.map_help"), closer: t("devices.map_closer"), wider: t("devices.map_wider") };
    const ground = source && createGround(source, onFailure);
    const lines = svg("svg", { class: "map-lines", "aria-hidden": "true" });
    const scale = h("p", { class: "map-scale", "aria-hidden": "true" });
    const marks = createPlaceMarks(context, { className: "map-marks", href, open });
    const help = h("p", { class: "visually-hidden", id: "map-help" }, words.help);
    // A drag moves all of this together.
    const plane = h("div", { class: "map-plane" }, !source || source.own ? lines : null, ground?.element, overlay?.element, marks.element);
    const window = h("div", {
        class: "map-window",
        role: "group",
        tabindex: "0",
        "aria-label": words.label,
        "aria-describedby": help.id,
    }, plane, scale);
    const closer = h("button", { class: "map-button", type: "button", "aria-label": words.closer, onclick: () => zoom(1) }, createSymbol("plus"));
    const wider = h("button", { class: "map-button", type: "button", "aria-label": words.wider, onclick: () => zoom(-1) }, createSymbol("minus"));
    const attribution = source && h(
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
    /** The view for which everything was drawn. @type {View | null} */
    let drawn = null;
    /** The next picture of the screen, in which a drag is shown. @type {number | undefined} */
    let frame;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let resting;
    /** @type {readonly MapPlace[]} */
    let places = [];
    /** Fingers and buttons that are down. @type {Map<number, Point>} */
    const pointers = new Map();
    /** Where the window is while something is down. @type {DOMRect | undefined} */
    let held;
    let wasDragged = false;
    let wasMoved = false;

    const observer = new ResizeObserver(([entry]) => {
        const { width, height } = entry.contentRect;
        if (width === size.width && height === size.height) return;
        size = { width, height };
        if (view) view = bounded(view, size);
        draw();
    });
    observer.observe(window);

    function draw() {
        forgetMove();
        const all = overlay ? overlay.places() : places;
        if (size.width === 0 || size.height === 0 || all.length === 0) return;
        view ??= fitted();
        drawn = view;
        plane.style.transform = "";
        if (!source || source.own) drawLines(view);
        ground?.draw(view, size);
        drawScale(view);
        drawMarks(view);
        overlay?.draw(view, size);
    }

    /** Shows a drag in the next picture, however many steps it has until then: what is drawn is moved as far as it reaches. */
    function move() {
        frame = undefined;
        if (!view) return;
        const shift = drawn && shiftOf(drawn, view);
        if (!shift || Math.abs(shift.x) > beyond || Math.abs(shift.y) > beyond) return draw();
        plane.style.transform = `translate(${shift.x.toFixed(2)}px, ${shift.y.toFixed(2)}px)`;
        ground?.draw(view, size, shift);
        clearTimeout(resting);
        resting = setTimeout(draw, rest);
    }

    /** Draws what is only moved yet. */
    function settle() {
        if (frame !== undefined || resting !== undefined) draw();
    }

    function forgetMove() {
        if (frame !== undefined) cancelAnimationFrame(frame);
        clearTimeout(resting);
        frame = undefined;
        resting = undefined;
    }

    function fitted() {
        return overlay ? fitting(overlay.places(), size, edge) : fitting(places, size, margin);
    }

    /** @param {View} shown */
    function drawLines(shown) {
        const { meridians, parallels, step } = graticuleOf(shown, { width: size.width + 2 * beyond, height: size.height + 2 * beyond });
        const decimals = Math.max(0, -Math.floor(Math.log10(step)));
        /** @param {number} degrees */
        const named = (degrees) => `${format.number(degrees, decimals)}°`;
        set(lines, "viewBox", `0 0 ${size.width} ${size.height}`);
        lines.replaceChildren(
            svg("path", {
                d: [
                    ...meridians.map(({ at }) => `M${at - beyond} ${-beyond}V${size.height + beyond}`),
                    ...parallels.map(({ at }) => `M${-beyond} ${at - beyond}H${size.width + beyond}`),
                ].join(""),
            }),
            ...meridians.map(({ at, degrees }) => ({ x: at - beyond + 4, degrees })).filter(({ x }) => x >= 4 && x <= size.width + 4)
                .map(({ x, degrees }) => svg("text", { x, y: 16 }, named(degrees))),
            ...parallels.map(({ at, degrees }) => ({ y: at - beyond - 4, degrees })).filter(({ y }) => y > 28 && y <= size.height - 4)
                .map(({ y, degrees }) => svg("text", { x: 4, y }, named(degrees))),
        );
    }

    /** @param {View} shown */
    function drawScale(shown) {
        const metres = metresOfPixel(shown);
        const length = scaleOf(metres * size.width);
        scale.style.width = `${(length / metres).toFixed(1)}px`;
        setText(scale, length >= 1_000 ? `${format.number(length / 1_000, 0)} km` : `${format.number(length, length < 1 ? 1 : 0)} m`);
    }

    /** @param {View} shown */
    function drawMarks(shown) {
        marks.update(places.map((place) => ({ ...place, ...positionOf(place, shown, size) })), size);
    }

    /** @param {View | null} next */
    function look(next) {
        if (!next) return;
        wasMoved = true;
        view = next;
        draw();
    }

    /** Looks elsewhere under fingers, which move more often than the screen shows. @param {View} next */
    function follow(next) {
        wasMoved = true;
        view = next;
        frame ??= requestAnimationFrame(move);
    }

    /**
     * @param {number} by Levels.
     * @param {Point} [at]
     */
    function zoom(by, at = { x: size.width / 2, y: size.height / 2 }) {
        if (view) look(zoomedTo(view, Math.round(view.zoom + by), at, size));
    }

    /**
     * @param {MouseEvent} event
     * @param {DOMRect} [box] Where the window is, if that is known: to ask costs a layout.
     */
    function pointUnder(event, box = window.getBoundingClientRect()) {
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    // MARK: Touch and mouse

    window.addEventListener("pointerdown", (event) => {
        if (event.pointerType === "mouse" && event.button !== 0) return;
        if (pointers.size === 0) {
            wasDragged = false;
            held = window.getBoundingClientRect();
        }
        pointers.set(event.pointerId, pointUnder(event, held));
    });

    window.addEventListener("pointermove", (event) => {
        const before = pointers.get(event.pointerId);
        if (!before || !view) return;
        if (event.buttons === 0) return release(event); // let go outside of the window
        const at = pointUnder(event, held);
        if (!wasDragged && Math.hypot(at.x - before.x, at.y - before.y) < 4) return;
        if (!wasDragged) window.setPointerCapture(event.pointerId);
        wasDragged = true;
        pointers.set(event.pointerId, at);
        if (pointers.size === 1) return follow(dragged(view, { x: at.x - before.x, y: at.y - before.y }, size));
        const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
        if (!other || pointers.size > 2) return;
        const ratio = Math.hypot(at.x - other.x, at.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
        follow(zoomedTo(view, view.zoom + Math.log2(Math.max(0.1, ratio)), other, size));
    });

    /** @param {PointerEvent} event */
    function release(event) {
        pointers.delete(event.pointerId);
        if (pointers.size === 0) settle();
    }
    window.addEventListener("pointerup", release);
    window.addEventListener("pointercancel", release);

    // A mark under the finger that drags is not pressed.
    window.addEventListener("click", (event) => {
        // A mark that is pressed by a key is meant itself, after a drag too, and wherever that says the pointer is.
        if (event.detail === 0) return;
        if (wasDragged) return event.preventDefault();
        settle();
        const isTaken = view && press?.(placeAt(pointUnder(event), view, size));
        if (isTaken) event.preventDefault();
        else overlay?.press(pointUnder(event));
    }, { capture: true });

    window.addEventListener("dblclick", (event) => zoom(1, pointUnder(event)));

    window.addEventListener("wheel", (event) => {
        // The page scrolls, unless the map was chosen before, or the fingers on a touchpad pinch.
        if (!view || (!event.ctrlKey && !window.matches(":focus-within"))) return;
        event.preventDefault();
        follow(zoomedTo(view, view.zoom - event.deltaY / (event.ctrlKey ? 60 : 240), pointUnder(event), size));
    }, { passive: false });

    // MARK: Keyboard

    window.addEventListener("keydown", (event) => {
        if (!view || event.altKey || event.metaKey || event.ctrlKey) return;
        if (event.key === "Enter" && event.target === window && press?.(placeOf(view))) return event.preventDefault();
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
            "0": () => look(fitted()),
        };
        if (!keys[event.key]) return;
        keys[event.key]();
        event.preventDefault();
    });

    return {
        element,
        draw,
        /** The part of the world that is in the window; null: nothing is yet. */
        area: () => view && { bounds: boundsOf(view, size), zoom: view.zoom },
        /** Shows all of it, wherever somebody has moved it. */
        fit() {
            view = null;
            draw();
        },
        /**
         * Brings a place into the middle, near enough to see what is around it.
         * @param {import("../../drawing/mercator.js").Place} place
         */
        centre(place) {
            if (view) look(bounded({ ...pointOf(place), zoom: Math.max(view.zoom, 14) }, size));
        },
        /** The place in the middle; null: nothing is shown yet. */
        middle: () => view && placeOf(view),
        /** @param {readonly MapPlace[]} next Those in front first. */
        update(next) {
            // Another place than those that were fitted is looked for, unless the person has moved the map.
            if (view !== null && !wasMoved && !isSame(places, next)) view = null;
            places = next;
            if (places.length === 0) marks.update([], size);
            draw();
        },
        remove() {
            forgetMove();
            observer.disconnect();
            ground?.remove();
            element.remove();
        },
    };
}

/**
 * Whether the same places are shown.
 * @param {readonly MapPlace[]} one
 * @param {readonly MapPlace[]} other
 */
function isSame(one, other) {
    const had = new Map(one.map(({ id, latitude, longitude }) => [id, `${latitude} ${longitude}`]));
    return one.length === other.length && other.every(({ id, latitude, longitude }) => had.get(id) === `${latitude} ${longitude}`);
}
