/**
 * One parameter in detail: value, graph, figures, table. As a screen of its own, or beside the list on wide windows.
 */

import { h, set, setText } from "../../app/dom.js";
import { domainOf } from "../../app/drawing.js";
import { stateOf } from "../../app/headline.js";
import { historyOf } from "../../app/history.js";
import { setInk } from "../../app/ink.js";
import { departureOf, sideOf } from "../../app/ranges.js";
import { appended, decoded, departuresOf, extentOf } from "../../app/series.js";
import { effect } from "../../app/signals.js";
import { nightsOf } from "../../app/sun.js";
import { clock, day, exact, timeTicks } from "../../app/time.js";
import { isWhole } from "../../app/view.js";
import { createGraph } from "../../components/graph/graph.js";
import { createIcon, setShape } from "../../components/shape/shape.js";
import { createStatistics } from "../../components/statistics/statistics.js";
import { valueText } from "../home/sentences.js";
import { saveCSV } from "./csv.js";
import { longSpan, spans } from "./spans.js";
import { createTable } from "./table.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../app/headline.js").Gauge} Gauge */
/** @typedef {import("../../app/headline.js").Tank} Tank */
/** @typedef {import("../../app/series.js").Period} Period */
/** @typedef {import("../../app/series.js").Series} Series */

const points = 500;
/** How long a view has to rest before its own points are read. */
const rest = 250;
/** A long period is read again so often; 12 hours go on by themselves. */
const renewal = 5 * 60_000;

/**
 * @param {Context} context
 * @param {object} what
 * @param {string} what.device
 * @param {string} what.parameter
 * @param {boolean} what.isBeside
 */
