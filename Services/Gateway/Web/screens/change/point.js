/** One point, or those at one place: what it was and is, how that is known, and what leads to its history. */

import { areasOf } from "../../app/areas.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createSparkline } from "../../components/sparkline/sparkline.js";
import { setInk } from "../../drawing/ink.js";
import { h, set } from "../../page/dom.js";
import { classOf, seriesQuery } from "../../water/change.js";
import { pathWith, seriesPath } from "../../water/kept-zone.js";
import { newSamplePath } from "../../water/field/place.js";
import { heldOf } from "../../water/periods.js";
import { mayAct } from "../../water/projects.js";
import { decoded } from "../../water/series.js";

/** @typedef {import("../../water/change.js").ChangePoint} ChangePoint */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} parts
 * @param {ReturnType<typeof import("./texts.js").createTexts>} parts.texts
 * @param {string} parts.parameter
 * @param {import("../../water/change.js").Moments} parts.moments
 * @param {string} parts.period The same in words.
 * @param {string} parts.outside Its value now, where that is outside; empty: it is not.
 * @param {() => void} parts.close
 * @param {ChangePoint} point
 */
export function openPoint(context, { texts, parameter, moments, period, outside, close }, point) {
    const { t } = context;
    const chip = h("span", { class: "change-chip change-chip-large", "data-class": classOf(point.class), "data-square": point.byHand || point.site }, texts.signed(point.change));
    const sheet = context.sheet({
        title: point.name,
        lead: period,
        body: [
            h("div", { class: "change-point" }, chip, h("div", null, h("p", { class: "name" }, texts.course(point)), h("p", { class: "small quiet" }, texts.word(point.class)))),
            h("p", { class: "small quiet" }, texts.source(point)),
            graphOf(context, parameter, moments, point),
            outside === "" ? null : h("p", { class: "change-outside" }, outside),
            h(
                "div",
                { class: "buttons" },
                leading("button-primary", `/p/${encodeURIComponent(point.device)}/${encodeURIComponent(parameter)}`, "changeMap.history"),
                mayAct(context.store.deviceOf(point.device)) ? leading("", newSamplePath({ device: point.device }), "field.here") : null,
            ),
        ],
        onClose: close,
    });

    /** @param {string} kind @param {string} href @param {string} word */
    function leading(kind, href, word) {
        return h("a", { class: `button ${kind}`.trim(), href, onclick: () => sheet.close() }, t(word));
    }
}

/**
 * The course between the moments; hidden where no probe has one, and while it is not known.
 * @param {import("../../app/context.js").Context} context
 * @param {string} name Of the parameter.
 * @param {import("../../water/change.js").Moments} moments
 * @param {ChangePoint} point
 */
function graphOf(context, name, moments, { device }) {
    const { api, store, format } = context;
    const graph = createSparkline();
    const element = h("div", { class: "inked", hidden: true }, graph.element);
    const parameter = store.parameterOf(device, name);
    if (parameter) void read(heldOf(parameter));
    return element;

    /** @param {import("../../water/tanks.js").Parameter} held */
    async function read(held) {
        const [path, query] = [seriesPath(device, name), seriesQuery(moments)];
        try {
            const data = await api.get(path, { query }).then(({ data }) => data, () => areasOf(context).page(pathWith(path, query)));
            if (!data) return;
            const series = decoded(data);
            if (series.points.length === 0) return;
            const [maximum, minimum] = [held.maximum, held.minimum].map((limit) => limit === null ? "" : format.limit(limit, held.decimals));
            setInk(element, held.colour);
            set(element, "hidden", false);
            graph.update({ series, period: moments, range: held, isOld: false, maximum, minimum, side: null });
        } catch {
            // The numbers stand without it.
        }
    }
}

/**
 * Several points at one place, to choose one of.
 * @param {import("../../app/context.js").Context} context
 * @param {ReturnType<typeof import("./texts.js").createTexts>} texts
 * @param {readonly ChangePoint[]} points
 * @param {(point: ChangePoint) => void} open
 */
export function choosePoint(context, texts, points, open) {
    const rows = points.map((point) =>
        createRow({
            name: point.name,
            detail: texts.course(point),
            value: texts.signed(point.change),
            press() {
                sheet.close();
                open(point);
            },
        }).element
    );
    const sheet = context.sheet({ title: context.t("changeMap.together", { count: points.length }), body: [createList(...rows)] });
}
