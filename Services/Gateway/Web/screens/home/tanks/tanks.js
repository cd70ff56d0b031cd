/** All tanks at once: how many need somebody, and each of them as a tile or a row. Their order moves only when it is asked for. */

import { periodOf } from "../../../app/history.js";
import { pastOf } from "../../../app/tank-lines.js";
import { createAir } from "../../../components/air/air.js";
import { createEmpty } from "../../../components/page/page.js";
import { createIcon } from "../../../components/shape/shape.js";
import { swellsOf } from "../../../drawing/waterline.js";
import { h, setText } from "../../../page/dom.js";
import { effect } from "../../../page/signals.js";
import { isCutOff as isUnknown } from "../../../water/headline.js";
import { countsOf, groupsOf, isShownBy, kept, ordered, parametersOf, standingIn } from "../../../water/overview.js";
import { mayWrite } from "../../../water/projects.js";
import { isProblem } from "../../../words/problem.js";
import { chooseDevice } from "../menus.js";
import { matterOf, tileModel } from "./models.js";
import { createPlaces } from "./places/places.js";
import { createTiles } from "./tiles.js";
import { createToolbar } from "./toolbar.js";
import { keepView, viewKept } from "./view.js";

/** @typedef {import("../../../water/headline.js").Tank} Tank */
/** @typedef {import("../../../water/overview.js").Standing} Standing */

