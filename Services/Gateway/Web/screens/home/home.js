/**
 * How is my water? One sentence, the last 12 hours of the whole device, and a card for each parameter. On wide windows the
 * details of one parameter stand beside the list.
 */

import { h, set, setText } from "../../app/dom.js";
import { findingsOf, headlineOf, standingOf } from "../../app/headline.js";
import { historyOf } from "../../app/history.js";
import { merged } from "../../app/order.js";
import { isProblem } from "../../app/problem.js";
import { effect } from "../../app/signals.js";
import { createAir } from "../../components/air/air.js";
import { createBlankCard, createCard } from "../../components/card/card.js";
import { createNotice } from "../../components/notice/notice.js";
import { createDetails } from "../details/pane.js";
import { cardModel, detailsPath, deviceModel, lineModel } from "./models.js";
import { chooseDevice, showChecks, showMenu } from "./menus.js";
import { attachReorder } from "./reorder.js";
import { noticed, told } from "./sentences.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../app/headline.js").Gauge} Gauge */
/** @typedef {import("../../app/headline.js").Tank} Tank */
/** @typedef {ReturnType<typeof createCard>} Card */

const blanks = 5;
const mostNotices = 2;
/** The card that was opened last: its ring grows into the value of the details, and back. */
let lastOpened = "";
/** States from the worst on. */
const gravity = /** @type {const} */ (["low", "high", "fault", "silent"]);

/**
 * @param {HTMLElement} root
 * @param {Context} context
 * @param {Record<string, string>} [params] The parameter whose details stand beside the list.
 */
