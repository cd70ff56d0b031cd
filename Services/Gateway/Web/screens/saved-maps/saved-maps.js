/** Areas of the map that are kept on this device: how far each has come, what it takes, and what ends it. */

import { areasOf, mostBytes } from "../../app/areas.js";
import { createButton } from "../../components/button/button.js";
import { createEmpty, createSubPage } from "../../components/page/page.js";
import { h, set, setText } from "../../page/dom.js";
import { createKeyed } from "../../page/keyed.js";
import { effect } from "../../page/signals.js";
import { megabytes } from "../../words/megabytes.js";

/** @typedef {import("../../app/areas.js").Area} Area */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @returns {import("../../app/context.js").Mounted}
 */
export function mount(root, context) {
    const { t, format } = context;
    context.title(t("maps.title"));
    const page = createSubPage(context, { title: t("maps.title"), back: "/devices/chart" });
    const areas = areasOf(context);
    const used = h("p", { class: "rows-note" });
    const trouble = h("p", { class: "rows-note", role: "status" });
    const list = h("ul", { class: "stack" });
    const empty = createEmpty(t("maps.none"), { text: t("devices.chart"), href: "/devices/chart" });
    page.body.append(used, trouble, list, empty);
    root.replaceChildren(...page.parts);
    const updateList = createKeyed(list, (/** @type {Area} */ { id }) => id, (area) => createAreaCard(context, areas, area));

    function update() {
        const shown = areas.shown.value;
        const isWaiting = shown.some(({ state }) => state === "going");
        set(used, "hidden", shown.length === 0);
        setText(used, t("maps.used", { size: megabytes(format, areas.bytes()), most: megabytes(format, mostBytes) }));
        setText(trouble, isWaiting && areas.trouble.value ? t(`maps.trouble_${areas.trouble.value}`) : "");
        set(trouble, "hidden", trouble.textContent === "");
        set(empty, "hidden", shown.length > 0);
        updateList([...shown].reverse());
    }

    const end = effect([areas.shown, areas.trouble], update);
    void areas.read();
    void areas.go();
    return { unmount: end };
}

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/areas.js").Areas} areas
 * @param {Area} first
 */
function createAreaCard(context, areas, first) {
    const { t, format } = context;
    const name = h("h2", { class: "name" }, first.name);
    const detail = h("p", { class: "quiet" });
    const bar = h("progress", { class: "progress", max: "1", "aria-label": t("maps.progress", { name: first.name }) });
    const turn = createButton({ text: "", press: () => act(() => area.state === "going" ? areas.pause(area.id) : areas.resume(area.id)) });
    const remove = createButton({ text: t("maps.remove"), kind: "outlined", press: () => act(ask) });
    const element = h("li", { class: "area surface" }, name, detail, bar, h("div", { class: "area-buttons" }, turn.element, remove.element));
    let area = first;

    async function ask() {
        const isSure = await context.confirm({
            title: t("maps.remove_title", { name: area.name }),
            text: t("maps.remove_text"),
            action: t("maps.remove"),
            isGrave: true,
        });
        if (isSure) await areas.remove(area.id);
    }

    /** @param {() => Promise<void>} run */
    async function act(run) {
        try {
            await run();
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    /** @param {Area} next */
    function update(next) {
        area = next;
        const isDone = next.state === "done";
        const part = next.count > 0 ? next.next / next.count : 1;
        const size = megabytes(format, next.bytes);
        setText(detail, t(`maps.state_${next.state}`, { size, part: format.number(Math.floor(part * 100), 0), date: format.date(next.at) }));
        bar.value = part;
        set(bar, "hidden", isDone);
        set(turn.element, "hidden", isDone);
        turn.setText(t(next.state === "going" ? "maps.pause" : "maps.resume"));
    }

    update(first);
    return { element, update };
}
