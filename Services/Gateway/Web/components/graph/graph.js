/**
 * A parameter over time, with its limits, its gaps, and the alerts that came of it. A cursor reads values out by touch,
 * mouse and keyboard; wheel, pinch, double click and keys look closer.
 *
 * To readers it is a slider over the readings, named by a sentence that tells what the drawing shows.
 */

import { scale } from "../../drawing/geometry.js";
import { isWhole, panned, zoomed } from "../../drawing/view.js";
import { h, set, setText } from "../../page/dom.js";
import { textSize } from "../../page/text-size.js";
import { endOf, pointAt } from "../../water/series.js";
import { uniqueID } from "../shape/shape.js";
import { drawGraph, frameOf } from "./draw.js";

/** @typedef {import("../../water/series.js").Period} Period */
/** @typedef {import("../../water/series.js").Point} Point */
/** @typedef {import("./model.js").GraphModel} GraphModel */

/**
 * A drawing that stands, for whoever adds to it.
 * @typedef {object} Drawn
 * @property {SVGSVGElement} picture
 * @property {import("./model.js").Frame} frame
 * @property {Period} period
 * @property {(time: number) => number} x
 * @property {() => void} again Draws it anew.
 */

const edges = { right: 44, top: 58, bottom: 36 };
/** The lane below the hours, for what people did. */
const lane = 36;
/** A finger that has left the read-out alone for so long does not need it any more. */
const fading = 4000;

/**
 * @param {object} events
 * @param {(view: Period) => void} events.view Another part of the period is wanted.
 * @param {(drawn: Drawn) => void} [events.drawn]
 */
