/** What was alerted: what goes on comes first, then day by day. */

import { episodesOf, isOfRange, isOpen, shapeOf } from "../../app/alerts.js";
import { h, set, setText } from "../../app/dom.js";
import { isOutside } from "../../app/headline.js";
import { createKeyed } from "../../app/keyed.js";
import { createEmpty, createProblem, createTabPage } from "../../app/page.js";
import { isProblem } from "../../app/problem.js";
import { effect } from "../../app/signals.js";
import { createButton } from "../../components/button/button.js";
import { createBlankList, createRow } from "../../components/list-row/list-row.js";
import { besideTold } from "../alert/beside.js";
import { createOffer } from "../notifications/offer.js";

/** @typedef {import("../../app/alerts.js").Alert} Alert */
/** @typedef {import("../../app/alerts.js").Episode} Episode */

const pageSize = 100;

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api, store, format } = context;
    context.title(t("alerts.title"));
    const page = createTabPage({ title: t("alerts.title"), lead: t("common.loading") });
    const problem = createProblem({ text: t("common.retry"), press: () => read() });
    const blank = createBlankList(4);
    const none = createEmpty(t("alerts.none_text"), { text: t("alerts.none_where"), href: "/settings/notifications" });
    none.hidden = true;
    const list = h("div");
    const updateSections = createKeyed(list, (/** @type {Section} */ { key }) => key, createSection);
    const more = createButton({ text: t("alerts.more"), kind: "outlined", press: () => readMore() });
    more.element.hidden = true;
    const offer = createOffer(context);
    page.body.append(offer.element, problem.element, blank, none, list, more.element);
    root.replaceChildren(...page.parts);

    /** @type {Alert[] | null} */
    let alerts = null;
    /** @type {string | null} */
    let next = null;
    let hasEnded = false;
    let isOld = false;
    let seenAt = 0;

    async function read() {
        try {
            const { data } = await api.get("/alerts", { query: { limit: pageSize } });
            if (hasEnded) return;
            // What was loaded of older pages stays.
            const known = new Set(data.items.map((/** @type {Alert} */ { id }) => id));
            const older = (alerts ?? []).filter(({ id }) => !known.has(id));
            if (older.length === 0 || alerts === null || isOld) next = data.next;
            alerts = isOld ? data.items : [...data.items, ...older];
            isOld = false;
            seenAt = Date.now();
            problem.show("");
            store.keep("alerts", { items: data.items, seenAt });
        } catch (error) {
            if (hasEnded) return;
            if (alerts === null) {
                const kept = await store.kept("alerts");
                ({ items: alerts, seenAt } = kept?.items ? kept : { items: null, seenAt: 0 });
            }
            isOld = alerts !== null;
            // What is shown is dated; only where there is nothing to show it has to be said why.
            problem.show(isOld && !isProblem(error) ? "" : context.explain(error, "read"));
            if (alerts === null) {
                page.lead.textContent = "";
                blank.hidden = true;
            }
        }
        update();
    }

    async function readMore() {
        if (!next || !alerts) return;
        try {
            const { data } = await api.get("/alerts", { query: { limit: pageSize, cursor: next } });
            next = data.next;
            alerts = [...alerts, ...data.items];
            update();
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    function update() {
        more.element.hidden = next === null;
        if (alerts === null) return;
        blank.hidden = true;
        const now = Date.now();
        const tanks = store.tanks.value ?? [];
        const episodes = episodesOf(alerts);
        const open = episodes.filter((episode) => isOpen(episode, tanks));
        const past = episodes.filter((episode) => !open.includes(episode));
        // What is outside although nobody was told: there was no place to send an alert to.
        const untold = tanks.flatMap((tank) =>
            tank.gauges
                .filter(isOutside)
                .filter((gauge) => !open.some(({ first }) => isOfRange(first) && first.device?.id === tank.id && first.parameter === gauge.name))
                .map((gauge) => untoldRow(tank, gauge, now))
        );
        const rows = [...open.map((episode) => rowOf(episode, true, now)), ...untold];
        setText(
            page.lead,
            isOld
                ? t("devices.old", { time: format.moment(seenAt, now) })
                : rows.length > 0
                ? t("alerts.open", { count: rows.length })
                : t(episodes.length === 0 ? "alerts.none" : "alerts.quiet"),
        );
        none.hidden = rows.length > 0 || episodes.length > 0;
        /** @type {Map<string, Row[]>} */
        const days = new Map();
        for (const episode of past) {
            const day = format.day(episode.at, now);
            const group = days.get(day);
            const row = rowOf(episode, false, now);
            if (group) group.push(row);
            else days.set(day, [row]);
        }
        updateSections([
            ...(rows.length === 0 ? [] : [{ key: "now", title: t("alerts.now"), isNow: true, rows }]),
            ...[...days].map(([day, group]) => ({ key: `day ${day}`, title: day, isNow: false, rows: group })),
        ]);
    }

    /**
     * @param {import("../../app/headline.js").Tank} tank
     * @param {import("../../app/headline.js").Gauge} gauge
     * @param {number} now
     * @returns {Row}
     */
    function untoldRow(tank, { name, side, value, unit, range, since }, now) {
        const limit = side === "low" ? range.minimum : range.maximum;
        const times = since === null ? "" : t("alerts.since", { time: format.moment(since, now), span: format.duration(now - since) });
        return {
            key: `untold ${tank.id} ${name}`,
            isAlarm: true,
            name: t(`water.${name}_${side}`),
            detail: `${tank.name} · ${
                t(`alerts.${side}`, {
                    value: format.withUnit(format.number(value, range.decimals), unit),
                    limit: format.number(limit, range.decimals),
                })
            }`,
            more: [times, t("alerts.untold")],
            shape: side === "low" ? "low" : "high",
            href: `/p/${encodeURIComponent(tank.id)}/${name}`,
            isOpen: true,
        };
    }

    /**
     * @param {Episode} episode
     * @param {boolean} isNow
     * @param {number} now
     * @returns {Row}
     */
    function rowOf(episode, isNow, now) {
        const { first, since, until } = episode;
        const row = { key: episode.key, href: `/alerts/${first.id}`, isAlarm: isOfRange(first), isOpen: isNow };
        if (first.purpose === "test") {
            const detail = `${t(`alerts.state_${first.state}`)} · ${format.clock(Date.parse(first.decidedAt))}`;
            return { ...row, name: t("alerts.test"), detail, shape: "live", isOpen: false };
        }
        const { name, detail } = isOfRange(first) ? waterTold(episode, isNow) : besideTold(context, episode, now);
        const times = isNow
            ? t("alerts.since", { time: format.moment(since, now), span: format.duration(now - since) })
            : until === null
            ? format.clock(since)
            : `${format.clock(since)}–${format.clock(until)} · ${format.duration(until - since)}`;
        return { ...row, name, detail, more: [times], shape: isNow ? shapeOf(first) : "fine" };
    }

    /**
     * @param {Episode} episode
     * @param {boolean} isNow
     */
    function waterTold({ first, alerts: [newest] }, isNow) {
        const { parameter, side, unit, limit } = first;
        const own = store.parameterOf(first.device?.id ?? "", parameter ?? "");
        const decimals = (isNow ? newest : first).decimals ?? own?.decimals ?? 1;
        const value = format.withUnit(format.number(isNow ? newest.value : newest.worst ?? newest.value, decimals), unit ?? "");
        return {
            name: t(isNow ? `water.${parameter}_${side}` : `water.${parameter}_${side}Short`),
            detail: `${first.device?.name ?? ""} · ${t(`alerts.${side}`, { value, limit: format.number(limit, decimals) })}`,
        };
    }

    const end = effect([store.alertNews, store.connection], () => void read());
    const endTanks = effect([store.tanks], update);
    const timer = setInterval(update, 30_000);
    return {
        unmount() {
            hasEnded = true;
            offer.end();
            end();
            endTanks();
            clearInterval(timer);
        },
    };
}

/** @typedef {import("../../components/list-row/list-row.js").RowModel & {key: string, isAlarm: boolean}} Row Only water out of range is red. */
/** @typedef {{key: string, title: string, isNow: boolean, rows: Row[]}} Section What goes on has a surface for each row, a day one for all. */

/** @param {Section} section */
function createSection({ isNow }) {
    const head = h("h2", { class: "section-head" });
    const body = isNow ? h("div", { class: "stack" }) : h("ul", { class: "rows surface" });
    const keyOf = (/** @type {Row} */ { key }) => key;
    const updateRows = createKeyed(body, keyOf, isNow ? createOpen : createRow);
    return {
        element: h("section", null, head, body),
        /** @param {Section} section */
        update({ title, rows }) {
            setText(head, title);
            updateRows(rows);
        },
    };
}

/** @param {Row} model */
function createOpen(model) {
    const row = createRow(model);
    const element = h("ul", { class: "rows surface" }, row.element);
    return {
        element,
        /** @param {Row} next */
        update(next) {
            set(element, "class", `rows surface${next.isAlarm ? " alerts-open" : ""}`);
            row.update(next);
        },
    };
}