export function mount(root, context, params = {}) {
    const { store, t } = context;
    const history = historyOf(context);
    const wide = matchMedia("(min-width: 1200px)");
    const medium = matchMedia("(min-width: 744px) and (max-width: 1199.98px) and (min-height: 480px)");

    const air = createAir({
        choose: () => chooseDevice(context),
        pick: (device) => store.choose(device),
        more: () => {
            const tank = store.current.value;
            if (tank) showMenu(context, tank, () => edit(true));
        },
    });
    const notices = h("ul", { class: "home-notices" });
    const done = h("button", { class: "button button-primary", type: "button", onclick: () => edit(false) }, t("home.order_done"));
    const editing = h("div", { class: "home-editing", hidden: true }, h("p", null, t("home.order_hint")), done);
    // For readers: what changes while the screen stands. Water that leaves its limits may interrupt them.
    const news = h("p", { class: "visually-hidden", role: "status" });
    const urgent = h("p", { class: "visually-hidden", role: "alert" });
    const cards = h("ul", { class: "home-cards" });
    const restName = h("summary", { class: "home-rest-name" });
    const restCards = h("ul", { class: "home-cards" });
    const rest = h("details", { class: "home-rest", hidden: true }, restName, restCards);
    const list = h("div", { class: "home-list" }, cards, rest);
    const aside = h("div", { class: "home-details" });
    const water = h("div", { class: "water home-water" }, air.captions, notices, editing, news, urgent, h("div", { class: "home-panes" }, list, aside));
    root.replaceChildren(air.element, water);
    context.title(t("home.title"));

    /** @type {Map<string, Card>} */
    const made = new Map();
    /** @type {Map<string, ReturnType<typeof createNotice>>} */
    const rows = new Map();
    /** @type {ReturnType<typeof createDetails> | null} */
    let details = null;
    /** @type {ReturnType<typeof createDetails> | null} */
    let opened = null;
    /** The parameter beside the list, and of which device. */
    let beside = params.parameter ? { device: params.device, name: params.parameter } : null;
    if (params.device) store.choose(params.device);
    let isEdited = false;
    /** The order while it is on its way to the service. @type {string[] | null} */
    let draft = null;
    let isSaving = false;
    /** Who was outside a moment ago, to say who came back. */
    let outside = new Set();
    /** @type {{device: string, name: string} | null} */
    let recovered = null;
    let shownDevice = "";
    /** What the headline is about, so that a change of it is told and the passing of minutes is not. */
    let subject = "";
    /** Why nothing is known yet, when the service said so. */
    let trouble = "";

    const reordering = attachReorder(cards, {
        order: () => [...cards.children].flatMap((card) => card.getAttribute("data-name") ?? []),
        cardOf: (name) => made.get(name)?.element,
        reorder(order, name) {
            const tank = store.current.value;
            if (!tank) return;
            draft = merged(tank.gauges.map((gauge) => gauge.name), order);
            const handle = made.get(name)?.handle;
            const hadFocus = handle !== undefined && document.activeElement === handle;
            update();
            if (hadFocus) handle?.focus();
            const place = order.indexOf(name) + 1;
            setText(news, t("home.order_moved", { name: t(`water.${name}`), place, count: order.length }));
            save(tank.id);
        },
    });

    /** @param {string} device */
    async function save(device) {
        if (isSaving) return;
        isSaving = true;
        while (draft) {
            const order = draft;
            try {
                await store.reorder(device, order);
            } catch (error) {
                draft = null;
                context.toast({ text: t("home.order_failed", { problem: context.explain(error) }) });
            }
            if (draft === order) draft = null;
        }
        isSaving = false;
        update();
    }

    /** @param {boolean} next */
    function edit(next) {
        isEdited = next;
        update();
        if (next) made.get(cards.firstElementChild?.getAttribute("data-name") ?? "")?.handle.focus();
        else air.headline.focus();
    }

    /**
     * @param {Tank} tank
     * @returns {Gauge[]}
     */
    function ordered(tank) {
        const own = draft;
        if (!own) return tank.gauges;
        return [...tank.gauges].sort((one, other) => own.indexOf(one.name) - own.indexOf(other.name));
    }

    function update() {
        if (reordering.isMoving()) return;
        const now = Date.now();
        const tank = store.current.value;
        const connection = store.connection.value;
        if (tank && tank.id !== shownDevice) {
            shownDevice = tank.id;
            draft = null;
            isEdited = false;
            outside = new Set();
            recovered = null;
            for (const card of made.values()) card.element.remove();
            made.clear();
        }
        if (tank) {
            watchRecoveries(tank);
            if (connection.state === "live" || connection.state === "connecting") history.read(tank);
        }
        const back = recovered && recovered.device === tank?.id ? recovered.name : null;
        const headline = headlineOf(tank, connection, now, back);
        /** @param {Gauge} gauge */
        const seriesOf = (gauge) => tank ? history.seriesOf(tank, gauge) : null;
        updateAir(tank, headline, now, seriesOf);
        updateNotices(tank, headline, now);
        updateCards(tank, headline, now, seriesOf);
        updateDetails(tank, now);
        updateOpened(tank);
    }

    /** @param {Tank} tank */
    function watchRecoveries(tank) {
        const next = new Set(tank.gauges.filter((gauge) => gauge.side !== null).map((gauge) => gauge.name));
        for (const name of outside) if (!next.has(name)) recovered = { device: tank.id, name };
        if (recovered && next.has(recovered.name)) recovered = null;
        outside = next;
    }

    /**
     * @param {Tank | null | undefined} tank
     * @param {import("../../app/headline.js").Headline} headline
     * @param {number} now
     * @param {(gauge: Gauge) => import("../../app/series.js").Series | null} seriesOf
     */
    function updateAir(tank, headline, now, seriesOf) {
        const isRefused = headline.kind === "loading" && trouble !== "";
        const text = isRefused
            ? {
                headline: t("home.failed"),
                reason: [{ text: t("home.failed_reason", { problem: trouble }) }],
                since: "",
                action: "",
            }
            : told(context, headline, { now, seriesOf });
        const about = `${tank?.id ?? ""} ${headline.kind} ${headline.finding?.gauge?.name ?? ""} ${headline.finding?.gauge?.side ?? ""}`;
        if (subject !== "" && about !== subject && headline.kind !== "loading") {
            setText(headline.isAlarm ? urgent : news, [text.headline, text.action].filter((part) => part !== "").join(". "));
        }
        subject = about;
        const others = (store.tanks.value ?? []).filter((other) => other.id !== tank?.id);
        const troubled = others.map((other) => standingOf(other, now).state)
            .filter((state) => state !== "fine" && state !== "waiting");
        const worst = gravity.find((state) => troubled.includes(state));
        const gauge = headline.finding?.gauge ?? headline.recovered;
        /** @type {import("../../components/air/air.js").AirButton[]} */
        const buttons = [];
        if (headline.kind === "empty") buttons.push({ text: t("home.empty_link"), kind: "primary", href: "/devices/link" });
        if (tank && gauge && !wide.matches && ["outside", "fault", "silent", "recovered"].includes(headline.kind)) {
            buttons.push({ text: t("home.graph"), kind: "primary", href: detailsPath(tank.id, gauge.name) });
        }
        if (headline.kind === "silentDevice") {
            buttons.push({ text: t("home.check"), kind: "primary", press: () => showChecks(context) });
        }
        if (isRefused || headline.kind === "noAnswer" || headline.kind === "offline") {
            buttons.push({ text: t("home.noAnswer_now"), kind: "primary", press: again });
        }
        air.update({
            tone: headline.isAlarm ? "alarm" : "plain",
            isLoading: headline.kind === "loading" && !isRefused,
            devices: (store.tanks.value ?? []).map((other) => deviceModel(context, other, now, other.id === tank?.id)),
            chooseLabel: t("home.choose"),
            elsewhere: worst === undefined ? null : {
                shape: worst,
                count: String(troubled.length),
                label: t("home.elsewhere", { count: troubled.length }),
            },
            live: liveWord(headline),
            ...text,
            buttons,
            ...lineModel(context, tank, headline, now, seriesOf),
            moreLabel: t("home.more"),
        });
        set(air.element, "data-strong", headline.kind === "empty");
    }

    /**
     * @param {import("../../app/headline.js").Headline} headline
     * @returns {{shape: import("../../components/shape/shape.js").ShapeName, text: string} | null}
     */
    function liveWord(headline) {
        switch (headline.kind) {
            case "loading":
            case "empty":
            case "noAnswer":
                return null;
            case "offline":
                return { shape: "offline", text: t("home.offlineWord") };
            case "silentDevice":
                return { shape: "silent", text: t("home.silentWord") };
            default:
                return store.connection.value.state === "live"
                    ? { shape: "live", text: t("home.live") }
                    : { shape: "snoozed", text: t("home.connecting") };
        }
    }

    function again() {
        context.live.hurry();
        read();
    }

    /** Reads everything; what the service refuses is told, what does not answer shows in the connection. */
    async function read() {
        trouble = "";
        try {
            await store.refresh();
        } catch (error) {
            if (isProblem(error)) trouble = context.explain(error);
        }
        update();
    }

    /**
     * @param {Tank | null | undefined} tank
     * @param {import("../../app/headline.js").Headline} headline
     * @param {number} now
     */
    function updateNotices(tank, headline, now) {
        const isCutOff = headline.kind === "offline" || headline.kind === "noAnswer";
        const others = tank && !isCutOff ? headline.others : [];
        const shown = others.slice(0, others.length > mostNotices + 1 ? mostNotices : mostNotices + 1);
        const keys = new Set();
        shown.forEach((finding, index) => {
            const gauge = finding.gauge;
            const key = `${finding.kind} ${gauge?.name ?? ""}`;
            keys.add(key);
            let row = rows.get(key);
            if (!row) rows.set(key, row = createNotice());
            row.update({
                shape: finding.kind === "outside" ? gauge?.side ?? "high" : finding.kind === "fault" ? "fault" : "silent",
                text: noticed(context, finding, now),
                href: gauge && tank ? detailsPath(tank.id, gauge.name) : `/devices/${encodeURIComponent(tank?.id ?? "")}`,
            });
            const item = row.element.parentElement ?? h("li", null, row.element);
            if (notices.children[index] !== item) notices.insertBefore(item, notices.children[index] ?? null);
        });
        for (const [key, row] of rows) {
            if (keys.has(key)) continue;
            row.element.parentElement?.remove();
            rows.delete(key);
        }
        const left = others.length - shown.length;
        const last = notices.querySelector(".home-notices-more");
        if (left > 0) {
            const item = last ?? h("li", { class: "home-notices-more small quiet" });
            setText(item, t("home.notices", { count: left }));
            notices.append(item);
        } else last?.remove();
        set(notices, "hidden", shown.length === 0);
    }

    /**
     * @param {Tank | null | undefined} tank
     * @param {import("../../app/headline.js").Headline} headline
     * @param {number} now
     * @param {(gauge: Gauge) => import("../../app/series.js").Series | null} seriesOf
     */
    function updateCards(tank, headline, now, seriesOf) {
        set(editing, "hidden", !isEdited);
        set(cards, "data-edited", isEdited);
        if (!tank) {
            const kind = tank === null ? "ghost" : "loading";
            if (cards.getAttribute("data-blank") !== kind) {
                cards.setAttribute("data-blank", kind);
                cards.replaceChildren(...Array.from({ length: blanks }, () => createBlankCard(kind)));
            }
            set(rest, "hidden", true);
            return;
        }
        if (cards.hasAttribute("data-blank")) {
            cards.removeAttribute("data-blank");
            cards.replaceChildren();
        }
        const isCutOff = headline.kind === "offline" || headline.kind === "noAnswer";
        const gauges = ordered(tank);
        const hasSome = gauges.some((gauge) => gauge.value !== null);
        // What has no probe stands apart, unless nothing was measured yet.
        const shown = hasSome ? gauges.filter((gauge) => gauge.value !== null) : gauges;
        const unmeasured = hasSome ? gauges.filter((gauge) => gauge.value === null) : [];
        place(cards, shown);
        place(restCards, unmeasured);
        set(rest, "hidden", unmeasured.length === 0 || isEdited);
        setText(restName, t("home.unmeasured", { count: unmeasured.length }));
        const current = wide.matches ? selected(tank, now) : null;
        for (const [index, gauge] of [...shown, ...unmeasured].entries()) {
            made.get(gauge.name)?.update(cardModel(context, tank, gauge, {
                now,
                isCutOff,
                seenAt: headline.at,
                series: seriesOf(gauge),
                isCurrent: gauge.name === current,
                place: index + 1,
                count: shown.length,
            }));
        }
        for (const gauge of shown) made.get(gauge.name)?.edit(isEdited && shown.length > 1);
        for (const gauge of unmeasured) made.get(gauge.name)?.edit(false);
    }

    /**
     * Puts the cards of some parameters into a list, in their order, and leaves alone those that stand right.
     * @param {HTMLElement} into
     * @param {Gauge[]} gauges
     */
    function place(into, gauges) {
        gauges.forEach(({ name }, index) => {
            let card = made.get(name);
            if (!card) {
                card = createCard();
                card.element.setAttribute("data-name", name);
                card.link.addEventListener("click", (event) => open(event, name));
                made.set(name, card);
                if (name === lastOpened) {
                    const { ring } = card;
                    ring.setAttribute("data-growing", "");
                    setTimeout(() => ring.removeAttribute("data-growing"), 500);
                    lastOpened = "";
                }
            }
            if (into.children[index] !== card.element) into.insertBefore(card.element, into.children[index] ?? null);
        });
    }

    /**
     * @param {MouseEvent} event
     * @param {string} name
     */
    function open(event, name) {
        const tank = store.current.value;
        if (!tank || event.metaKey || event.ctrlKey || event.shiftKey) return;
        recovered = null;
        if (isEdited) event.preventDefault();
        else if (wide.matches) {
            event.preventDefault();
            beside = { device: tank.id, name };
            update();
        } else {
            lastOpened = name;
            made.get(name)?.ring.setAttribute("data-growing", "");
        }
    }

    /**
     * Which parameter stands beside the list: the chosen one, else the worst, else the first.
     * @param {Tank} tank
     * @param {number} now
     */
    function selected(tank, now) {
        if (beside?.device === tank.id && tank.gauges.some((gauge) => gauge.name === beside?.name)) return beside.name;
        const worst = findingsOf(tank, now).find((finding) => finding.gauge !== null)?.gauge;
        const gauges = ordered(tank);
        return (worst ?? gauges.find((gauge) => gauge.value !== null) ?? gauges[0])?.name ?? null;
    }

    /**
     * @param {Tank | null | undefined} tank
     * @param {number} now
     */
    function updateDetails(tank, now) {
        const name = tank && wide.matches ? selected(tank, now) : null;
        if (details && (details.device !== tank?.id || details.parameter !== name)) {
            details.unmount();
            details = null;
        }
        if (tank && name !== null && !details) {
            // The choice holds, even when something else becomes worse: nothing moves by itself.
            beside = { device: tank.id, name };
            details = createDetails(context, { device: tank.id, parameter: name, isBeside: true });
            aside.replaceChildren(details.element);
        }
        set(aside, "hidden", details === null);
    }

    /**
     * On tablets the first card opens as a graph while it is outside.
     * @param {Tank | null | undefined} tank
     */
    function updateOpened(tank) {
        const first = tank ? ordered(tank).find((gauge) => gauge.value !== null) : undefined;
        const name = tank && first && first.side !== null && medium.matches && !isEdited ? first.name : null;
        if (opened && (opened.device !== tank?.id || opened.parameter !== name)) {
            opened.unmount();
            opened.element.remove();
            opened = null;
        }
        if (tank && name !== null && !opened) {
            opened = createDetails(context, { device: tank.id, parameter: name, isBeside: true });
            opened.element.classList.add("home-opened");
        }
        if (opened && name !== null) {
            const card = made.get(name);
            if (card && opened.element.parentElement !== card.element) card.element.append(opened.element);
        }
        for (const [other, card] of made) set(card.element, "data-opened", other === name);
    }

    const end = effect(
        [store.tanks, store.current, store.connection, history.changes],
        update,
    );
    const ticking = setInterval(() => {
        if (!document.hidden) update();
    }, 1000);
    wide.addEventListener("change", update);
    medium.addEventListener("change", update);
    if (store.tanks.value === undefined) read();

    return {
        update,
        unmount() {
            clearInterval(ticking);
            wide.removeEventListener("change", update);
            medium.removeEventListener("change", update);
            end();
            reordering.remove();
            details?.unmount();
            opened?.unmount();
            air.remove();
        },
    };
}
