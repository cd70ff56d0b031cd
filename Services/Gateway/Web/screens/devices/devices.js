/** All devices: how each is, and its last 12 hours. Those that somebody shares come last. */

import { enrolmentOf } from "../../app/enrolment.js";
import { createLives } from "../../app/lives.js";
import { historyOf, lineOf, periodOf } from "../../app/history.js";
import { createLifeTable } from "../../components/device-life/device-life.js";
import { createDeviceCard } from "../../components/device-card/device-card.js";
import { deviceModel } from "../../components/device-card/device-model.js";
import { createBlankList } from "../../components/list-row/list-row.js";
import { createEmpty, createProblem, createTabPage } from "../../components/page/page.js";
import { createSymbol } from "../../components/symbol/symbol.js";
import { h, set } from "../../page/dom.js";
import { createKeyed } from "../../page/keyed.js";
import { effect, isMadeOf } from "../../page/signals.js";
import { heardAt, isCutOff as isUnknown, isSilent } from "../../water/headline.js";
import { lineOf as lifeLineOf, placesOf, summaryOf } from "../../water/life.js";

/** @typedef {import("../../water/headline.js").Tank} Tank */

/** What a row says of time is told anew so often, in milliseconds. */
const grain = 30_000;

/** @param {Tank} tank */
const idOf = ({ id }) => id;

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
    const lives = createLives(context);
    const chip = h("button", { class: "chip chip-small", type: "button", "aria-pressed": "false", onclick: turnLife }, t("life.chip"));
    const chips = h("div", { class: "devices-chips" }, chip);
    const older = h("p", { class: "devices-older small quiet", hidden: true });
    const table = createLifeTable(context);
    set(table.element, "hidden", true);
    const own = h("ul", { class: "stack" });
    const sharedHead = h("h2", { class: "section-head" }, t("devices.shared"));
    const shared = h("ul", { class: "stack" });
    const chart = h(
        "p",
        { class: "devices-chart" },
        h("a", { class: "button button-text", href: "/devices/chart" }, createSymbol("pin"), t("devices.chart")),
    );
    const add = h(
        "p",
        { class: "devices-chart" },
        h("a", { class: "button button-text", href: "/devices/place" }, createSymbol("pin"), t("sites.title")),
    );
    const enrolment = enrolmentOf(context);
    const enrol = h(
        "p",
        { class: "devices-chart", hidden: true },
        h("a", { class: "button button-text", href: "/devices/enrol" }, createSymbol("plus"), t("enrol.title")),
    );
    const empty = createEmpty(t("devices.empty"), { text: t("devices.link"), href: "/devices/link", isPrimary: true });
    const problem = createProblem({ text: t("common.retry"), press: () => read() });
    const blank = createBlankList(3);
    page.body.append(problem.element, blank, chips, older, table.element, own, empty, sharedHead, shared, chart, add, enrol);
    root.replaceChildren(...page.parts);

    /** What is in the window, or about to be: the lines of the others are not read. @type {Set<string>} */
    const visible = new Set();
    const watch = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) {
            const id = target.getAttribute("data-device") ?? "";
            if (isIntersecting) visible.add(id);
            else {
                visible.delete(id);
                history.leave(id);
            }
        }
        update();
    }, { rootMargin: "20% 0px" });
    const updateOwn = createKeyed(own, idOf, createCard);
    const updateShared = createKeyed(shared, idOf, createCard);
    let trouble = "";
    let showsLife = false;
    /** The places of the rows, as they were when the table was opened. @type {Map<string, number> | null} */
    let places = null;

    function turnLife() {
        showsLife = !showsLife;
        places = null;
        set(chip, "aria-pressed", String(showsLife));
        set(chip, "data-on", showsLife);
        set(page.body, "data-life", showsLife);
        if (showsLife) lives.begin();
        else lives.end();
        update();
    }

    /** @param {readonly Tank[]} tanks @param {number} now */
    function updateLife(tanks, now) {
        const known = lives.known.value;
        const said = showsLife && known ? summaryOf(context, known) : null;
        if (said && tanks.length > 0) page.lead.textContent = said.lead;
        else if (showsLife && lives.trouble.value !== "") page.lead.textContent = lives.trouble.value;
        older.textContent = said?.older ?? "";
        older.hidden = !said || said.older === "";
        set(table.element, "hidden", !said);
        if (!said || !known) return table.update([]);
        places ??= placesOf(known);
        const order = places;
        const byDevice = new Map(known.map((life) => [life.device, life]));
        table.update(
            tanks.filter(({ site }) => !site).sort((one, other) => (order.get(one.id) ?? Infinity) - (order.get(other.id) ?? Infinity)).map((tank) => {
                const heard = heardAt(tank);
                return {
                    id: tank.id,
                    name: tank.name,
                    heard: heard === null ? t("life.never") : context.format.moment(heard, now),
                    isSilent: isSilent(tank, now),
                    life: byDevice.get(tank.id),
                };
            }),
        );
    }

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
        const isCutOff = isUnknown(store.connection.value);
        const knownAt = store.connection.value.lateSince ?? store.connection.value.seenAt;
        page.lead.textContent = tanks === undefined
            ? trouble === "" ? t("common.loading") : ""
            : tanks.length === 0
            ? t("devices.none")
            : isCutOff && knownAt !== null
            ? t("devices.old", { at: context.format.at(knownAt, now) })
            : t("devices.count", { count: tanks.length });
        const all = tanks ?? [];
        chips.hidden = all.length === 0;
        updateLife(all, now);
        empty.hidden = tanks === undefined || all.length > 0;
        for (const tank of all) if (visible.has(tank.id)) history.read(tank);
        const roles = new Map(store.devices.value?.map(({ id, role }) => [id, role]));
        updateOwn(all.filter(({ id }) => roles.get(id) === "owner"));
        // A role that only a newer service knows may do no more than watch.
        updateShared(all.filter(({ id }) => roles.has(id) && roles.get(id) !== "owner"));
        sharedHead.hidden = shared.childElementCount === 0;
        const { state, allowed } = enrolment.standing.value ?? { state: "off", allowed: false };
        enrol.hidden = state === "off" || !allowed;
        chart.hidden = !store.devices.value?.some(({ latitude }) => typeof latitude === "number");
    }

    /** @param {Tank} tank */
    function createCard({ id }) {
        const card = createDeviceCard(() => store.choose(id));
        /** @type {unknown[]} */
        let drawn = [];
        set(card.element, "data-device", id);
        watch.observe(card.element);
        return {
            element: card.element,
            /** @param {Tank} tank */
            update(tank) {
                const now = Date.now();
                const device = store.deviceOf(id);
                const life = showsLife ? lives.known.value?.find((one) => one.device === id) : undefined;
                const parts = [tank, device, showsLife, life, history.versionOf(id), Math.floor(now / grain), isUnknown(store.connection.value)];
                if (isMadeOf(drawn, parts)) return;
                drawn = parts;
                card.update(modelOf(tank, device, now, life));
            },
            remove() {
                watch.unobserve(card.element);
                visible.delete(id);
                history.leave(id);
                card.remove();
            },
        };
    }

    /**
     * @param {Tank} tank
     * @param {import("../../water/tanks.js").Device | null} device
     * @param {number} now
     * @param {import("../../water/life.js").Life | undefined} life
     * @returns {import("../../components/device-card/device-card.js").DeviceCardModel}
     */
    function modelOf(tank, device, now, life) {
        const period = periodOf(now);
        const isCutOff = isUnknown(store.connection.value);
        const model = deviceModel(context, tank, now, false);
        const state = model.standing;
        const line = lineOf(tank, (gauge) => history.seriesOf(tank, gauge), period);
        const isAlarm = (state === "low" || state === "high") && !model.isSnoozed && !isCutOff;
        const tone = isAlarm ? "alarm" : state === "waiting" || state === "byHand" ? "never" : state === "silent" || isCutOff ? "old" : "fine";
        return {
            name: tank.name,
            detail: showsLife ? lifeLineOf(context, life) : [
                device && device.role !== "owner" ? t("devices.watch") : "",
                tank.site ? t("home.byHand_word") : t("devices.measures", { count: tank.gauges.filter((gauge) => gauge.value !== null).length }),
            ].filter(Boolean).join(" · "),
            href: "/",
            more: { href: `/devices/${encodeURIComponent(tank.id)}`, label: t("devices.about", { name: tank.name }) },
            shape: state === "fine" || state === "byHand" ? state : model.shape,
            word: model.state,
            isAlarm,
            isAnswered: model.isAnswered,
            line: { period, swells: line.swells, gaps: line.gaps, tone },
        };
    }

    const end = effect([store.tanks, store.connection, history.changes, lives.known, lives.trouble, enrolment.standing], update);
    const timer = setInterval(update, grain);
    if (store.devices.value === undefined) read();
    // Without an answer nothing is offered that would need one.
    enrolment.read().catch(() => {});
    return {
        unmount() {
            end();
            clearInterval(timer);
            lives.end();
            table.update([]);
            updateOwn([]);
            updateShared([]);
            watch.disconnect();
        },
    };
}
