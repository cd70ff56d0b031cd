/** What was alerted: what goes on comes first, then day by day. */

import { createButton } from "../../components/button/button.js";
import { createBlankList, createRow } from "../../components/list-row/list-row.js";
import * as push from "../../app/push.js";
import { createNotice } from "../../components/notice/notice.js";
import { createOffer } from "../../components/offer/offer.js";
import { createEmpty, createProblem, createTabPage } from "../../components/page/page.js";
import { kindOf } from "../../kinds/index.js";
import { h, set, setText } from "../../page/dom.js";
import { createKeyed } from "../../page/keyed.js";
import { effect } from "../../page/signals.js";
import { isProblem } from "../../words/problem.js";
import { isoDay } from "../../words/time.js";
import { answeredText } from "../../water/answers.js";
import { waitingText } from "../../water/quiet.js";
import { snoozedText } from "../../water/snoozes.js";

/** @typedef {import("../../water/alerts.js").Episode} Episode */
/** @typedef {import("../../kinds/index.js").Open} Open */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, store, format } = context;
    const { told } = store;
    context.title(t("alerts.title"));
    const page = createTabPage({ title: t("alerts.title"), lead: t("common.loading") });
    const problem = createProblem({ text: t("common.retry"), press: () => void told.read() });
    const blank = createBlankList(4);
    const none = createEmpty(t("alerts.none_text"), { text: t("alerts.none_where"), href: "/settings/notifications" });
    none.hidden = true;
    const list = h("div");
    const updateSections = createKeyed(list, (/** @type {Section} */ { key }) => key, createSection);
    const more = createButton({ text: t("alerts.more"), kind: "outlined", press: () => readMore() });
    more.element.hidden = true;
    const offer = createOffer(context, { push });
    const waiting = createNotice();
    waiting.element.hidden = true;
    page.body.append(offer.element, problem.element, waiting.element, blank, none, list, more.element);
    root.replaceChildren(...page.parts);

    async function readMore() {
        try {
            await told.readMore();
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    function updateWaiting() {
        const { told, isOld } = store.quiet.known.value;
        const text = isOld ? "" : waitingText(context, told, Date.now());
        set(waiting.element, "hidden", text === "");
        if (text !== "") waiting.update({ shape: "snoozed", text, href: "/settings/quiet-hours" });
    }

    function update() {
        updateWaiting();
        const { items, next, isOld, seenAt, trouble } = told.listed.value;
        more.element.hidden = next === null;
        // The notice dates what an old answer shows; a problem is told only where there is nothing to show.
        problem.show(trouble === null || (isOld && !isProblem(trouble)) ? "" : context.explain(trouble, "read"));
        blank.hidden = items !== null || trouble !== null;
        if (items === null) return void (trouble !== null && setText(page.lead, ""));
        const now = Date.now();
        const episodes = told.episodes.value;
        const open = told.open.value;
        const rows = open.map((one) => one.episode ? openRow(one, one.episode, now) : untoldRow(one, now));
        setText(
            page.lead,
            isOld
                ? t("devices.old", { at: format.at(seenAt, now) })
                : rows.length > 0
                ? t("alerts.open", { count: rows.length })
                : t(episodes.length === 0 ? "alerts.none" : "alerts.quiet"),
        );
        none.hidden = rows.length > 0 || episodes.length > 0;
        const goesOn = new Set(open.map(({ episode }) => episode));
        /** By their dates, which other screens link to. @type {Map<string, Section>} */
        const days = new Map();
        for (const episode of episodes) {
            if (goesOn.has(episode)) continue;
            const day = isoDay(episode.at, format.zone);
            const group = days.get(day);
            const row = rowOf(episode, false, now);
            if (group) group.rows.push(row);
            else days.set(day, { key: `day-${day}`, title: format.day(episode.at, now), isNow: false, rows: [row] });
        }
        updateSections([
            ...(rows.length === 0 ? [] : [{ key: "now", title: t("alerts.now"), isNow: true, rows }]),
            ...days.values(),
        ]);
    }

    /**
     * A snoozed alarm goes on without calling; an answered one calls nobody else, and stays red.
     * @param {Row} row
     * @param {Open} open
     * @param {number} now
     * @returns {Row}
     */
    function marked(row, { snoozed, answered }, now) {
        const who = answered ? [answeredText(context, answered, now)] : [];
        const more = [...row.more ?? [], ...who, ...snoozed ? [snoozedText(context, snoozed, now)] : []];
        if (snoozed) return { ...row, isAlarm: false, shape: "snoozed", more };
        return answered ? { ...row, isAnswered: true, shape: "answered", more } : row;
    }

    /**
     * @param {Open} open
     * @param {Episode} episode
     * @param {number} now
     */
    function openRow(open, episode, now) {
        return marked(rowOf(episode, true, now), open, now);
    }

    /**
     * What is outside although nobody was told: there was no place to send an alert to.
     * @param {Open} open
     * @param {number} now
     * @returns {Row}
     */
    function untoldRow(open, now) {
        const { tank, gauge } = open;
        if (!tank || !gauge) throw new Error("water outside is some parameter of some tank");
        const { name, side, value, unit, range, since } = gauge;
        const limit = side === "low" ? range.minimum : range.maximum;
        const times = since === null ? "" : t("alerts.since", { time: format.placed(since, now), span: format.duration(now - since) });
        return marked({
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
        }, open, now);
    }

    /**
     * @param {Episode} episode
     * @param {boolean} isNow
     * @param {number} now
     * @returns {Row}
     */
    function rowOf(episode, isNow, now) {
        const { first, since, until, taken } = episode;
        const kind = kindOf(first, t);
        const row = { key: episode.key, href: `/alerts/${first.id}`, isAlarm: kind.isOfRange ?? false, isOpen: isNow };
        const { decimals } = store.parameterOf(first.device?.id ?? "", first.parameter ?? "") ?? {};
        const { name, detail } = kind.told(context, episode, { now, isNow, decimals });
        if (kind.isTrial) return { ...row, name, detail, shape: kind.shape(first), isOpen: false };
        const times = isNow
            ? t("alerts.since", { time: format.placed(since, now), span: format.duration(now - since) })
            : taken
            ? t("alerts.called_off", { at: format.at(taken.at, now), name: taken.name })
            : until === null
            ? format.clock(since)
            : `${format.clock(since)}–${format.clock(until)} · ${format.duration(until - since)}`;
        return { ...row, name, detail, more: [times], shape: isNow ? kind.shape(first) : kind.past ?? "fine" };
    }

    void told.read();
    const end = effect([told.listed, told.open, store.quiet.known], update);
    const endNews = effect([store.alertNews], () => void store.quiet.read());
    return {
        unmount() {
            offer.end();
            end();
            endNews();
        },
    };
}

/** @typedef {import("../../components/list-row/list-row.js").RowModel & {key: string, isAlarm: boolean, isAnswered?: boolean}} Row Only water out of range is red. */
/** @typedef {{key: string, title: string, isNow: boolean, rows: Row[]}} Section What goes on has a surface for each row, a day one for all. */

/** @param {Section} section */
function createSection({ key, isNow }) {
    const head = h("h2", { class: "section-head" });
    const body = isNow ? h("div", { class: "stack" }) : h("ul", { class: "rows surface" });
    const keyOf = (/** @type {Row} */ { key }) => key;
    const updateRows = createKeyed(body, keyOf, isNow ? createOpen : createRow);
    return {
        element: h("section", { id: key }, head, body),
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
            set(element, "class", `rows surface${next.isAlarm ? " alerts-open" : ""}${next.isAnswered ? " alerts-answered" : ""}`);
            row.update(next);
        },
    };
}
