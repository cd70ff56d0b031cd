/** All devices: how each is, and its last 12 hours. Those that somebody shares come last. */

import { h } from "../../app/dom.js";
import { isCutOff as isUnknown, standingOf } from "../../app/headline.js";
import { historyOf, lineOf, periodOf } from "../../app/history.js";
import { createEmpty, createProblem, createTabPage } from "../../app/page.js";
import { effect } from "../../app/signals.js";
import { createDeviceCard } from "../../components/device-card/device-card.js";
import { createBlankList } from "../../components/list-row/list-row.js";
import { createSymbol } from "../../components/symbol/symbol.js";
import { deviceModel } from "../home/models.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, store } = context;
    context.title(t("devices.title"));
    const history = historyOf(context);
    const page = createTabPage({
        title: t("devices.title"),
        action: h("a", { class: "icon-button", href: "/devices/link", "aria-label": t("devices.link") }, createSymbol("plus")),
    });
    const own = h("ul", { class: "stack" });
    const sharedHead = h("h2", { class: "section-head" }, t("devices.shared"));
    const shared = h("ul", { class: "stack" });
    const chart = h(
        "p",
        { class: "devices-chart" },
        h("a", { class: "button button-text", href: "/devices/chart" }, createSymbol("pin"), t("devices.chart")),
    );
    const empty = createEmpty(t("devices.empty"), { text: t("devices.link"), href: "/devices/link", isPrimary: true });
    const problem = createProblem({ text: t("common.retry"), press: () => read() });
    const blank = createBlankList(3);
    page.body.append(problem.element, blank, own, empty, sharedHead, shared, chart);
    root.replaceChildren(...page.parts);

    /** @type {Map<string, ReturnType<typeof createDeviceCard>>} */
    const cards = new Map();

    let trouble = "";

    /** Reads what is not known yet; otherwise the stream keeps it up to date. */
    async function read() {
        trouble = "";
        update();
        try {
            await store.refresh();
        } catch (error) {
            trouble = context.explain(error, "read");
            update();
        }
    }

    function update() {
        const tanks = store.tanks.value;
        problem.show(tanks === undefined ? trouble : "");
        blank.hidden = tanks !== undefined || trouble !== "";
        const now = Date.now();
        const period = periodOf(now);
        const isCutOff = isUnknown(store.connection.value);
        const knownAt = store.connection.value.lateSince ?? store.connection.value.seenAt;
        page.lead.textContent = tanks === undefined
            ? trouble === "" ? t("common.loading") : ""
            : tanks.length === 0
            ? t("devices.none")
            : isCutOff && knownAt !== null
            ? t("devices.old", { time: context.format.moment(knownAt, now) })
            : t("devices.count", { count: tanks.length });
        const all = tanks ?? [];
        empty.hidden = tanks === undefined || all.length > 0;
        for (const tank of all) {
            history.read(tank);
            const device = store.deviceOf(tank.id);
            let card = cards.get(tank.id);
            if (!card) {
                card = createDeviceCard(() => store.choose(tank.id));
                cards.set(tank.id, card);
            }
            const { state } = standingOf(tank, now);
            const model = deviceModel(context, tank, now, false);
            const line = lineOf(tank, (gauge) => history.seriesOf(tank, gauge), period);
            const isAlarm = (state === "low" || state === "high") && !isCutOff;
            const tone = isAlarm
                ? "alarm"
                : state === "waiting"
                ? "never"
                : state === "silent" || isCutOff
                ? "old"
                : "fine";
            card.update({
                name: tank.name,
                detail: [
                    device?.role === "watcher" ? t("devices.watch") : "",
                    t("devices.measures", { count: tank.gauges.filter((gauge) => gauge.value !== null).length }),
                ].filter(Boolean).join(" · "),
                href: "/",
                more: { href: `/devices/${encodeURIComponent(tank.id)}`, label: t("devices.about", { name: tank.name }) },
                shape: state === "waiting" ? null : state,
                word: model.state,
                isAlarm,
                line: { period, swells: line.swells, gaps: line.gaps, tone },
            });
        }
        for (const [id, card] of cards) {
            if (all.some((tank) => tank.id === id)) continue;
            card.remove();
            cards.delete(id);
        }
        /** @param {string} role */
        const ofRole = (role) =>
            all.filter((tank) => store.deviceOf(tank.id)?.role === role).flatMap((tank) => cards.get(tank.id)?.element ?? []);
        place(own, ofRole("owner"));
        place(shared, ofRole("watcher"));
        sharedHead.hidden = shared.childElementCount === 0;
        chart.hidden = !all.some((tank) => typeof store.deviceOf(tank.id)?.latitude === "number");
    }

    const end = effect([store.tanks, store.connection, history.changes], update);
    const timer = setInterval(update, 30_000);
    if (store.devices.value === undefined) read();
    return {
        unmount() {
            end();
            clearInterval(timer);
            for (const card of cards.values()) card.remove();
        },
    };
}

/**
 * Puts elements into a list, unless they are there already.
 * @param {Element} list
 * @param {Element[]} elements
 */
function place(list, elements) {
    const isSame = list.children.length === elements.length && elements.every((element, index) => list.children[index] === element);
    if (!isSame) list.replaceChildren(...elements);
}