export function createDetails(context, { device, parameter, isBeside }) {
    const { api, store, t, format } = context;
    const fullName = t(`water.${parameter}_full`);
    historyOf(context);

    const value = h("span", { class: "details-number" });
    const unit = h("span", { class: "details-unit" });
    const shape = h("span", { class: "details-shape", "data-shape": "" });
    const state = h("span");
    const standing = h("p", { class: "details-state" }, shape, state);
    const since = h("p", { class: "details-since quiet" });
    const buttons = spans.map(({ name }) =>
        h("button", {
            type: "button",
            "aria-label": t(`details.spanName_${name}`),
            "aria-pressed": name === "12h" ? "true" : "false",
            onclick: () => choose(name),
        }, t(`details.span_${name}`))
    );
    const segmented = h("div", { class: "segmented details-spans", role: "group", "aria-label": t("details.spans") }, buttons);
    const help = h("p", { class: "visually-hidden", id: `details-help-${parameter}` }, t("details.help"));
    const graph = createGraph({ view: look });
    graph.plot.setAttribute("aria-describedby", help.id);
    const message = h("p", { class: "details-message", role: "status" });
    const again = h("button", { class: "button", type: "button", onclick: () => read() }, t("details.again"));
    const trouble = h("div", { class: "details-trouble", hidden: true }, message, again);
    const statistics = createStatistics();
    const change = h("a", {
        class: "button details-change",
        href: `/settings/${encodeURIComponent(device)}/${encodeURIComponent(parameter)}`,
    }, t("details.change"));
    const tableButton = h("button", { class: "button", type: "button", "aria-expanded": "false", onclick: toggleTable }, t("details.table"));
    const csvButton = h("button", { class: "button", type: "button", onclick: save }, t("details.csv"));
    const table = createTable(context);
    table.element.hidden = true;
    graph.plot.setAttribute("aria-details", table.element.id);
    const alertText = h("span");
    const alertLink = h("a", { class: "details-alert", hidden: true }, alertText, createIcon("chevronRight", "icon-small"));
    const heading = h(isBeside ? "h2" : "p", { class: "details-name name" }, fullName);
    const link = isBeside
        ? h("a", { class: "details-link", href: `/p/${encodeURIComponent(device)}/${encodeURIComponent(parameter)}` }, heading)
        : heading;

    const element = h(
        "section",
        { class: "details", "data-beside": isBeside, "aria-label": fullName },
        isBeside ? h("div", { class: "details-head" }, link, segmented) : null,
        h("div", { class: "details-now" }, h("p", { class: "details-value" }, value, unit), h("div", { class: "details-standing" }, standing, since)),
        h("figure", { class: "details-graph" }, graph.element, help, trouble),
        isBeside ? null : segmented,
        statistics.element,
        h("div", { class: "details-buttons buttons" }, change, tableButton, csvButton),
        table.element,
        alertLink,
    );

    let span = spans[0];
    /** What the graph shows when it does not show all of the span. @type {Period | null} */
    let view = null;
    /** The whole span. @type {Series | null} */
    let series = null;
    /** A part of it, with more points. @type {{series: Series, period: Period} | null} */
    let detail = null;
    /** @type {readonly {id: string, time: number, purpose: string, side: string | null}[]} */
    let told = [];
    /** @type {AbortController | null} */
    let reading = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let readAt = 0;
    let readUnit = "";
    let failure = "";
    let drawn = "";
    let isGone = false;

    function tank() {
        return store.tanks.value?.find((tank) => tank.id === device) ?? null;
    }

    /** The whole span, which moves on with time. */
    function whole() {
        const grain = Math.max(60_000, span.length / 720);
        const to = Math.ceil(Date.now() / grain) * grain;
        return { from: to - span.length, to };
    }

    /** @param {import("./spans.js").SpanName} name */
    function choose(name) {
        span = spans.find((span) => span.name === name) ?? spans[0];
        view = null;
        series = null;
        detail = null;
        told = [];
        for (const [index, button] of buttons.entries()) {
            set(button, "aria-pressed", spans[index] === span ? "true" : "false");
        }
        read();
        update();
    }

    /** @param {Period} next */
    function look(next) {
        const all = whole();
        view = isWhole(next, all) ? null : next;
        update();
        clearTimeout(timer);
        if (view) timer = setTimeout(readDetail, rest);
        else detail = null;
    }

    async function read() {
        reading?.abort();
        const attempt = reading = new AbortController();
        failure = "";
        const { from, to } = whole();
        readAt = Date.now();
        readUnit = gauge()?.unit ?? "";
        try {
            const [answer, alerts] = await Promise.all([
                ask({ from, to: Math.max(to, Date.now()) }, attempt.signal),
                api.all("/alerts", {
                    query: { device, parameter, since: new Date(from).toISOString(), limit: 200 },
                    signal: attempt.signal,
                }),
            ]);
            if (isGone || attempt.signal.aborted) return;
            series = answer;
            told = alerts.map((alert) => ({
                id: String(alert.id),
                time: Date.parse(alert.decidedAt),
                purpose: String(alert.purpose),
                side: alert.side ?? null,
            }));
            store.keep(keptKey(), { series, told });
        } catch (error) {
            if (attempt.signal.aborted || isGone) return;
            await recall();
            if (!series) failure = t("details.failed", { problem: context.explain(error) });
        }
        update();
    }

    function keptKey() {
        return `details ${device} ${parameter} ${span.name}`;
    }

    /** What was drawn when there was a connection. */
    async function recall() {
        const name = keptKey();
        const kept = await store.kept(name);
        if (!series && kept?.series?.unit === gauge()?.unit && name === keptKey()) {
            series = kept.series;
            told = kept.told ?? [];
        }
    }

    /**
     * @param {Period} period
     * @param {AbortSignal} signal
     */
    async function ask({ from, to }, signal) {
        const { data } = await api.get(`/devices/${device}/parameters/${parameter}/series`, {
            query: { from: new Date(from).toISOString(), until: new Date(to).toISOString(), points },
            signal,
        });
        return decoded(data);
    }

    async function readDetail() {
        if (!view || !series) return;
        const wanted = view;
        // A margin on either side, so that a small move needs no reading.
        const margin = (wanted.to - wanted.from) / 2;
        const all = whole();
        const period = { from: Math.max(all.from, wanted.from - margin), to: Math.min(all.to, wanted.to + margin) };
        if (series.step === 0) return; // every message is there already
        try {
            const found = await ask(period, new AbortController().signal);
            if (isGone || view === null) return;
            detail = { series: found, period };
            update();
        } catch {
            detail = null; // the wider points stay
        }
    }

    function gauge() {
        return tank()?.gauges.find((gauge) => gauge.name === parameter) ?? null;
    }

    /** What is drawn: the finer points where they cover the view. */
    function current() {
        const own = gauge();
        if (series && own && own.value !== null && own.time !== null && series.unit === own.unit) {
            series = appended(series, { time: own.time, value: own.value }, whole().from);
        }
        if (view && detail && detail.period.from <= view.from && detail.period.to >= view.to) return detail.series;
        return series;
    }

    function update() {
        if (isGone) return;
        const now = Date.now();
        const home = tank();
        const own = gauge();
        if (!home || !own) {
            const isKnown = store.tanks.value !== undefined && (!home || home.gauges.length > 0);
            set(element, "data-unknown", isKnown);
            setText(state, isKnown ? t("details.unknown") : "");
            setText(since, isKnown ? t("details.unknownReason") : "");
            return;
        }
        if (readUnit !== "" && own.unit !== readUnit) return choose(span.name);
        if (readUnit === "") readUnit = own.unit;
        const isLive = store.connection.value.state === "live";
        if (isLive && now - readAt > (span.length > longSpan ? renewal : renewal * 6)) read();
        updateStanding(home, own, now);
        updateGraph(home, own, now);
    }

    /**
     * @param {Tank} home
     * @param {Gauge} own
     * @param {number} now
     */
    function updateStanding(home, own, now) {
        const connection = store.connection.value.state;
        const isCutOff = connection === "offline" || connection === "noAnswer";
        const { state: known, isOld } = stateOf(own, home, now);
        const found = isCutOff && known === "fine" ? "silent" : known;
        setInk(element, own.colour);
        setText(value, format.number(own.value, own.range.decimals));
        setText(unit, own.value === null ? "" : format.withUnit("", own.unit).trim());
        set(element, "data-state", found);
        set(element, "data-old", isOld || isCutOff);
        setShape(shape, found === "waiting" ? null : found);
        const limit = found === "low" ? own.range.minimum : own.range.maximum;
        /** @type {Record<import("../../app/headline.js").GaugeState, string>} */
        const words = {
            low: t("details.low", { limit: format.limit(limit, own.range.decimals) }),
            high: t("details.high", { limit: format.limit(limit, own.range.decimals) }),
            fault: t("details.fault"),
            silent: own.time === null ? "" : t("details.silent", { span: format.brief(now - own.time) }),
            waiting: t("details.waiting"),
            fine: t("details.inside"),
        };
        setText(state, words[found]);
        const ago = own.time === null ? "" : format.ago(own.time, now);
        setText(
            since,
            own.time === null
                ? ""
                : own.since !== null && own.side !== null
                ? t("details.sinceRead", { time: format.moment(own.since, now), ago })
                : found === "silent"
                ? t("details.readAt", { time: format.moment(own.time, now) })
                : t("details.read", { ago }),
        );
    }

    /**
     * @param {Tank} home
     * @param {Gauge} own
     * @param {number} now
     */
    function updateGraph(home, own, now) {
        const shown = current();
        const all = whole();
        const period = view ?? all;
        set(trouble, "hidden", failure === "");
        setText(message, failure);
        set(graph.element, "data-waiting", series === null);
        const key = JSON.stringify([period, all, span.name, own.range, own.unit, format.language, told.length]);
        const isSame = drawn === key && shown === drawnSeries && (series?.statistics === drawnStatistics);
        if (isSame || !shown) {
            if (!shown) graph.update(graphModel(home, own, now, emptySeries(own.unit), period, all));
            if (!shown) statistics.update(figures(own, null));
            return;
        }
        drawn = key;
        drawnSeries = shown;
        drawnStatistics = series?.statistics ?? null;
        graph.update(graphModel(home, own, now, shown, period, all));
        statistics.update(figures(own, series));
        table.update({
            series: shown,
            period,
            gauge: own,
            caption: t("details.tableCaption", { name: unitName(own.unit), span: t(`details.spanName_${span.name}`) }),
        });
        updateAlert(now);
    }

    /**
     * The parameter with its unit, which the numbers below do without.
     * @param {string} unit
     */
    function unitName(unit) {
        const symbol = format.withUnit("", unit).trim();
        return symbol === "" ? fullName : `${fullName} (${symbol})`;
    }

    /** @type {Series | null} */
    let drawnSeries = null;
    /** @type {unknown} */
    let drawnStatistics = null;

    /**
     * @param {string} unit
     * @returns {Series}
     */
    function emptySeries(unit) {
        return { ...decoded({}), unit };
    }

    /**
     * @param {Tank} home
     * @param {Gauge} own
     * @param {number} now
     * @param {Series} shown
     * @param {Period} period
     * @param {Period} all
     * @returns {import("../../components/graph/draw.js").GraphModel}
     */
    function graphModel(home, own, now, shown, period, all) {
        const { decimals } = own.range;
        const isLong = period.to - period.from > longSpan;
        const place = store.deviceOf(device);
        const hasNights = !isLong && typeof place?.latitude === "number" && typeof place?.longitude === "number";
        /** @param {number} number */
        const withUnit = (number) => format.withUnit(format.number(number, decimals), own.unit);
        /** @param {number} time */
        const timeText = (time) =>
            span.length > longSpan
                ? shown.step >= day
                    ? dayText(time)
                    : `${dayText(time)} ${clock(time, format.zone, { padded: true })}`
                : clock(time, format.zone, { padded: true });
        return {
            series: shown,
            period,
            whole: all,
            now,
            isLive: period.to >= all.to,
            range: own.range,
            domain: domainOf(extentOf(shown, period), own.range),
            hasEnvelope: span.length > 12 * 3_600_000 && shown.step > 0,
            isOld: stateOf(own, home, now).isOld,
            alerts: told.flatMap(/** @returns {import("../../components/graph/draw.js").AlertMark[]} */ ({ time, purpose, side }) =>
                purpose === "alarm"
                    ? [{ time, kind: side === "low" ? /** @type {const} */ ("low") : /** @type {const} */ ("high") }]
                    : purpose === "reminder" && span.length <= day
                    ? [{ time, kind: /** @type {const} */ ("reminder") }]
                    : []
            ),
            nights: hasNights && place ? nightsOf(period, Number(place.latitude), Number(place.longitude)) : [],
            label: caption(own, series),
            words: {
                minimum: t("details.min"),
                maximum: t("details.max"),
                now: t("details.now"),
                noData: t("details.noData"),
                nothing: series ? t("details.empty") : t("details.loading"),
                whole: t("details.whole"),
            },
            number: (number) => format.number(number, decimals),
            limit: (number) => format.limit(number, decimals),
            clock: timeText,
            timeTicks: (most) =>
                timeTicks(period.from, period.to, format.zone, most).map(({ time, kind }) => ({
                    time,
                    text: kind === "hour"
                        ? clock(time, format.zone, { padded: true })
                        : kind === "day"
                        ? dayText(time)
                        : new Intl.DateTimeFormat(format.locale, { timeZone: format.zone, month: "short" }).format(time),
                })),
            gapText: (gap) => t("details.noDataFrom", { from: timeText(gap.from), to: timeText(gap.to) }),
            readOut: (point, time) =>
                shown.step > 0 && point.count > 1 && point.greatest > point.least
                    ? t("details.readOutRange", {
                        time: timeText(time),
                        value: withUnit(point.mean),
                        least: format.number(point.least, decimals),
                        greatest: format.number(point.greatest, decimals),
                    })
                    : t("details.readOut", { time: timeText(time), value: withUnit(point.mean) }),
        };
    }

    /** @param {number} time */
    function dayText(time) {
        return new Intl.DateTimeFormat(format.locale, { timeZone: format.zone, day: "numeric", month: "short" }).format(time);
    }

    /**
     * @param {Gauge} own
     * @param {Series | null} found
     */
    function caption(own, found) {
        const name = fullName;
        const length = t(`details.spanName_${span.name}`);
        const figures = found?.statistics;
        if (!figures || figures.count === 0) return t("details.captionEmpty", { name, span: length });
        const { decimals } = own.range;
        return t(element.hasAttribute("data-old") ? "details.captionOld" : "details.caption", {
            name,
            span: length,
            value: valueText(context, own),
            least: format.number(figures.least, decimals),
            greatest: format.number(figures.greatest, decimals),
            outside: figures.outside > 0 ? format.duration(figures.outside) : t("details.never"),
        });
    }

    /**
     * @param {Gauge} own
     * @param {Series | null} found
     * @returns {import("../../components/statistics/statistics.js").Figure[]}
     */
    function figures(own, found) {
        const { decimals } = own.range;
        const known = found?.statistics;
        const isLong = span.length > longSpan;
        /** @param {number | null | undefined} time */
        const when = (time) =>
            time === null || time === undefined
                ? ""
                : isLong
                ? dayText(time)
                : format.clock(time);
        /** @param {number | null | undefined} value */
        const figure = (value) => [{ text: format.number(value, decimals) }];
        const outside = known?.outside ?? 0;
        const times = found && found.resolution === "message" && own
            ? departuresOf(found, own.range, departureOf).length
            : 0;
        const note = !known
            ? ""
            : known.undecided > 0
            ? t("details.undecided", { span: format.brief(known.undecided) })
            : outside === 0
            ? ""
            : times === 1
            ? t("details.once")
            : times > 1
            ? t("details.times", { count: times })
            : "";
        return [
            {
                label: t("details.average"),
                value: figure(known?.mean),
                note: t("details.ofSpan", { span: t(`details.span_${span.name}`) }),
                isOutside: false,
            },
            {
                label: t("details.least"),
                value: figure(known?.least),
                note: when(known?.leastTime),
                isOutside: sideOf(known?.least, own.range) !== null,
            },
            {
                label: t("details.greatest"),
                value: figure(known?.greatest),
                note: when(known?.greatestTime),
                isOutside: sideOf(known?.greatest, own.range) !== null,
            },
            {
                label: t("details.outside"),
                value: known ? durationParts(outside) : figure(null),
                note,
                isOutside: outside > 0,
            },
        ];
    }

    /**
     * A duration with its numbers large and its units small.
     * @param {number} length
     */
    function durationParts(length) {
        if (length === 0) return [{ text: t("details.never"), isUnit: true }];
        return exact(length).length > 0
            ? format.duration(length).split(/(\d+)/).filter((part) => part.trim() !== "")
                .map((part) => ({ text: part.trim(), isUnit: !/^\d/.test(part) }))
            : [];
    }

    /** @param {number} now */
    function updateAlert(now) {
        const alarms = told.filter((alert) => alert.purpose === "alarm").sort((one, other) => other.time - one.time);
        const [latest] = alarms;
        set(alertLink, "hidden", latest === undefined);
        if (!latest) return;
        const reminders = told.filter((alert) => alert.purpose === "reminder" && alert.time > latest.time)
            .sort((one, other) => one.time - other.time);
        const most = reminders.slice(-3);
        const texts = [t("details.alert", { time: format.moment(latest.time, now) })];
        if (most.length > 0) {
            texts.push(t("details.reminders", {
                count: most.length,
                times: most.map((alert) => format.moment(alert.time, now)).join(format.language === "ja" ? "、" : ", "),
            }));
        }
        setText(alertText, texts.join(format.language === "ja" ? "" : " "));
        set(alertLink, "href", `/alerts/${encodeURIComponent(latest.id)}`);
    }

    function toggleTable() {
        const isOpen = table.element.hidden;
        table.element.hidden = !isOpen;
        set(tableButton, "aria-expanded", isOpen ? "true" : "false");
        setText(tableButton, isOpen ? t("details.hideTable") : t("details.table"));
        if (isOpen) table.element.scrollIntoView({ block: "nearest" });
    }

    async function save() {
        if (csvButton.getAttribute("aria-busy") === "true") return;
        set(csvButton, "aria-busy", "true");
        setText(csvButton, t("details.csvBusy"));
        const { from, to } = view ?? whole();
        try {
            await saveCSV(api, device, { from, to });
        } catch (error) {
            context.toast({ text: t("details.csvFailed", { problem: context.explain(error) }) });
        }
        set(csvButton, "aria-busy", null);
        setText(csvButton, t("details.csv"));
    }

    const end = effect([store.tanks, store.connection], update);
    const news = store.alertNews.subscribe(() => read());
    const ticking = setInterval(() => {
        if (!document.hidden) update();
    }, 1000);
    read();

    return {
        element,
        device,
        parameter,
        update,
        unmount() {
            isGone = true;
            clearInterval(ticking);
            clearTimeout(timer);
            reading?.abort();
            end();
            news();
            graph.remove();
        },
    };
}
