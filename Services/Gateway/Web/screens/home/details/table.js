/**
 * The graph in numbers, a page at a time, the newest first.
 */

import { setShape, uniqueID } from "../../../components/shape/shape.js";
import { h, set, setText } from "../../../page/dom.js";
import { rangeAt } from "../../../water/periods.js";
import { sideOf } from "../../../water/ranges.js";
import { day } from "../../../words/time.js";

/**
 * @typedef {object} TableModel
 * @property {import("../../../water/series.js").Series} series
 * @property {import("../../../water/series.js").Period} period
 * @property {import("../../../water/headline.js").Gauge} gauge
 * @property {readonly import("../../../water/periods.js").LimitStep[]} [steps] The limits over time, where they change by the clock.
 * @property {string} caption
 */

const page = 25;

/** @param {import("../../../app/context.js").Context} context */
export function createTable({ t, format }) {
    const caption = h("caption", { class: "details-table-caption" });
    const head = h("tr");
    const body = h("tbody");
    const range = h("p", { class: "small quiet", role: "status" });
    const newer = h("button", { class: "button", type: "button", onclick: () => turn(-1) }, t("details.newer"));
    const older = h("button", { class: "button", type: "button", onclick: () => turn(1) }, t("details.older"));
    const element = h(
        "div",
        { class: "details-table", id: uniqueID() },
        h("table", null, caption, h("thead", null, head), body),
        h("div", { class: "details-table-pages" }, newer, range, older),
    );
    let first = 0;
    /** @type {TableModel | null} */
    let model = null;

    /** @param {number} by */
    function turn(by) {
        first += by * page;
        draw();
    }

    function draw() {
        if (!model) return;
        const { series, period, gauge } = model;
        const { decimals } = gauge.range;
        const points = series.points
            .filter((point) => point.time + series.step >= period.from && point.time <= period.to)
            .reverse();
        first = Math.max(0, Math.min(first, Math.floor(Math.max(0, points.length - 1) / page) * page));
        const areStretches = series.step > 0;
        const columns = areStretches
            ? [t("details.time"), t("details.mean"), t("details.least"), t("details.greatest")]
            : [t("details.time"), t("details.value")];
        setText(caption, model.caption);
        head.replaceChildren(...columns.map((name) => h("th", { scope: "col" }, name)));
        body.replaceChildren(...points.slice(first, first + page).map((point) => {
            const values = areStretches ? [point.mean, point.least, point.greatest] : [point.mean];
            return h(
                "tr",
                null,
                h("th", { scope: "row" }, timeText(point.time, series.step)),
                values.map((value) => {
                    const side = sideOf(value, rangeAt({ range: gauge.range, steps: model?.steps }, point.time));
                    const shape = h("span", { class: "details-table-shape" });
                    setShape(shape, side);
                    return h(
                        "td",
                        { "data-out": side !== null },
                        shape,
                        format.number(value, decimals),
                        side ? h("span", { class: "visually-hidden" }, ` ${t(`home.state_${side}`)}`) : null,
                    );
                }),
            );
        }));
        setText(
            range,
            points.length === 0 ? t("details.empty") : t("details.rows", {
                from: first + 1,
                to: Math.min(points.length, first + page),
                count: points.length,
            }),
        );
        set(newer, "disabled", first === 0);
        set(older, "disabled", first + page >= points.length);
    }

    /**
     * @param {number} time
     * @param {number} step
     */
    function timeText(time, step) {
        /** @type {Intl.DateTimeFormatOptions} */
        const date = { timeZone: format.zone, day: "numeric", month: "short" };
        /** @type {Intl.DateTimeFormatOptions} */
        const clock = step >= day
            ? {}
            : { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...(step === 0 ? { second: "2-digit" } : {}) };
        return new Intl.DateTimeFormat(format.locale, { ...date, ...clock }).format(time);
    }

    return {
        element,
        /** @param {TableModel} next */
        update(next) {
            model = next;
            // A page that somebody reads stays; it is drawn anew when its own values change.
            if (!element.hidden || body.childElementCount === 0) draw();
        },
    };
}
