/** One alert: what happened, what to do, why it was sent, and whether it arrived. */

import { episodeKey, episodesOf, isOfProbe, isOfRange, isOpen, shapeOf } from "../../app/alerts.js";
import { h } from "../../app/dom.js";
import { setInk } from "../../app/ink.js";
import { createBack, createEmpty, createProblem } from "../../app/page.js";
import { isReplaced } from "../../app/probes.js";
import { isProblem } from "../../app/problem.js";
import { decoded } from "../../app/series.js";
import { effect } from "../../app/signals.js";
import { isHeld, snoozeOf } from "../../app/snoozes.js";
import { asked } from "../../app/why.js";
import { createButton } from "../../components/button/button.js";
import { createBlankList } from "../../components/list-row/list-row.js";
import { createShape } from "../../components/shape/shape.js";
import { createSparkline } from "../../components/sparkline/sparkline.js";
import { createSteps } from "../../components/steps/steps.js";
import { besideTold } from "./beside.js";
import { cancelSnooze, chooseSnooze, snooze, snoozedText } from "./snooze.js";
import { reasons, sent } from "./told.js";

/** @typedef {import("../../app/alerts.js").Alert} Alert */
/** @typedef {import("./told.js").Explained} Explained */

/** So many messages of one stretch are told one by one. */
const mostTold = 12;
const hour = 3_600_000;
/** What is drawn begins and ends so long before and after the stretch, and is no shorter than the cards' lines. */
const margin = 2 * hour;
const least = 12 * hour;
/** What is explained begins and ends so long before and after the stretch. */
const around = hour / 4;
/** About two pixels each. */
const points = 160;

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { alert: id }) {
    const { t, api, store, format } = context;
    context.title(t("alerts.one"));
    const headline = h("h1", { class: "alert-headline", tabindex: "-1" }, t("alerts.one"));
    const where = h("p", { class: "alert-where" });
    const action = h("p", { class: "alert-action" });
    const air = h(
        "header",
        { class: "air page-air alert-air" },
        h("div", { class: "screen-bar" }, createBack(context, "/alerts")),
        headline,
        where,
        action,
    );
    const problem = createProblem({ text: t("common.retry"), press: () => read() });
    const content = h("div", null, createBlankList(4));
    const body = h("div", { class: "water page-water" }, problem.element, content);
    root.replaceChildren(air, body);
    /** @type {Explained | null} */
    let shown = null;
    /** @type {Explained[]} */
    let told = [];
    /** @type {{series: import("../../app/series.js").Series, period: import("../../app/series.js").Period} | null} */
    let drawn = null;
    /** @type {import("../../app/why.js").Explanation | null} */
    let explained = null;
    /** Whether another probe measures in the place of the one that is silent. */
    let isOtherHeard = false;
    const line = createSparkline();
    const drawing = h("div", { class: "alert-line inked", hidden: true }, line.element);
    let hasEnded = false;

    async function read() {
        try {
            const { data } = await api.get(`/alerts/${encodeURIComponent(id)}`);
            if (hasEnded) return;
            shown = data;
            told = [data];
            problem.show("");
            update();
            await Promise.all([readOthers(data), readLine(data), readWhy(data), readProbes(data)]);
            store.keep(`alert ${id}`, { shown, told, drawn, explained });
        } catch (error) {
            if (hasEnded) return;
            const kept = isProblem(error) ? undefined : await store.kept(`alert ${id}`);
            if (kept) {
                ({ shown, told, drawn = null, explained = null } = kept);
                where.textContent = "";
            } else if (isProblem(error) && error.status === 404) {
                headline.textContent = t("alerts.unknown");
                return content.replaceChildren(createEmpty(t("alerts.unknown_text"), { text: t("alerts.all"), href: "/alerts" }));
            } else if (!shown) content.replaceChildren();
            problem.show(shown && !isProblem(error) ? "" : context.explain(error, "read"));
        }
        if (!hasEnded) update();
    }

    /**
     * What else was sent about the same stretch of time.
     * @param {Explained} alert
     */
    async function readOthers(alert) {
        if (!alert.device || alert.purpose === "test") return;
        const { data } = await api.get("/alerts", {
            query: { device: alert.device.id, parameter: alert.parameter, kind: alert.kind, since: alert.since, limit: 200 },
        });
        const others = data.items.filter((/** @type {Alert} */ other) => episodeKey(other) === episodeKey(alert) && other.id !== alert.id);
        const explained = await Promise.all(
            others.slice(0, mostTold).map(async (/** @type {Alert} */ other) => (await api.get(`/alerts/${other.id}`)).data),
        );
        told = [alert, ...explained].sort((one, other) => Date.parse(one.decidedAt) - Date.parse(other.decidedAt));
    }

    /**
     * The parameter around that stretch of time, as the cards draw it.
     * @param {Explained} alert
     */
    async function readLine(alert) {
        if (!alert.device || !alert.parameter || isOfProbe(alert) || alert.purpose === "test") return;
        const [episode] = episodesOf([...told].reverse());
        const to = Math.min(Date.now(), episode.until === null ? Date.now() : episode.until + margin);
        const period = { from: Math.min(episode.since - margin, to - least), to };
        const { data } = await api.get(`/devices/${encodeURIComponent(alert.device.id)}/parameters/${alert.parameter}/series`, {
            query: { from: new Date(period.from).toISOString(), until: new Date(to).toISOString(), points },
        });
        drawn = { series: decoded(data), period };
    }

    /**
     * What came of the readings of that stretch of time. Without it the reasons are told that are stored with the alert.
     * @param {Explained} alert
     */
    async function readWhy(alert) {
        if (!alert.device || !alert.parameter || isOfProbe(alert) || alert.purpose === "test") return;
        const [episode] = episodesOf([...told].reverse());
        const period = { from: episode.since - around, to: (episode.until ?? Date.now()) + around };
        try {
            const { data } = await api.get(`/devices/${encodeURIComponent(alert.device.id)}/parameters/${alert.parameter}/why`, {
                query: asked(period, Date.now()),
            });
            explained = data.steps.length > 0 ? data : null;
        } catch (error) {
            if (!isProblem(error)) throw error;
        }
    }

    /**
     * A temperature that is silent may have lost its probe to another one.
     * @param {Explained} alert
     */
    async function readProbes(alert) {
        if (!alert.device || alert.kind !== "silence" || alert.parameter !== "temperature") return;
        try {
            const { data } = await api.get(`/devices/${encodeURIComponent(alert.device.id)}/probes`);
            isOtherHeard = isReplaced(data);
        } catch (error) {
            if (!isProblem(error)) throw error;
        }
    }

    /** @param {import("../../app/headline.js").Gauge | undefined} gauge */
    function updateLine(gauge) {
        const isKnown = gauge !== undefined && drawn !== null && drawn.series.unit === gauge.unit && drawn.series.points.length > 0;
        drawing.hidden = !isKnown;
        if (!gauge || !drawn || !isKnown) return;
        const { range, side, colour } = gauge;
        setInk(drawing, colour);
        line.update({
            ...drawn,
            range,
            isOld: false,
            side,
            maximum: format.limit(range.maximum, range.decimals),
            minimum: format.limit(range.minimum ?? range.least, range.decimals),
        });
    }

    function update() {
        if (!shown) return;
        const alert = shown;
        const now = Date.now();
        const { device } = alert;
        if (alert.purpose === "test" || !device || (isOfRange(alert) && !alert.side)) {
            headline.textContent = t("alerts.test");
            where.textContent = format.moment(Date.parse(alert.decidedAt), now);
            action.textContent = "";
            return content.replaceChildren(...sent(context, told));
        }
        const [episode] = episodesOf([...told].reverse());
        const isNow = isOpen(episode, store.tanks.value ?? []);
        const { title, advice, facts, links } = isOfRange(alert)
            ? water(alert, device.id, isNow)
            : beside(device.id, episode, isNow, now);
        context.title(title);
        air.toggleAttribute("data-alarm", isNow && isOfRange(alert));
        headline.replaceChildren(createShape(isNow ? shapeOf(alert) : "fine"), h("span", null, title));
        const span = format.duration((episode.until ?? now) - episode.since);
        where.textContent = isNow
            ? t("alerts.where_now", { device: device.name, time: format.moment(episode.since, now), span })
            : episode.until === null
            ? `${device.name} · ${format.moment(episode.since, now)}`
            : t("alerts.where_past", { device: device.name, time: format.moment(episode.since, now), until: format.moment(episode.until, now), span });
        action.textContent = isNow ? advice : "";
        content.replaceChildren(
            h("div", { class: "surface" }, drawing, h("dl", { class: "facts" }, facts)),
            ...(isNow ? snoozing(alert, device.id, now) : []),
            h("p", { class: "alert-more" }, links),
            ...sent(context, told),
            ...(explained ? explanation(explained) : reasons(context, alert)),
        );
    }

    /**
     * Not now, or until when.
     * @param {Explained} alert
     * @param {string} device
     * @param {number} now
     */
    function snoozing(alert, device, now) {
        if (store.deviceOf(device) === null) return [];
        /** @type {import("../../app/snoozes.js").Subject} */
        const subject = { device, kind: alert.kind === undefined || alert.kind === "test" ? "range" : alert.kind, parameter: alert.parameter, side: alert.side };
        const held = snoozeOf(store.snoozes.value, subject);
        if (held && isHeld(held, now)) {
            const button = createButton({ text: t("snooze.cancel"), kind: "quiet", press: () => cancelSnooze(context, subject, alert.id) });
            return [h("p", { class: "alert-snoozed", role: "status" }, createShape("snoozed"), snoozedText(context, held, now)), h("div", { class: "alert-snooze" }, button.element)];
        }
        const shortly = createButton({
            text: t("snooze.shortly"),
            kind: "primary",
            press: async () => {
                try {
                    await snooze(context, subject, { minutes: 30 }, alert.id);
                } catch (error) {
                    context.toast({ text: context.explain(error) });
                }
            },
        });
        const longer = createButton({ text: t("snooze.longer"), kind: "quiet", press: () => chooseSnooze(context, subject, alert.id) });
        return [h("div", { class: "alert-snooze" }, shortly.element, longer.element)];
    }

    /**
     * @param {string} device
     * @param {import("../../app/alerts.js").Episode} episode
     * @param {boolean} isNow
     * @param {number} now
     */
    function beside(device, episode, isNow, now) {
        const { name, action, facts } = besideTold(context, episode, now);
        updateLine(store.tanks.value?.find((tank) => tank.id === device)?.gauges.find((one) => one.name === episode.first.parameter));
        const see = () => {
            store.choose(device);
            context.navigate("/");
        };
        const role = store.deviceOf(device)?.role;
        const isChoice = isNow && isOtherHeard && role === "owner";
        return {
            title: name,
            advice: isOtherHeard ? t(role === "watcher" ? "probes.replaced_watcher" : "probes.replaced") : action,
            facts: facts.map(([name, value]) => fact(name, value)),
            links: store.deviceOf(device) === null ? [] : [
                episode.first.parameter
                    ? h("a", { class: "button", href: `/p/${encodeURIComponent(device)}/${episode.first.parameter}` }, t("parameter.graph"))
                    : h("button", { class: "button", type: "button", onclick: see }, t("devices.see")),
                h("a", { class: "button", href: `/devices/${encodeURIComponent(device)}` }, t(isChoice ? "probes.choose" : "alerts.device")),
            ],
        };
    }

    /**
     * @param {Explained} alert
     * @param {string} device
     * @param {boolean} isNow
     */
    function water(alert, device, isNow) {
        const { side, parameter, unit } = alert;
        const decimals = alert.decimals ?? store.parameterOf(device, parameter ?? "")?.decimals ?? 1;
        /** @param {number | null} value */
        const number = (value) => format.withUnit(format.number(value, decimals), unit ?? "");
        const gauge = store.tanks.value?.find((tank) => tank.id === device)?.gauges.find((one) => one.name === parameter);
        // The alert tells the worst of its time; while it lasts the water may be worse by now.
        const values = [told.at(-1)?.worst ?? alert.worst, isNow ? gauge?.value ?? null : null].filter((value) => value !== null);
        const worst = values.length === 0 ? null : side === "low" ? Math.min(...values) : Math.max(...values);
        const opened = alert.reasons.find((reason) => reason.reason === "opened" || reason.reason === "flipped");
        updateLine(gauge);
        return {
            title: t(isNow ? `water.${parameter}_${side}` : `water.${parameter}_${side}Short`),
            advice: t(`water.${parameter}_${side}Action`),
            facts: [
                gauge && gauge.value !== null ? fact(t("alerts.fact_now"), number(gauge.value), isNow) : null,
                fact(t(alert.critical ? `alerts.fact_${side}Critical` : `alerts.fact_${side}`), number(alert.limit)),
                opened ? fact(t("alerts.fact_crossed"), format.clock(Date.parse(opened.eventTime))) : null,
                fact(t("alerts.fact_worst"), number(worst)),
                alert.unstable ? fact(t("alerts.fact_course"), t("alerts.fact_course_text")) : null,
                alert.checkProbe ? fact(t("alerts.fact_probe"), t("alerts.fact_probe_text")) : null,
            ],
            links: [
                h("a", { class: "button", href: `/p/${encodeURIComponent(device)}/${parameter}` }, t("parameter.graph")),
                h("a", { class: "button", href: `/settings/${encodeURIComponent(device)}/${parameter}` }, t("alerts.limits")),
            ],
        };
    }

    /**
     * @param {string} name
     * @param {string} value
     * @param {boolean} [isAlarm]
     */
    function fact(name, value, isAlarm = false) {
        return h("div", { class: "fact" }, h("dt", null, name), h("dd", { class: isAlarm ? "fact-alarm" : null }, value));
    }

    /** @param {import("../../app/why.js").Explanation} steps */
    function explanation(steps) {
        return [h("h2", { class: "section-head" }, t("alerts.why")), createSteps(context, steps, Date.now(), id)];
    }

    const end = effect([store.alertNews], () => void read());
    const endTanks = effect([store.tanks], update);
    return {
        unmount() {
            hasEnded = true;
            end();
            endTanks();
        },
    };
}
