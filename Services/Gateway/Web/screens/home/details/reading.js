/**
 * The readings of one parameter over a span, and over the part of it that is looked at: read from the service, kept for
 * when there is no connection, and brought up to date by what is known of the last value.
 */

import { isWhole } from "../../../drawing/view.js";
import { kindOf, kinds } from "../../../kinds/index.js";
import { appended, decoded } from "../../../water/series.js";
import { isGoingOn } from "../../../water/work.js";
import { longSpan, shownOf, spans } from "./spans.js";

/** @typedef {import("../../../water/headline.js").Gauge} Gauge */
/** @typedef {import("../../../water/series.js").Period} Period */
/** @typedef {import("../../../water/series.js").Series} Series */
/** @typedef {import("./spans.js").SpanName} SpanName */
/** @typedef {ReturnType<typeof createReading>} Reading */

/**
 * An alert that was told about the parameter.
 * @typedef {object} Told
 * @property {string} id
 * @property {number} time
 * @property {string} purpose
 * @property {'low' | 'high' | null} side Where the value was outside.
 * @property {'rose' | 'fell' | null} [change] How it changed fast, of an alert about that. What was kept here may lack it.
 */

/**
 * @param {import("../../../water/alerts.js").Alert} alert
 * @returns {Told}
 */
export function toldOf(alert) {
    const { id, decidedAt, purpose, side } = alert;
    const mark = kindOf(alert).mark?.(alert) ?? null;
    return { id, time: Date.parse(decidedAt), purpose, side, change: mark === "rose" || mark === "fell" ? mark : null };
}

/** The kinds of alerts that have a mark on the graph. */
const marking = kinds.filter(({ mark }) => mark !== undefined);
const points = 500;
/** How long a view has to rest before its own points are read. */
const rest = 250;
/** A long period is read again so often; 12 hours go on by themselves. */
const renewal = 5 * 60_000;

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {object} what
 * @param {string} what.device
 * @param {string} what.parameter
 * @param {SpanName} what.span
 * @param {() => void} what.changed There is something else to draw.
 */
export function createReading(context, { device, parameter, span: first, changed }) {
    const { api, store } = context;
    let span = spanNamed(first);
    /** What is looked at when it is not all of the span. @type {Period | null} */
    let view = null;
    /** The whole span. @type {Series | null} */
    let series = null;
    /** A part of it, with more points. @type {{series: Series, period: Period} | null} */
    let detail = null;
    /** @type {readonly Told[]} */
    let told = [];
    /** @type {AbortController | null} */
    let attempted = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let readAt = 0;
    let readUnit = "";
    let failure = "";
    let isGone = false;

    const tank = () => store.tanks.value?.find((tank) => tank.id === device);

    function gauge() {
        return tank()?.gauges.find((gauge) => gauge.name === parameter) ?? null;
    }

    /** The whole span, which moves on with time. */
    function all() {
        const grain = Math.max(60_000, span.length / 720);
        const to = Math.ceil(Date.now() / grain) * grain;
        return { from: to - span.length, to };
    }

    /** What there is to look at of the span. */
    function whole() {
        return shownOf(all(), series);
    }

    /** @param {SpanName} name */
    function choose(name) {
        span = spanNamed(name);
        view = null;
        series = null;
        detail = null;
        told = [];
        read();
        changed();
    }

    /** @param {Period} next */
    function look(next) {
        view = isWhole(next, whole()) ? null : next;
        changed();
        clearTimeout(timer);
        if (view) timer = setTimeout(readDetail, rest);
        else detail = null;
    }

    async function read() {
        attempted?.abort();
        const attempt = attempted = new AbortController();
        failure = "";
        const { from, to } = all();
        readAt = Date.now();
        readUnit = gauge()?.unit ?? "";
        try {
            /** @param {string} kind */
            const alertsOf = (kind) =>
                api.all("/alerts", {
                    query: { device, parameter, kind, since: new Date(from).toISOString(), limit: 200 },
                    signal: attempt.signal,
                });
            const [answer, ...alerts] = await Promise.all([
                ask({ from, to: Math.max(to, Date.now()) }, attempt.signal),
                ...marking.map(({ name }) => alertsOf(name)),
            ]);
            if (isGone || attempt.signal.aborted) return;
            series = answer;
            told = alerts.flat().map(toldOf);
            store.keep(keptKey(), { series, told });
        } catch (error) {
            if (attempt.signal.aborted || isGone) return;
            await recall();
            if (!series) failure = context.t("details.failed", { problem: context.explain(error) });
        }
        changed();
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
        return decoded(data, store.deviceOf(device)?.since);
    }

    async function readDetail() {
        if (!view || !series) return;
        const wanted = view;
        // A margin on either side, so that a small move needs no reading.
        const margin = (wanted.to - wanted.from) / 2;
        const bounds = whole();
        const period = { from: Math.max(bounds.from, wanted.from - margin), to: Math.min(bounds.to, wanted.to + margin) };
        if (series.step === 0) return; // every message is there already
        try {
            const found = await ask(period, new AbortController().signal);
            if (isGone || view === null) return;
            detail = { series: found, period };
            changed();
        } catch {
            detail = null; // the wider points stay
        }
    }

    return {
        get span() {
            return span;
        },
        get series() {
            return series;
        },
        get told() {
            return told;
        },
        /** Why there is nothing to draw. */
        get failure() {
            return failure;
        },
        /** What is looked at. */
        get period() {
            return view ?? whole();
        },
        whole,
        choose,
        look,
        read,

        /**
         * Reads again what has become old, or is of another unit.
         * @param {Gauge} own
         * @param {number} now
         * @returns {boolean} Whether everything began anew.
         */
        renew(own, now) {
            if (readUnit !== "" && own.unit !== readUnit) {
                choose(span.name);
                return true;
            }
            if (readUnit === "") readUnit = own.unit;
            const isLive = store.connection.value.state === "live";
            if (isLive && now - readAt > (span.length > longSpan ? renewal : renewal * 6)) read();
            return false;
        },

        /** What is drawn: the finer points where they cover the view. */
        current() {
            const own = gauge();
            if (series && own && own.value !== null && own.time !== null && series.unit === own.unit) {
                series = appended(series, { time: own.time, value: own.value, isWorked: isGoingOn(tank()?.work, own.time) }, all().from);
            }
            if (view && detail && detail.period.from <= view.from && detail.period.to >= view.to) return detail.series;
            return series;
        },

        end() {
            isGone = true;
            clearTimeout(timer);
            attempted?.abort();
        },
    };
}

/** @param {SpanName} name */
function spanNamed(name) {
    return spans.find((span) => span.name === name) ?? spans[0];
}
