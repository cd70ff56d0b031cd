/** What was alerted: what goes on comes first, then day by day. */

import { episodesOf, isOfRange, isOpen, shapeOf } from "../../app/alerts.js";
import { h } from "../../app/dom.js";
import { isOutside } from "../../app/headline.js";
import { createEmpty, createProblem, createTabPage } from "../../app/page.js";
import { isProblem } from "../../app/problem.js";
import { effect } from "../../app/signals.js";
import { createButton } from "../../components/button/button.js";
import { createBlankList, createList, createRow } from "../../components/list-row/list-row.js";
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
    const list = h("div", null, createBlankList(4));
    const more = createButton({ text: t("alerts.more"), kind: "outlined", press: () => readMore() });
    more.element.hidden = true;
    const offer = createOffer(context);
    page.body.append(offer.element, problem.element, list, more.element);
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
                list.replaceChildren();
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
        const count = open.length + untold.length;
        page.lead.textContent = isOld
            ? t("devices.old", { time: format.moment(seenAt, now) })
            : count > 0
            ? t("alerts.open", { count })
            : t(episodes.length === 0 ? "alerts.none" : "alerts.quiet");
        /** @type {Map<string, Episode[]>} */
        const days = new Map();
        for (const episode of past) {
            const day = format.day(episode.at, now);
            days.set(day, [...days.get(day) ?? [], episode]);
        }
        list.replaceChildren(
            ...(count === 0 && episodes.length === 0
                ? [createEmpty(t("alerts.none_text"), { text: t("alerts.none_where"), href: "/settings/notifications" })]
                : []),
            ...(count === 0 ? [] : [
                h("h2", { class: "section-head" }, t("alerts.now")),
                h(
                    "div",
                    { class: "stack" },
                    ...open.map((episode) => openList(rowOf(episode, true, now), isOfRange(episode.first))),
                    ...untold.map((row) => openList(row)),
                ),
            ]),
            ...[...days].flatMap(([day, group]) => [
                h("h2", { class: "section-head" }, day),
                createList(...group.map((episode) => rowOf(episode, false, now))),
            ]),
        );
    }

    /**
     * @param {HTMLElement} row
     * @param {boolean} [isAlarm] Only water out of range is red.
     */
    function openList(row, isAlarm = true) {
        const rows = createList(row);
        rows.classList.toggle("alerts-open", isAlarm);
        return rows;
    }

    /**
     * @param {import("../../app/headline.js").Tank} tank
     * @param {import("../../app/headline.js").Gauge} gauge
     * @param {number} now
     */
    function untoldRow(tank, { name, side, value, unit, range, since }, now) {
        const limit = side === "low" ? range.minimum : range.maximum;
        const row = createRow({
            name: t(`water.${name}_${side}`),
            detail: `${tank.name} · ${
                t(`alerts.${side}`, {
                    value: format.withUnit(format.number(value, range.decimals), unit),
                    limit: format.number(limit, range.decimals),
                })
            }`,
            shape: side === "low" ? "low" : "high",
            href: `/p/${encodeURIComponent(tank.id)}/${name}`,
            isOpen: true,
        });
        const times = since === null ? "" : t("alerts.since", { time: format.moment(since, now), span: format.duration(now - since) });
        row.inside.querySelector(".row-text")?.append(
            h("span", { class: "row-detail" }, times),
            h("span", { class: "row-detail" }, t("alerts.untold")),
        );
        return row.element;
    }

    /**
     * @param {Episode} episode
     * @param {boolean} isNow
     * @param {number} now
     */
    function rowOf(episode, isNow, now) {
        const { first, since, until } = episode;
        const href = `/alerts/${first.id}`;
        if (first.purpose === "test") {
            return createRow({ name: t("alerts.test"), detail: `${t(`alerts.state_${first.state}`)} · ${format.clock(Date.parse(first.decidedAt))}`, shape: "live", href })
                .element;
        }
        const { name, detail } = isOfRange(first) ? waterTold(episode, isNow) : besideTold(context, episode, now);
        const times = isNow
            ? t("alerts.since", { time: format.moment(since, now), span: format.duration(now - since) })
            : until === null
            ? format.clock(since)
            : `${format.clock(since)}–${format.clock(until)} · ${format.duration(until - since)}`;
        const row = createRow({ name, detail, shape: isNow ? shapeOf(first) : "fine", href, isOpen: isNow });
        row.inside.querySelector(".row-text")?.append(h("span", { class: "row-detail" }, times));
        return row.element;
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
