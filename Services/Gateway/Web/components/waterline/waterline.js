/**
 * The line between air and water: the last 12 hours of a whole device, full-bleed below the air, or small in lists. It is
 * hidden from readers: the headline and the captions say what it shows.
 */

import { rounded, scale } from "../../drawing/geometry.js";
import { waterlineAt, waterlinePath } from "../../drawing/waterline.js";
import { h, set, svg } from "../../page/dom.js";
import { combing, hatching } from "../shape/shape.js";

/**
 * @typedef {object} WaterlineModel
 * @property {import("../../water/series.js").Period} period
 * @property {readonly import("../../drawing/waterline.js").Swell[]} swells
 * @property {readonly import("../../water/series.js").Period[]} gaps
 * @property {readonly import("../../water/series.js").Period[]} [works] When somebody worked on the water.
 * @property {'fine' | 'alarm' | 'old' | 'never' | 'loading'} tone old: silent, or no connection; never: nothing was ever heard.
 */

/** @typedef {'air' | 'card' | 'rail' | 'tile'} WaterlineVariant */

/** Height, base, rise of a whole swell, and width of its ramps. */
const measures = {
    air: { height: 44, base: 30, rise: 24, ramp: 26 },
    card: { height: 40, base: 24, rise: 16, ramp: 24 },
    rail: { height: 20, base: 15, rise: 11, ramp: 20 },
    tile: { height: 26, base: 15, rise: 11, ramp: 16 },
};

/** @param {WaterlineVariant} variant */
export function createWaterline(variant) {
    const { height, base, rise, ramp } = measures[variant];
    const drawing = svg("svg", { class: "waterline-drawing", height, "aria-hidden": "true" });
    const element = h("div", { class: `waterline waterline-${variant}` }, drawing);
    let width = 0;
    let risen = false;
    /** What is drawn. */
    let drawn = "";
    /** @type {WaterlineModel | null} */
    let model = null;

    const observer = new ResizeObserver(([entry]) => {
        if (entry.contentRect.width === width) return;
        width = entry.contentRect.width;
        draw();
    });
    observer.observe(element);

    function draw() {
        if (!model || width === 0) return;
        const { period, swells, gaps, works = [], tone } = model;
        set(element, "data-tone", tone);
        set(drawing, "width", width);
        set(drawing, "viewBox", `0 0 ${width} ${height}`);
        const x = scale(period.from, period.to, 0, width);
        const isAir = variant === "air";
        const bead = isAir ? width - inset() : width;
        const place = {
            x,
            width,
            base,
            rise,
            ramp: isAir ? Math.max(ramp, width * ramp / 390) : ramp,
            lead: isAir ? width - bead + 10 : 0,
        };
        const line = tone === "never" || tone === "loading" ? `M0 ${base}L${width} ${base}` : waterlinePath(swells, place);
        /** @type {Element[]} */
        const parts = [svg("path", { class: "waterline-water", d: `${line}L${width} ${height}L0 ${height}Z` })];
        parts.push(svg("path", { class: "waterline-line", d: line }));
        if (tone !== "never" && tone !== "loading") {
            parts.push(...gaps.flatMap((gap) => band(gap, hatching())), ...works.flatMap((work) => band(work, combing())));
        }

        /**
         * @param {import("../../water/series.js").Period} part
         * @param {string} fill
         */
        function band({ from, to }, fill) {
            const [left, right] = [Math.max(0, x(from)), Math.min(width, x(to))];
            if (right - left < 2) return [];
            const y = waterlineAt(swells, place, (left + right) / 2) - 5;
            const shape = { x: rounded(left), y: rounded(y), width: rounded(right - left), height: 10 };
            return [svg("rect", { class: "waterline-gap", ...shape }), svg("rect", { fill, ...shape })];
        }
        if (isAir && (tone === "fine" || tone === "alarm")) {
            parts.push(svg("circle", {
                class: "waterline-now",
                cx: bead,
                cy: rounded(waterlineAt(swells, place, bead)),
                r: 6.25,
            }));
        }
        drawing.replaceChildren(...parts);
        const rises = tone === "alarm" && !risen;
        risen = tone === "alarm";
        // The swell rises once, when something leaves its limits.
        if (rises) element.classList.add("waterline-rising");
    }

    /** The bead stands at the edge of the text above it. */
    function inset() {
        return Number.parseFloat(getComputedStyle(element).getPropertyValue("--inset")) * 16 || 20;
    }

    element.addEventListener("animationend", () => element.classList.remove("waterline-rising"));

    return {
        element,
        /** @param {WaterlineModel} next */
        update(next) {
            const key = JSON.stringify(next);
            if (key === drawn) return;
            drawn = key;
            model = next;
            draw();
        },
        remove() {
            observer.disconnect();
        },
    };
}
