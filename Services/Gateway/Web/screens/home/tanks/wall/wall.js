/**
 * All tanks on a screen on the wall, to be read from afar: large numbers, nothing to press, no sleep. It says when it is not live, for nobody
 * would notice otherwise.
 */

import { createTile } from "../../../../components/tile/tile.js";
import { createSymbol } from "../../../../components/symbol/symbol.js";
import { periodOf } from "../../../../app/history.js";
import { pastOf } from "../../../../app/tank-lines.js";
import { setShape } from "../../../../components/shape/shape.js";
import { h, set, setText } from "../../../../page/dom.js";
import { createKeyed } from "../../../../page/keyed.js";
import { effect } from "../../../../page/signals.js";
import { isCutOff as isUnknown } from "../../../../water/headline.js";
import { ordered, parametersOf, standingIn } from "../../../../water/overview.js";
import { tileModel } from "../models.js";
import { viewKept } from "../view.js";
import { keepAwake } from "../../../../page/awake.js";

/** @typedef {import("../../../../water/headline.js").Tank} Tank */

/** As many as can be read from afar; of more, those in trouble come first. */
const most = 60;

/**
 * @param {HTMLElement} root
 * @param {import("../../../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, store, format } = context;
    context.title(t("tanks.wall"));
    const view = viewKept(context.preferences, true);
    const headline = h("h1", { class: "wall-headline headline", tabindex: "-1" });
    const liveShape = h("span");
    const liveText = h("span");
    const live = h("p", { class: "wall-live", role: "status" }, liveShape, liveText);
    const clock = h("p", { class: "wall-clock" });
    const sleepy = h("p", { class: "wall-note small", hidden: true }, t("tanks.sleeps"));
    const whole = h("button", { class: "icon-button", type: "button", "aria-label": t("tanks.wholeScreen"), hidden: !document.fullscreenEnabled, onclick: toggleWhole }, createSymbol("wall"));
    const back = h("a", { class: "icon-button", href: "/tanks", "aria-label": t("common.close") }, createSymbol("close"));
    const head = h("header", { class: "air wall-head" }, headline, live, clock, h("div", { class: "wall-buttons" }, whole, back));
    const list = h("ul", { class: "wall-tiles" });
    const rest = h("p", { class: "wall-note" });
    const element = h("div", { class: "single wall" }, head, list, h("footer", { class: "wall-foot" }, rest, sleepy));
    root.replaceChildren(element);
    const updateTiles = createKeyed(list, (/** @type {import("../../../../components/tile/tile.js").TileModel} */ { id }) => id, () => createTile((id) => store.choose(id)));
    /** The order that stands: nobody is there to ask for another, so that it follows who is in trouble. @type {string[]} */
    let order = [];
    let troubled = "";

    function toggleWhole() {
        if (document.fullscreenElement) void document.exitFullscreen();
        else document.documentElement.requestFullscreen().catch(() => {});
    }

    function update() {
        const now = Date.now();
        const tanks = store.tanks.value ?? [];
        const connection = store.connection.value;
        const isCutOff = isUnknown(connection);
        const isLive = connection.state === "live" && !isCutOff;
        const standings = new Map(tanks.map((tank) => [tank.id, standingIn(tank, now)]));
        const trouble = [...standings].filter(([, { mood }]) => !["fine", "waiting", "byHand"].includes(mood)).map(([id, { mood }]) => `${id} ${mood}`).join();
        const isMore = tanks.length > most;
        if (order.length !== tanks.length || (isMore && trouble !== troubled)) order = ordered(tanks, isMore ? "trouble" : view.order === "name" ? "name" : "own", standings, t.language);
        troubled = trouble;
        const known = new Map(tanks.map((tank) => [tank.id, tank]));
        const shown = order.slice(0, most).flatMap((id) => known.get(id) ?? []);
        const parameters = parametersOf(tanks);
        const parameter = view.parameter !== null && parameters.includes(view.parameter) ? view.parameter : null;
        const past = pastOf(store.told.episodes.value, periodOf(now));
        updateTiles(shown.map((tank) => {
            const standing = standings.get(tank.id) ?? standingIn(tank, now);
            return tileModel(context, tank, standing, { now, parameter, isCutOff: !isLive, past: past.get(tank.id) ?? [] });
        }));
        const columns = columnsFor(shown.length, innerWidth / Math.max(1, innerHeight));
        list.style.setProperty("--columns", String(columns));
        list.style.setProperty("--rows", String(Math.max(1, Math.ceil(shown.length / columns))));
        const count = [...standings.values()].filter(({ needs }) => needs).length;
        const isAlarm = isLive && [...standings.values()].some(({ needs, isOutside }) => needs && isOutside);
        const seenAt = connection.lateSince ?? connection.seenAt;
        set(element, "data-tone", isAlarm ? "alarm" : isLive ? "fine" : "old");
        setText(headline, count > 0 ? t("tanks.need", { count, all: tanks.length }) : tanks.length === 0 ? t("home.loading") : t("home.fine"));
        setShape(liveShape, isLive ? "live" : "offline");
        setText(liveText, isLive ? t("home.live") : seenAt === null ? t("tanks.neverLive") : t("tanks.notLive", { at: format.at(seenAt, now), span: format.brief(Math.max(1_000, now - seenAt)) }));
        setText(clock, format.clock(now));
        setText(rest, isMore ? t("tanks.rest", { count: tanks.length - most }) : parameter === null ? t("tanks.nearest") : t(`water.${parameter}_full`));
    }

    const end = effect([store.tanks, store.connection, store.told.episodes], update);
    const ticking = setInterval(update, 1_000);
    addEventListener("resize", update);
    const endAwake = keepAwake((isAwake) => set(sleepy, "hidden", isAwake));
    if (store.tanks.value === undefined) store.read().catch(() => {});
    return {
        unmount() {
            end();
            endAwake();
            clearInterval(ticking);
            removeEventListener("resize", update);
            updateTiles([]);
            if (document.fullscreenElement) void document.exitFullscreen();
        },
    };
}

/**
 * How many tiles stand side by side, so that all are in sight and each about twice as wide as high.
 * @param {number} count
 * @param {number} aspect Of the window, its width over its height.
 */
function columnsFor(count, aspect) {
    return Math.max(1, Math.round(Math.sqrt(count * aspect / 1.9)));
}
