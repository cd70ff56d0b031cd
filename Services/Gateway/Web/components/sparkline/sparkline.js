/**
 * The last hours of one parameter. The box is the range; what hangs out of it has left the limits. All sparklines of a
 * screen have the same time axis, so that a gap or a fall lines up.
 */

import { besideBox } from "../../drawing/labels.js";
import { linePath, outsideOf, rounded, scale, sparkFrame } from "../../drawing/geometry.js";
import { h, set, svg } from "../../page/dom.js";
import { textSize } from "../../page/text-size.js";
import { endsOf, sideOf } from "../../water/ranges.js";
import { gapsOf, piecesOf, runsOf, worksOf } from "../../water/runs.js";
import { cornersOf, extentOf } from "../../water/series.js";
import { combing, hatching, uniqueID } from "../shape/shape.js";

/** @typedef {import("../../water/series.js").Series} Series */

/**
 * @typedef {object} SparklineModel
 * @property {Series | null} series
 * @property {{from: number, to: number}} period
 * @property {import("../../water/ranges.js").Range} range
 * @property {boolean} isOld
 * @property {string} maximum The text of the limit; empty where there is none.
 * @property {string} minimum
 * @property {'low' | 'high' | null} side
 * @property {Squares} [squares] What people measured themselves.
 */

/**
 * @typedef {object} Squares
 * @property {(extent: {least: number, greatest: number} | null, period: SparklineModel["period"]) => {least: number, greatest: number} | null} within
 *     What has to have room.
 * @property {(x: (time: number) => number, y: (value: number) => number, period: SparklineModel["period"]) => Element[]} draw
 */

const place = { height: 50, box: 38, inset: 3 };

/** One observer for all of them. @type {WeakMap<Element, (width: number) => void>} */
const listeners = new WeakMap();
/** @type {ResizeObserver | undefined} */
let observer;

export function createSparkline() {
    const clip = uniqueID();
    const drawing = svg("svg", { class: "sparkline-drawing", height: place.height, "aria-hidden": "true" });
    const maximum = h("span", { class: "sparkline-limit" });
    const minimum = h("span", { class: "sparkline-limit" });
    const plot = h("div", { class: "sparkline-plot" }, drawing);
    const element = h("div", { class: "sparkline" }, plot, h("div", { class: "sparkline-limits" }, maximum, minimum));
    let width = 0;
    /** @type {SparklineModel | null} */
    let model = null;

    observer ??= new ResizeObserver((entries) => {
        for (const entry of entries) listeners.get(entry.target)?.(entry.contentRect.width);
    });
    listeners.set(plot, (next) => {
        if (next === width) return;
        width = next;
        draw();
    });
    observer.observe(plot);

    function draw() {
        if (!model || width === 0) return;
        const { series, period, range, isOld, squares } = model;
        // Only the line's own end is drawn beyond the box's right edge: half of its last point.
        const x = scale(period.from, period.to, 0, width - 6);
        const extent = series ? extentOf(series, period) : null;
        const frame = sparkFrame(squares ? squares.within(extent, period) : extent, endsOf(range), place);
        const box = svg("rect", {
            class: "sparkline-box",
            y: rounded(frame.top),
            width,
            height: rounded(frame.height),
            rx: Math.min(8, frame.height / 2),
        });
        /** @type {Element[]} */
        const parts = [box];
        if (series) {
            for (const gap of gapsOf(series, period)) {
                const [left, right] = [Math.max(0, x(gap.from)), gap.to >= period.to ? width : x(gap.to)];
                if (right - left < 2 || series.points.length === 0) continue;
                const shape = { x: rounded(left), y: frame.top, width: rounded(right - left), height: frame.height };
                parts.push(
                    svg("rect", { class: "sparkline-gap", ...shape }),
                    svg("rect", { fill: hatching(), ...shape }),
                );
            }
            for (const work of worksOf(series, period)) {
                const [left, right] = [x(work.from), x(work.to)];
                parts.push(svg("rect", { fill: combing(), x: rounded(left), y: frame.top, width: rounded(Math.max(2, right - left)), height: frame.height }));
            }
            const { above, below } = outsideOf(range, frame.y, { top: -place.inset, bottom: place.height + place.inset }, 1.75);
            const outside = [above, below].filter((part) => part !== null);
            parts.push(
                svg(
                    "clipPath",
                    { id: clip },
                    outside.map(({ top, height }) => svg("rect", { x: -4, y: top, width: width + 8, height })),
                ),
            );
            for (const run of runsOf(series)) {
                const visible = run.filter((point) => point.time + series.step >= period.from);
                for (const { points, isWorked } of piecesOf(visible)) {
                    const d = linePath(cornersOf(points, series), x, frame.y);
                    if (d === "") continue;
                    parts.push(svg("path", { class: isWorked ? "sparkline-worked" : "sparkline-line", d }));
                    if (outside.length > 0 && !isWorked) {
                        parts.push(svg("path", { class: "sparkline-out", d, "clip-path": `url(#${clip})` }));
                    }
                }
            }
            const last = series.points.at(-1);
            const end = last && cornersOf([last], series).at(-1);
            if (end && end.time >= period.from) {
                parts.push(svg("circle", {
                    class: "sparkline-end",
                    "data-worked": last.isWorked ?? false,
                    "data-out": !last.isWorked && sideOf(end.value, range) !== null,
                    "data-old": isOld,
                    cx: rounded(x(end.time)),
                    cy: rounded(frame.y(end.value)),
                    r: 3,
                }));
            }
        }
        if (squares) parts.push(...squares.draw(x, frame.y, period));
        set(drawing, "width", width);
        set(drawing, "viewBox", `0 0 ${width} ${place.height}`);
        drawing.replaceChildren(...parts);
        maximum.textContent = model.maximum;
        minimum.textContent = model.minimum;
        set(maximum, "data-out", model.side === "high");
        set(minimum, "data-out", model.side === "low");
        const beside = besideBox(frame, place.height, textSize());
        element.style.setProperty("--height", `${rounded(beside.height)}px`);
        maximum.style.setProperty("--top", `${rounded(beside.upper)}px`);
        minimum.style.setProperty("--top", `${rounded(beside.lower)}px`);
    }

    return {
        element,
        /** @param {SparklineModel} next */
        update(next) {
            const last = model;
            model = next;
            // Ages are told anew every second; the drawing only when it looks different.
            const isSame = last !== null && last.series === next.series && last.period.to === next.period.to &&
                last.period.from === next.period.from && last.isOld === next.isOld && last.side === next.side &&
                last.maximum === next.maximum && last.minimum === next.minimum && last.squares === next.squares &&
                JSON.stringify(last.range) === JSON.stringify(next.range);
            if (!isSame) draw();
        },
    };
}
