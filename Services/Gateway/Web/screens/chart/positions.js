/**
 * Where devices are, without a map: nobody else learns of their places.
 */

import { chartOf, scaleOf } from "../../drawing/chart.js";
import { h, svg } from "../../page/dom.js";

const size = 320;
const margin = 40;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {readonly {id: string, latitude: number, longitude: number, standing: string}[]} places
 * @param {string} caption
 */
export function createPositions({ t, format }, places, caption) {
    const { points, metresAcross } = chartOf(places, size, margin);
    const length = scaleOf(metresAcross);
    const width = length / metresAcross * size;
    const drawing = svg(
        "svg",
        { class: "chart-drawing", viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" },
        svg("path", { class: "chart-grid", d: grid() }),
        ...points.map(({ x, y }, index) =>
            svg(
                "g",
                { class: `chart-place chart-${places[index].standing}` },
                svg("circle", { cx: x, cy: y, r: 12 }),
                svg("text", { x, y: y + 4.5 }, index + 1),
            )
        ),
        svg("path", { class: "chart-scale", d: `M12 ${size - 18}v6h${width}v-6` }),
        svg("text", { class: "chart-length", x: 18, y: size - 18 }, lengthText(length)),
        svg("text", { class: "chart-north", x: size - 20, y: 26 }, t("devices.north")),
    );
    return h("figure", { class: "chart surface" }, drawing, h("figcaption", { class: "small quiet" }, caption));

    /** @param {number} metres */
    function lengthText(metres) {
        return metres >= 1000 ? `${format.number(metres / 1000, 0)} km` : `${format.number(metres, 0)} m`;
    }
}

function grid() {
    const steps = [1, 2, 3, 4, 5, 6, 7].map((step) => step * size / 8);
    return steps.map((place) => `M${place} 0v${size}M0 ${place}h${size}`).join("");
}
