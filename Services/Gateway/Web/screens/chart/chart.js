/** Where devices are: on a plain chart without a map, so that nobody else learns of their places. */

import { chartOf, scaleOf } from "../../app/chart.js";
import { h, svg } from "../../app/dom.js";
import { standingOf } from "../../app/headline.js";
import { createSubPage } from "../../app/page.js";
import { effect } from "../../app/signals.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { deviceModel } from "../home/models.js";

const size = 320;
const margin = 40;

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, store, format } = context;
    context.title(t("devices.chart"));
    const page = createSubPage(context, { title: t("devices.chart"), back: "/devices" });
    root.replaceChildren(...page.parts);

    function update() {
        const now = Date.now();
        const tanks = store.tanks.value ?? [];
        const places = (store.devices.value ?? []).flatMap(({ id, latitude, longitude }) =>
            latitude === null || longitude === null ? [] : [{ id, latitude, longitude }]
        );
        if (places.length === 0) {
            page.body.replaceChildren(h("p", { class: "quiet" }, t("devices.chart_empty")));
            return;
        }
        const { points, metresAcross } = chartOf(places, size, margin);
        const length = scaleOf(metresAcross);
        const width = length / metresAcross * size;
        const drawing = svg(
            "svg",
            { class: "chart-drawing", viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" },
            svg("path", { class: "chart-grid", d: grid() }),
            ...points.map(({ id, x, y }, index) => {
                const tank = tanks.find((tank) => tank.id === id);
                const { state } = tank ? standingOf(tank, now) : { state: "waiting" };
                return svg(
                    "g",
                    { class: `chart-place chart-${state}` },
                    svg("circle", { cx: x, cy: y, r: 12 }),
                    svg("text", { x, y: y + 4.5 }, index + 1),
                );
            }),
            svg("path", { class: "chart-scale", d: `M12 ${size - 18}v6h${width}v-6` }),
            svg("text", { class: "chart-length", x: 18, y: size - 18 }, lengthText(length)),
            svg("text", { class: "chart-north", x: size - 20, y: 26 }, t("devices.north")),
        );
        page.body.replaceChildren(
            h("figure", { class: "chart surface" }, drawing, h("figcaption", { class: "small quiet" }, t("devices.chart_text"))),
            h("h2", { class: "section-head" }, t("devices.title")),
            createList(...points.map(({ id }, index) => {
                const tank = tanks.find((tank) => tank.id === id);
                const model = tank ? deviceModel(context, tank, now, false) : null;
                return createRow({
                    name: `${index + 1} · ${store.deviceOf(id)?.name ?? id}`,
                    detail: model?.state,
                    shape: model?.shape ?? undefined,
                    href: `/devices/${encodeURIComponent(id)}`,
                }).element;
            })),
        );
    }

    /** @param {number} metres */
    function lengthText(metres) {
        return metres >= 1000 ? `${format.number(metres / 1000, 0)} km` : `${format.number(metres, 0)} m`;
    }

    const end = effect([store.tanks, store.devices], update);
    return { unmount: end };
}

function grid() {
    const steps = [1, 2, 3, 4, 5, 6, 7].map((step) => step * size / 8);
    return steps.map((place) => `M${place} 0v${size}M0 ${place}h${size}`).join("");
}