export function createGraph({ view: changeView, drawn }) {
    const drawing = h("div", { class: "graph-drawing" });
    const cursorLine = h("div", { class: "graph-cursor" });
    const cursorPoint = h("div", { class: "graph-point" });
    const pill = h("div", { class: "graph-pill", hidden: true });
    const reset = h("button", { class: "graph-reset", type: "button", hidden: true });
    const plot = h(
        "div",
        { class: "graph-plot", role: "slider", tabindex: "0", "aria-orientation": "horizontal" },
        drawing,
        cursorLine,
        cursorPoint,
        pill,
    );
    const element = h("div", { class: "graph" }, plot, reset);
    const clip = uniqueID();
    let size = { width: 0, height: 0 };
    /** @type {GraphModel | null} */
    let model = null;
    /** The time that is read out. @type {number | null} */
    let cursor = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    /** Fingers and buttons that are down. @type {Map<number, {x: number, y: number}>} */
    const pointers = new Map();
    /** @type {{view: Period, distance: number, middle: number} | null} */
    let pinch = null;

    const observer = new ResizeObserver(([entry]) => {
        const { width, height } = entry.contentRect;
        if (width === size.width && height === size.height) return;
        size = { width, height };
        draw();
    });
    observer.observe(plot);

    /** Where the plot is in the drawing. @type {import("./model.js").Frame} */
    let frame = { left: 0, right: 1, top: 0, bottom: 1 };

    function draw() {
        if (!model) return;
        if (size.width > 0 && size.height > 0) {
            const em = textSize();
            const own = { width: size.width, height: size.height - (model.hasLane ? lane : 0) };
            frame = frameOf(model, own, em, edges);
            const picture = drawGraph(model, frame, own, clip, em);
            drawing.replaceChildren(picture);
            drawn?.({ picture, frame, period: model.period, x: timeScale().x, again: draw });
        }
        // Its name and its values are there before anything is drawn.
        place();
    }

    function timeScale() {
        const { left, right } = frame;
        const period = model?.period ?? { from: 0, to: 1 };
        return {
            x: scale(period.from, period.to, left, right),
            time: scale(left, right, period.from, period.to),
        };
    }

    /** Puts the cursor where its time is. */
    function place() {
        const point = model && cursor !== null ? pointAt(model.series, cursor) : null;
        const isShown = model !== null && cursor !== null;
        set(element, "data-cursor", isShown);
        set(pill, "hidden", !isShown);
        if (!model) return;
        const points = model.series.points;
        set(plot, "aria-valuemin", 0);
        set(plot, "aria-valuemax", Math.max(0, points.length - 1));
        set(plot, "aria-valuenow", Math.max(0, point ? points.indexOf(point) : points.length - 1));
        set(plot, "aria-label", model.label);
        const latest = points.at(-1);
        if (cursor === null) {
            set(plot, "aria-valuetext", latest ? model.readOut(latest, endOf(latest, model.series)) : model.words.nothing);
            return;
        }
        const time = point ? point.time + model.series.step / 2 : cursor;
        const text = point ? model.readOut(point, time) : `${model.clock(time)} · ${model.words.noData}`;
        set(plot, "aria-valuetext", text);
        setText(pill, text);
        const { left, right, top, bottom } = frame;
        const x = Math.min(right, Math.max(left, timeScale().x(time)));
        element.style.setProperty("--x", `${x.toFixed(1)}px`);
        const half = pill.offsetWidth / 2;
        // The reading stands beside the way back to the whole.
        const begin = reset.hidden ? 0 : reset.offsetWidth + 8;
        const middle = Math.min(size.width - half, Math.max(begin + half, x));
        element.style.setProperty("--pill", `${middle.toFixed(1)}px`);
        element.style.setProperty("--foot", `${(size.height - bottom).toFixed(1)}px`);
        set(cursorPoint, "hidden", point === null);
        if (point) {
            const y = scale(model.domain.low, model.domain.high, bottom, top)(point.mean);
            element.style.setProperty("--y", `${y.toFixed(1)}px`);
        }
    }

    /** @param {number | null} time */
    function moveTo(time) {
        clearTimeout(timer);
        if (!model) return;
        cursor = time === null ? null : Math.min(model.period.to, Math.max(model.period.from, time));
        place();
    }

    /** @param {PointerEvent | WheelEvent | MouseEvent} event */
    function timeUnder(event) {
        return timeScale().time(event.clientX - plot.getBoundingClientRect().left);
    }

    /** @param {Period} next */
    function look(next) {
        if (!model || (next.from === model.period.from && next.to === model.period.to)) return;
        changeView(next);
    }

    // MARK: Touch and mouse

    plot.addEventListener("pointerdown", (event) => {
        if (event.pointerType === "mouse" && event.button !== 0) return;
        pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (pointers.size === 2 && model) {
            const [one, other] = [...pointers.values()];
            const left = plot.getBoundingClientRect().left;
            pinch = {
                view: model.period,
                distance: Math.max(20, Math.abs(one.x - other.x)),
                middle: timeScale().time((one.x + other.x) / 2 - left),
            };
            moveTo(null);
        } else if (pointers.size === 1) moveTo(timeUnder(event));
    });

    plot.addEventListener("pointermove", (event) => {
        if (pointers.has(event.pointerId)) pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (pinch && pointers.size >= 2 && model) {
            const [one, other] = [...pointers.values()];
            const distance = Math.max(20, Math.abs(one.x - other.x));
            const closer = zoomed(pinch.view, model.whole, pinch.distance / distance, pinch.middle);
            // The time between the fingers stays between them.
            const { left, right } = frame;
            const middle = (one.x + other.x) / 2 - plot.getBoundingClientRect().left;
            const under = closer.from + (middle - left) / (right - left) * (closer.to - closer.from);
            look(panned(closer, model.whole, pinch.middle - under));
        } else if (event.pointerType === "mouse" || pointers.has(event.pointerId)) moveTo(timeUnder(event));
    });

    /** @param {PointerEvent} event */
    function release(event) {
        pointers.delete(event.pointerId);
        if (pointers.size < 2) pinch = null;
        if (event.pointerType === "mouse") return;
        clearTimeout(timer);
        timer = setTimeout(() => moveTo(null), fading);
    }
    plot.addEventListener("pointerup", release);
    plot.addEventListener("pointercancel", release);
    plot.addEventListener("pointerleave", (event) => {
        pointers.delete(event.pointerId);
        if (event.pointerType === "mouse") moveTo(null);
    });

    plot.addEventListener("dblclick", (event) => {
        if (model) look(zoomed(model.period, model.whole, 0.5, timeUnder(event)));
    });

    plot.addEventListener("wheel", (event) => {
        if (!model) return;
        const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
        // The page scrolls, unless the graph was chosen before, or the fingers on a touchpad pinch.
        if (!event.ctrlKey && !isSideways && document.activeElement !== plot) return;
        const { left, right } = frame;
        const length = model.period.to - model.period.from;
        const next = isSideways
            ? panned(model.period, model.whole, event.deltaX / (right - left) * length)
            : zoomed(model.period, model.whole, 2 ** (event.deltaY / (event.ctrlKey ? 60 : 240)), timeUnder(event));
        if (next.from === model.period.from && next.to === model.period.to) return;
        event.preventDefault();
        look(next);
    }, { passive: false });

    // MARK: Keyboard

    plot.addEventListener("keydown", (event) => {
        if (!model || event.altKey || event.metaKey || event.ctrlKey) return;
        const inView = model.series.points.filter(({ time }) => model && time >= model.period.from && time <= model.period.to);
        const current = cursor === null ? inView.length : inView.findIndex((point) => point === nearest(inView));
        const length = model.period.to - model.period.from;
        const anchor = cursor ?? model.period.to;
        /** @param {number} index */
        const step = (index) => {
            const point = inView[Math.min(inView.length - 1, Math.max(0, index))];
            if (point && model) moveTo(point.time + model.series.step / 2);
        };
        const tenth = Math.max(1, Math.round(inView.length / 10));
        /** @type {Record<string, () => void>} */
        const keys = {
            ArrowLeft: () => event.shiftKey && model ? look(panned(model.period, model.whole, -length / 4)) : step(current - 1),
            ArrowRight: () => event.shiftKey && model ? look(panned(model.period, model.whole, length / 4)) : step(current + 1),
            ArrowDown: () => step(current - 1),
            ArrowUp: () => step(current + 1),
            PageDown: () => step(current - tenth),
            PageUp: () => step(current + tenth),
            Home: () => step(0),
            End: () => step(inView.length - 1),
            "+": () => model && look(zoomed(model.period, model.whole, 0.5, anchor)),
            "=": () => model && look(zoomed(model.period, model.whole, 0.5, anchor)),
            "-": () => model && look(zoomed(model.period, model.whole, 2, anchor)),
            "0": () => model && look(model.whole),
        };
        if (event.key === "Escape" && cursor !== null) moveTo(null);
        else if (keys[event.key]) keys[event.key]();
        else return;
        event.preventDefault();
    });

    /** @param {Point[]} points */
    function nearest(points) {
        const half = (model?.series.step ?? 0) / 2;
        return points.reduce(
            /** @returns {Point | null} */
            (best, point) =>
                best === null || Math.abs(point.time + half - (cursor ?? 0)) < Math.abs(best.time + half - (cursor ?? 0))
                    ? point
                    : best,
            /** @type {Point | null} */ (null),
        );
    }

    plot.addEventListener("blur", () => moveTo(null));
    reset.addEventListener("click", () => {
        if (model) changeView(model.whole);
        plot.focus();
    });

    return {
        element,
        plot,
        /** @param {GraphModel} next */
        update(next) {
            model = next;
            if (cursor !== null && (cursor < next.period.from || cursor > next.period.to)) cursor = null;
            set(element, "data-lane", next.hasLane ?? false);
            set(reset, "hidden", isWhole(next.period, next.whole));
            setText(reset, next.words.whole);
            draw();
        },
        remove() {
            clearTimeout(timer);
            observer.disconnect();
        },
    };
}
