/**
 * How is my water? One sentence, the last 12 hours of the whole device, and a card for each parameter. On wide windows the
 * details of one parameter stand beside the list.
 */

import { actingAs } from "../../app/acting.js";
import { historyOf } from "../../app/history.js";
import { h } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { headlineOf, isCutOff, isOutside } from "../../water/headline.js";
import { needsOf } from "../../water/leading.js";
import { isProblem } from "../../words/problem.js";
import { createAbove } from "./above.js";
import { createBeside } from "./beside.js";
import { createCalling } from "./calling.js";
import { createCards } from "./cards.js";
import { createHappening } from "./happening.js";
import { showMenu } from "./menus.js";
import { createNotices } from "./notices.js";
import { createQuietLine } from "./quiet-line.js";
import { createReaching } from "./reaching.js";

/** @typedef {import("../../water/headline.js").Gauge} Gauge */
/** @typedef {import("../../water/headline.js").Tank} Tank */

/** The tanks whose alarm was brought into view. @type {Set<string>} */
const sought = new Set();

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {Record<string, string>} [params] The parameter whose details stand beside the list.
 */
export function mount(root, context, params = {}) {
    const { store, t } = context;
    const history = historyOf(context);
    if (params.device) store.choose(params.device);

    const above = createAbove(context, {
        more() {
            const tank = store.current.value;
            if (tank) showMenu(context, tank, () => cards.edit(true));
        },
        again() {
            context.live.hurry();
            read(store.refresh);
        },
        hasDetails: () => beside.isWide(),
    });
    const { air } = above;
    const notices = createNotices(context);
    const reaching = createReaching(context, update);
    const happening = createHappening(context, update);
    const calling = createCalling(context, update);
    const caring = createQuietLine(context, { key: "care", href: "/care" }, store.care, update);
    const lateProbe = createQuietLine(context, { key: "probe" }, store.probes, update);
    const cards = createCards(context, { changed: update, say: above.say, finished: () => air.headline.focus(), open });
    const beside = createBeside(context, {
        cards,
        changed: update,
        chosen: params.parameter ? { device: params.device, name: params.parameter } : null,
    });
    const panes = h("div", { class: "home-panes" }, cards.element, beside.element);
    const water = h("div", { class: "water home-water" }, air.captions, notices.element, reaching.element, cards.editing, above.announcements, panes);
    root.replaceChildren(air.element, water);
    context.title(t("home.title"));

    /** Who was outside a moment ago, and of which limits, to say who came back, and why. @type {Map<string, string>} */
    let outside = new Map();
    /** @type {({device: string} & import("../../water/headline.js").Recovered) | null} */
    let recovered = null;
    let shownDevice = "";
    /** Why nothing is known yet, when the service said so. */
    let trouble = "";
    let isWaiting = true;

    function update() {
        if (cards.isMoving()) return;
        // It becomes known only now that there are many.
        if (!params.device && store.opensAll()) return void context.navigate("/tanks", { replace: true });
        const now = Date.now();
        const connection = store.connection.value;
        const tank = isWaiting && !reaching.isSettled() && !isCutOff(connection) ? undefined : store.current.value;
        if (tank && tank.id !== shownDevice) {
            shownDevice = tank.id;
            outside = new Map();
            recovered = null;
            cards.clear();
        }
        if (tank) {
            watchRecoveries(tank);
            if (connection.state === "live" || connection.state === "connecting") history.read(tank);
        }
        const back = recovered && recovered.device === tank?.id ? recovered : null;
        const headline = headlineOf(tank, connection, now, back);
        if (isWaiting && headline.kind !== "loading") appear();
        isWaiting = headline.kind === "loading";
        /** @param {Gauge} gauge */
        const seriesOf = (gauge) => tank ? history.seriesOf(tank, gauge) : null;
        above.update(tank, headline, { now, trouble, seriesOf, overall: overallOf(tank, now) });
        notices.update(tank, headline, now, always(headline, now));
        cards.update(tank, headline, { now, current: beside.nameBeside(tank, now), seriesOf });
        beside.update(tank, now);
        if (tank && headline.isAlarm) bringIntoView(tank, headline);
    }

    /**
     * The rows that stand whatever else there is: that nothing reaches the person comes before all others.
     * @param {import("../../water/headline.js").Headline} headline
     * @param {number} now
     */
    function always(headline, now) {
        // What reaches a person is no matter of a project.
        const { row: reach, isFirst } = actingAs() ? { row: null, isFirst: false } : reaching.update(headline, now);
        const rows = [isFirst ? null : reach, ...[calling, happening, caring, lateProbe].map((one) => one.update(headline, now))];
        return { first: isFirst && reach ? [reach] : [], last: rows.filter((row) => row !== null) };
    }

    /**
     * For all tanks, until the person has chosen one.
     * @param {Tank | null | undefined} tank
     * @param {number} now
     */
    function overallOf(tank, now) {
        if (!tank || tank.id === store.chosen.value) return null;
        const needs = needsOf(store.tanks.value ?? [], now);
        return needs && { name: tank.name, ...needs };
    }

    /**
     * Moves to the card of what alarms, once a visit for each tank: from then on the page is the person's. On wide windows it stands
     * large beside the list.
     * @param {Tank} tank
     * @param {import("../../water/headline.js").Headline} headline
     */
    function bringIntoView(tank, { finding }) {
        const card = finding?.gauge ? cards.cardOf(finding.gauge.name) : undefined;
        if (!card || sought.has(tank.id) || beside.isWide() || !beside.isSettled()) return;
        sought.add(tank.id);
        if (scrollY > 0) return;
        const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        requestAnimationFrame(() => card.element.scrollIntoView({ block: "nearest", behavior: isCalm ? "auto" : "smooth" }));
    }

    /** What stood in for the content is replaced as a whole, for an alarm takes more room than that. */
    function appear() {
        const focused = document.activeElement;
        root.replaceChildren(air.element, water);
        if (focused instanceof HTMLElement && root.contains(focused)) focused.focus({ preventScroll: true });
    }

    /** @param {Tank} tank */
    function watchRecoveries(tank) {
        const limits = new Map(tank.gauges.map(({ name, range }) => [name, `${range.minimum} ${range.maximum}`]));
        const next = new Map(tank.gauges.filter(isOutside).map(({ name }) => [name, limits.get(name) ?? ""]));
        for (const [name, were] of outside) {
            if (!next.has(name)) recovered = { device: tank.id, name, isByLimits: limits.get(name) !== were };
        }
        if (recovered && next.has(recovered.name)) recovered = null;
        outside = next;
    }

    /**
     * @param {MouseEvent} event
     * @param {string} name
     */
    function open(event, name) {
        const tank = store.current.value;
        recovered = null;
        if (!tank || !beside.isWide()) return false;
        event.preventDefault();
        store.choose(tank.id);
        beside.choose(tank.id, name);
        update();
        return true;
    }

    /**
     * Reads everything; what the service refuses is told, what does not answer shows in the connection.
     * @param {() => Promise<void>} reading
     */
    async function read(reading) {
        trouble = "";
        try {
            await reading();
        } catch (error) {
            if (isProblem(error)) trouble = context.explain(error);
        }
        update();
    }

    const end = effect([store.tanks, store.current, store.connection, history.changes], update);
    const ticking = setInterval(() => {
        if (!document.hidden) update();
    }, 1000);
    if (store.tanks.value === undefined) read(store.read);

    return {
        update,
        unmount() {
            clearInterval(ticking);
            end();
            reaching.remove();
            happening.remove();
            calling.remove();
            caring.remove();
            lateProbe.remove();
            cards.remove();
            beside.remove();
            air.remove();
        },
    };
}
