/** The life of one device, by the words of its firmware. */

import { createRow } from "../../components/list-row/list-row.js";
import { createShape } from "../../components/shape/shape.js";
import { h, set } from "../../page/dom.js";
import { cellsOf, needsOf } from "../../water/life.js";

/** @typedef {import("../../water/life.js").Life} Life */

/** The service notes lives every two minutes. */
const interval = 120_000;

/**
 * Nothing shows for a device that says nothing of itself.
 * @param {import("../../app/context.js").Context} context
 * @param {string} id
 */
export function createLife(context, id) {
    const { t, api, format } = context;
    const list = h("ul", { class: "rows surface" });
    const needs = h("div", null);
    const element = h(
        "section",
        { class: "life", hidden: true },
        h("h2", { class: "section-head" }, t("life.title")),
        needs,
        list,
        h("p", { class: "rows-note" }, t("life.note")),
    );
    let hasEnded = false;

    async function read() {
        try {
            const { data } = await api.get(`/devices/${encodeURIComponent(id)}/life`);
            if (!hasEnded) show(data);
        } catch {
            // Rows that are known stay.
        }
    }

    /** @param {Life} life */
    function show(life) {
        set(element, "hidden", life.family === null);
        if (life.family === null) return;
        const { battery, lasts, signal, firmware, restarts } = cellsOf(context, life);
        needs.replaceChildren(...needsOf(context, life).map((text) => h("p", { class: "life-need" }, createShape("fault"), h("span", null, text))));
        /** @type {[string, string, string?][]} */
        const rows = [
            ["life.charge", battery, lasts],
            ["life.strength", signal],
            ["life.firmware", firmware],
            ["life.starts", restarts],
            ["life.since", life.startedAt === null ? "" : format.moment(Date.parse(life.startedAt))],
            ["life.reason", life.resetReason ?? ""],
        ];
        list.replaceChildren(
            ...rows.filter(([, value]) => value !== "").map(([name, value, detail]) => createRow({ name: t(name), value, detail: detail || undefined }).element),
        );
    }

    read();
    const timer = setInterval(() => {
        if (!document.hidden) read();
    }, interval);
    return {
        element,
        remove() {
            hasEnded = true;
            clearInterval(timer);
        },
    };
}
