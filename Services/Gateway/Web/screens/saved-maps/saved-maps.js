/** Areas of the map that are kept on this device: how far each has come, what it takes, and what ends it. */

import { areasOf, mostBytes, NoRoom } from "../../app/areas.js";
import { networkOf, wifiOnly } from "../../app/network.js";
import { createButton } from "../../components/button/button.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createEmpty, createSubPage } from "../../components/page/page.js";
import { createSwitch } from "../../components/switch/switch.js";
import { h, set, setText } from "../../page/dom.js";
import { createKeyed } from "../../page/keyed.js";
import { effect } from "../../page/signals.js";
import { megabytes } from "../../words/megabytes.js";

/** @typedef {import("../../app/areas.js").Area} Area */

/** Younger ones are told without their age, and not brought anew. */
const day = 86_400_000;

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @returns {import("../../app/context.js").Mounted}
 */
export function mount(root, context) {
    const { t, format, preferences } = context;
    context.title(t("maps.title"));
    const page = createSubPage(context, { title: t("maps.title"), back: "/devices/chart" });
    const areas = areasOf(context);
    const used = h("p", { class: "rows-note" });
    const trouble = h("p", { class: "rows-note", role: "status" });
    const list = h("ul", { class: "stack" });
    const empty = createEmpty(t("maps.none"), { text: t("devices.chart"), href: "/devices/chart" });
    const wifi = createSwitch({
        label: t("maps.wifi"),
        isOn: preferences.has(wifiOnly),
        onTurn(isOn) {
            preferences.mark(wifiOnly, isOn);
            void areas.go();
        },
    });
    const choose = createRow({ name: t("maps.choose"), icon: "plus", href: "/devices/chart" });
    const more = createList(
        // Whoever is not told what the connection is cannot choose by it.
        networkOf() ? createRow({ name: t("maps.wifi"), control: wifi.element }).element : null,
        choose.element,
    );
    page.body.append(used, trouble, list, empty, h("div", { class: "area-more" }, more));
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
        set(choose.element, "hidden", shown.length === 0);
        set(more, "hidden", shown.length === 0 && !networkOf());
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
    const { t, format, api } = context;
    const name = h("h2", { class: "name" }, first.name);
    const detail = h("p", { class: "quiet" });
    const bar = h("progress", { class: "progress", max: "1", "aria-label": t("maps.progress", { name: first.name }) });
    const turn = createButton({ text: "", press: () => act(() => area.state === "going" ? areas.pause(area.id) : areas.resume(area.id)) });
    const renew = createButton({ text: t("maps.update"), press: () => act(bringAnew) });
    const remove = createButton({ text: t("maps.remove"), kind: "outlined", press: () => act(ask) });
    const element = h("li", { class: "area surface" }, name, detail, bar, h("div", { class: "area-buttons" }, turn.element, renew.element, remove.element));
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

    async function bringAnew() {
        const { data } = await api.get("/map");
        await areas.renew(area.id, data.own ? data.tiles : area.tiles);
    }

    /** @param {() => Promise<void>} run */
    async function act(run) {
        try {
            await run();
        } catch (error) {
            context.toast({ text: error instanceof NoRoom ? t(`maps.${error.reason}`) : context.explain(error) });
        }
    }

    /** @param {Area} next */
    function update(next) {
        area = next;
        const isDone = next.state === "done";
        const part = next.count > 0 ? next.next / next.count : 1;
        const size = megabytes(format, next.bytes);
        const age = Date.now() - next.at;
        const isOld = isDone && age >= day;
        const state = t(`maps.state_${next.state === "going" && next.former ? "renewing" : next.state}`, { size, part: format.number(Math.floor(part * 100), 0), date: format.date(next.at) });
        setText(detail, isOld ? `${state}\u00a0· ${t("maps.age", { span: format.brief(age) }).replaceAll(" ", "\u00a0")}` : state);
        set(renew.element, "hidden", !isOld);
        bar.value = part;
        set(bar, "hidden", isDone);
        set(turn.element, "hidden", isDone);
        turn.setText(t(next.state === "going" ? "maps.pause" : "maps.resume"));
    }

    update(first);
    return { element, update };
}
