/** One point, or those at one place: what it was and is, how that is known, and what leads to its history. */

import { createList, createRow } from "../../components/list-row/list-row.js";
import { h } from "../../page/dom.js";
import { classOf } from "../../water/change.js";

/** @typedef {import("../../water/change.js").ChangePoint} ChangePoint */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} parts
 * @param {ReturnType<typeof import("./texts.js").createTexts>} parts.texts
 * @param {string} parts.parameter
 * @param {string} parts.period Between which moments, in words.
 * @param {string} parts.outside Its value now, where that is outside; empty: it is not.
 * @param {() => void} parts.close
 * @param {ChangePoint} point
 */
export function openPoint(context, { texts, parameter, period, outside, close }, point) {
    const { t } = context;
    const chip = h("span", { class: "change-chip change-chip-large", "data-class": classOf(point.class), "data-square": point.byHand || point.site }, texts.signed(point.change));
    const sheet = context.sheet({
        title: point.name,
        lead: period,
        body: [
            h("div", { class: "change-point" }, chip, h("div", null, h("p", { class: "name" }, texts.course(point)), h("p", { class: "small quiet" }, texts.word(point.class)))),
            h("p", { class: "small quiet" }, texts.source(point)),
            outside === "" ? null : h("p", { class: "change-outside" }, outside),
            h("a", {
                class: "button button-primary",
                href: `/p/${encodeURIComponent(point.device)}/${encodeURIComponent(parameter)}`,
                onclick: () => sheet.close(),
            }, t("changeMap.history")),
        ],
        onClose: close,
    });
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