/** What is told of time is told anew so often, in milliseconds. */
const grain = 10_000;
/** So many tanks are named above the line. */
const mostNamed = 3;
/** From so many tanks on they stand in groups, of which those with trouble are open. */
const crowd = 60;

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, store, format } = context;
    context.title(t("home.all"));
    const wide = matchMedia("(min-width: 46.5em)");
    const roomy = matchMedia("(min-width: 75em)");
    const view = viewKept(context.preferences, wide.matches);
    const air = createAir({ choose: () => chooseDevice(context), pick: choose, work() {}, more: showMore });
    const toolbar = createToolbar(context, view, viewed);
    const tiles = createTiles({ open });
    const places = createPlaces(context, { view, open, changed: placed });
    const none = h("p", { class: "rows-note", hidden: true }, t("tanks.none"));
    const empty = createEmpty(t("home.empty_reason"), { text: t("home.empty_link"), href: "/devices/link", isPrimary: true });
    const news = h("p", { class: "visually-hidden", role: "status" });
    const water = h("div", { class: "water tanks-water" }, news, toolbar.element, none, empty, places.element, tiles.element);
    air.element.classList.add("tanks-air");
    root.replaceChildren(air.element, water);

    /** The order that was taken last. @type {string[] | null} */
    let order = null;
    /** Who needed somebody when it was. @type {Set<string>} */
    let needed = new Set();
    let takeAway = () => {};
    /** How each tank stands, and of what that was made. @type {Map<string, {tank: Tank, at: number, standing: Standing}>} */
    let stood = new Map();
    let trouble = "";

    /**
     * @param {readonly Tank[]} tanks
     * @param {number} now
     */
    function standingsOf(tanks, now) {
        const at = Math.floor(now / grain);
        const former = stood;
        stood = new Map(tanks.map((tank) => {
            const had = former.get(tank.id);
            return [tank.id, had?.tank === tank && had.at === at ? had : { tank, at, standing: standingIn(tank, now) }];
        }));
        return new Map([...stood].map(([id, { standing }]) => [id, standing]));
    }

    /** @param {string} id */
    function open(id) {
        store.choose(id);
    }

    /** @param {string} group A group's id; a blank: all. */
    function choose(group) {
        view.group = group === " " ? null : group;
        update();
    }

    function viewed() {
        order = null;
        keepView(context.preferences, view);
        update();
    }

    function placed() {
        keepView(context.preferences, view);
        update();
    }

    /** Sorts once more, because the person wants it. */
    function sortAgain() {
        order = null;
        update();
    }

    function update() {
        const now = Date.now();
        const all = store.tanks.value;
        const connection = store.connection.value;
        const isCutOff = isUnknown(connection);
        const standings = standingsOf(all ?? [], now);
        if (all && order === null) {
            order = ordered(all, view.order, standings, t.language);
            needed = needing(standings);
            takeAway();
        } else if (all) tellNews(standings);
        const groups = groupsOf(store.devices.value ?? []);
        if (!groups.some(({ id }) => id === view.group)) view.group = null;
        const inGroup = view.group === null ? null : groups.find(({ id }) => id === view.group)?.devices ?? null;
        const listed = kept(order ?? [], all ?? []).filter(({ id }) => inGroup === null || inGroup.has(id));
        const list = /** @param {Tank} tank */ ({ id }) => /** @type {Standing} */ (standings.get(id));
        const counts = countsOf(listed.map(list));
        if (!counts.some(({ filter }) => filter === view.filter)) view.filter = "all";
        const shown = listed.filter((tank) => isShownBy(list(tank), view.filter));
        const parameters = parametersOf(all ?? []);
        const parameter = view.parameter !== null && parameters.includes(view.parameter) ? view.parameter : null;
        toolbar.update({ counts, groups, parameters, shown: shown.length });
        toolbar.element.hidden = (all ?? []).length === 0;
        none.hidden = all === undefined || all.length === 0 || shown.length > 0;
        empty.hidden = all === undefined || all.length > 0;
        const past = pastOf(store.told.episodes.value, periodOf(now));
        const at = Math.floor(now / grain);
        /** @param {Tank} tank */
        const piece = (tank) => ({
            id: tank.id,
            parts: [tank, at, isCutOff, parameter, past.get(tank.id)?.length ?? 0, periodOf(now).to],
            make: () => tileModel(context, tank, list(tank), { now, parameter, isCutOff, past: past.get(tank.id) ?? [] }),
        });
        const { layout } = view;
        const kind = layout === "plan" || layout === "map" ? layout : null;
        const front = kind === null ? [] : kept(ordered(shown, "trouble", standings), shown);
        const standing = places.update(kind, front.map(piece));
        if (layout === "plan" || layout === "map") tiles.update(standing === null ? [] : elsewhere(layout, shown.filter(({ id }) => !standing.has(id)).map(piece)), "list");
        else tiles.update(shown.length >= crowd && groups.length > 1 && view.group === null ? inGroups() : together(), layout);
        updateAir(listed, list, groups, now, isCutOff);

        function together() {
            return [{ id: " ", name: "", note: "", isOpen: true, pieces: shown.map(piece) }];
        }

        function inGroups() {
            return groups.map(({ id, name, devices }) => {
                const own = shown.filter((tank) => devices.has(tank.id));
                const needs = own.filter((tank) => list(tank).needs).length;
                const note = needs > 0 ? t("tanks.need", { count: needs, all: own.length }) : t("projects.tanks", { count: own.length });
                return { id, name: name ?? t("tanks.group_own"), note, isOpen: needs > 0 || view.filter !== "all", pieces: own.map(piece) };
            }).filter(({ pieces }) => pieces.length > 0);
        }
    }

    /**
     * Tanks that stand on no plan, or have no position.
     * @param {'plan' | 'map'} kind
     * @param {readonly import("./tiles.js").Piece[]} pieces
     */
    const elsewhere = (kind, pieces) =>
        pieces.length === 0 ? [] : [{ id: "elsewhere", name: t(`tanks.elsewhere_${kind}`), note: t("projects.tanks", { count: pieces.length }), isOpen: true, pieces }];

    /** @param {ReadonlyMap<string, Standing>} standings */
    const needing = (standings) => new Set([...standings].filter(([, { needs }]) => needs).map(([id]) => id));

    /**
     * Somebody needs a hand who did not when the order was taken: it shows in its place, and the person may sort again.
     * @param {ReadonlyMap<string, Standing>} standings
     */
    function tellNews(standings) {
        const next = needing(standings);
        const isNew = [...next].some((id) => !needed.has(id));
        needed = new Set([...needed, ...next]);
        if (!isNew || view.order !== "trouble") return;
        takeAway();
        takeAway = context.toast({ text: t("tanks.moved"), action: { text: t("tanks.again"), press: sortAgain } });
    }

    /**
     * @param {readonly Tank[]} tanks
     * @param {(tank: Tank) => Standing} standing
     * @param {ReturnType<typeof groupsOf>} groups
     * @param {number} now
     * @param {boolean} isCutOff
     */
    function updateAir(tanks, standing, groups, now, isCutOff) {
        // What people test is never counted among what is live and within the limits.
        const probed = tanks.filter((tank) => standing(tank).mood !== "byHand").length;
        const troubled = tanks.map((tank) => ({ tank, ...standing(tank) })).filter(({ mood, finding }) => finding && mood !== "snoozed")
            .sort((one, other) =>
                Number(other.needs) - Number(one.needs) || Number(other.isOutside) - Number(one.isOutside) ||
                (other.finding?.departure ?? 0) - (one.finding?.departure ?? 0)
            );
        const count = troubled.filter(({ needs }) => needs).length;
        const seenTo = troubled.length - count;
        const isAlarm = !isCutOff && troubled.some(({ needs, isOutside }) => needs && isOutside);
        const first = troubled[0];
        const isLoading = store.tanks.value === undefined;
        const connection = store.connection.value;
        const at = connection.lateSince ?? connection.seenAt ?? now;
        const headline = isLoading
            ? trouble === "" ? t("home.loading") : t("home.failed")
            : tanks.length === 0
            ? t("home.empty")
            : isCutOff
            ? connection.state === "offline" ? t("home.offline", { at: format.at(at, now) }) : t(connection.state === "noAnswer" ? "home.noAnswer" : "home.late")
            : count > 0
            ? t("tanks.need", { count, all: tanks.length })
            : seenTo > 0
            ? t("tanks.seenTo", { count: seenTo })
            : t(probed === 0 ? "home.byHand_word" : "home.fine");
        /** @type {{text: string, isStrong?: boolean}[]} */
        const reason = isLoading
            ? [{ text: trouble === "" ? "" : t("home.failed_reason", { problem: trouble }) }]
            : isCutOff
            ? [{ text: connection.state === "offline" ? t("home.offline_reason") : t(connection.state === "noAnswer" ? "home.noAnswer_reason" : "home.late_reason", { time: format.placed(at, now) }) }]
            : troubled.length === 0
            ? [{ text: tanks.length === 0 ? "" : probed === 0 ? t("home.byHand_reason") : t("tanks.fine", { count: probed }) }]
            : troubled.slice(0, mostNamed).flatMap(({ tank, finding }, index) => finding
                ? [
                    { text: `${index === 0 ? "" : "\n"}${t("tanks.of", { name: tank.name })} `, isStrong: true },
                    { text: matterOf(context, finding, now, roomy.matches) },
                ]
                : []);
        if (headline !== air.headline.textContent && !isLoading) setText(news, headline);
        const period = periodOf(now);
        const swells = troubled.filter(({ isOutside }) => isOutside).flatMap(({ finding, tank }) =>
            tank.gauges.filter(({ side }) => side !== null).map((gauge) => ({
                from: gauge.since ?? now,
                to: period.to,
                worst: finding?.departure ?? 0,
                isOpen: true,
            }))
        );
        const heard = tanks.filter((tank) => !["silent", "waiting", "byHand"].includes(standing(tank).mood)).length;
        const names = [{ id: " ", name: t("home.all") }, ...groups.length > 1 ? groups.map(({ id, name }) => ({ id, name: name ?? t("tanks.group_own") })) : []];
        const isNone = isLoading || tanks.length === 0;
        air.update({
            tone: isAlarm ? "alarm" : "plain",
            isLoading: isLoading && trouble === "",
            devices: names.map(({ id, name }) => ({ id, name, shape: null, label: name, isCurrent: id === (view.group ?? " ") })),
            chooseLabel: t("home.choose"),
            elsewhere: null,
            live: isNone || isCutOff || probed === 0 ? null : connection.state === "live"
                ? { shape: "live", text: t("tanks.heard", { count: heard, all: probed }) }
                : { shape: "snoozed", text: t("home.connecting") },
            headline,
            reason,
            since: "",
            action: "",
            onIt: null,
            buttons: isCutOff || isLoading
                ? trouble !== "" || isCutOff ? [{ text: t("home.noAnswer_now"), kind: "primary", press: again }] : []
                : first?.needs
                ? [{ text: t("tanks.see", { name: first.tank.name }), kind: "primary", press: () => see(first.tank.id) }]
                : [],
            line: {
                period,
                swells: isCutOff ? [] : swellsOf(swells, period, 10 * 60_000),
                gaps: [],
                tone: isLoading ? "loading" : isNone ? "never" : isAlarm ? "alarm" : isCutOff ? "old" : "fine",
            },
            captions: { start: "", begin: null, end: "" },
            workLabel: null,
            moreLabel: t("home.more"),
        });
    }

    /** @param {string} id */
    function see(id) {
        store.choose(id);
        void context.navigate("/");
    }

    function again() {
        context.live.hurry();
        void read(store.refresh);
    }

    /** What can be done with all of them. */
    function showMore() {
        const sheet = context.sheet({
            title: t("home.all"),
            body: [h(
                "ul",
                { class: "menu" },
                row("/tanks/wall", t("tanks.wall")),
                mayWrite(store.tanks.value ?? []) ? row("/tanks/limits", t("many.title")) : null,
                row("/settings/projects", t("projects.title")),
                row("/devices/link", t("home.empty_link")),
            )],
        });

        /**
         * @param {string} href
         * @param {string} text
         */
        function row(href, text) {
            return h("li", null, h("a", { class: "menu-row", href, onclick: () => sheet.close() }, h("span", { class: "menu-row-text" }, text), createIcon("chevronRight", "icon-small")));
        }
    }

    /** @param {() => Promise<void>} reading */
    async function read(reading) {
        trouble = "";
        try {
            await reading();
        } catch (error) {
            if (isProblem(error)) trouble = context.explain(error);
        }
        update();
    }

    /** The group of the address, as the list beside the tabs names it. */
    function follow() {
        const group = decodeURIComponent(location.hash.slice(1));
        view.group = location.hash === "" ? null : group;
        update();
    }

    // Whoever looks at all of them has chosen none.
    store.choose(null);
    if (location.hash !== "") view.group = decodeURIComponent(location.hash.slice(1));
    addEventListener("hashchange", follow);
    const end = effect([store.tanks, store.connection, store.told.episodes], update);
    const ticking = setInterval(() => {
        if (!document.hidden) update();
    }, grain);
    if (store.tanks.value === undefined) void read(store.read);

    return {
        update,
        unmount() {
            clearInterval(ticking);
            removeEventListener("hashchange", follow);
            end();
            takeAway();
            places.remove();
            tiles.remove();
            air.remove();
        },
    };
}
