/**
 * The last 30 days within some limits, so that a person sees what they mean before an alert comes.
 */

import { domainOf } from "../../drawing/geometry.js";
import { setInk } from "../../drawing/ink.js";
import { h, set, setText } from "../../page/dom.js";
import { textSize } from "../../page/text-size.js";
import { byLimits } from "../../water/back-test.js";
import { outermost } from "../../water/periods.js";
import { decoded, extentOf } from "../../water/series.js";
import { toldOf } from "../../water/told-limits.js";
import { day } from "../../words/time.js";
import { drawGraph, frameOf } from "../graph/draw.js";
import { createLimitSteps } from "../graph/limit-steps.js";
import { createShape, uniqueID } from "../shape/shape.js";

/** @typedef {import("../../water/series.js").Series} Series */
/** @typedef {import("../../water/tanks.js").Parameter} Parameter */
/** @typedef {import("../../water/back-test.js").Answer} Answer */
/** @typedef {Record<string, string | number | null>} Query */

const length = 30 * day;
const points = 360;
const edges = { right: 44, top: 12, bottom: 12 };

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} what
 * @param {string} what.device
 * @param {string} what.name
 * @param {{ask: (query: Query, isWanted: () => boolean) => Promise<Answer | null>}} what.trials
 * @param {readonly (keyof Parameter)[]} [what.fields] What else decides which alerts there are, so that another one is asked for anew.
 * @param {(own: Parameter) => Query} [what.queryOf] Which limits are tried; without it those that hold.
 */
export function createMonth(context, { device, name, trials, fields = [], queryOf = () => ({}) }) {
    const { api, store, t, format } = context;
    const drawing = h("div", { class: "month-drawing", role: "img", "aria-label": t("parameter.month") });
    const ends = h("p", { class: "month-ends small quiet", "aria-hidden": "true" }, h("span", null, t("parameter.month_start")), h("span", null, t("parameter.month_end")));
    const text = h("p", { class: "month-text", role: "status" });
    const caption = h("figcaption", { class: "month-caption", "aria-live": "polite" }, t("parameter.month"));
    const element = h("figure", { class: "month surface" }, drawing, ends, caption, text);
    const clip = uniqueID();
    const key = `month ${device} ${name}`;
    const limitSteps = createLimitSteps(context, { device, parameter: name, changed: draw });
    /** @type {Parameter | null} */
    let parameter = null;
    /** @type {Series | null} */
    let series = null;
    /** In which unit it was asked for. */
    let unit = "";
    let now = Date.now();
    let size = { width: 0, height: 0 };
    /** @type {AbortController | null} */
    let attempt = null;
    /** What the limits as they are would have told. @type {Answer | null} */
    let tried = null;
    /** Of the limits that were asked for last. */
    let triedKey = "";

    const observer = new ResizeObserver(([entry]) => {
        const { width, height } = entry.contentRect;
        if (width === size.width && height === size.height) return;
        size = { width, height };
        draw();
    });
    observer.observe(drawing);

    async function read() {
        attempt?.abort();
        const current = attempt = new AbortController();
        now = Date.now();
        try {
            const { data } = await api.get(`/devices/${device}/parameters/${name}/series`, {
                query: { from: new Date(now - length).toISOString(), until: new Date(now).toISOString(), points },
                signal: current.signal,
            });
            if (current.signal.aborted) return;
            series = decoded(data);
            store.keep(key, { series, now });
            tell(series.points.length === 0 ? t("parameter.month_empty") : "");
        } catch (error) {
            if (current.signal.aborted) return;
            const kept = await store.kept(key);
            if (current.signal.aborted) return;
            if (kept?.series?.unit === unit) ({ series, now } = kept);
            else tell(t("parameter.month_failed", { problem: context.explain(error) }));
        }
        draw();
    }

    /** @param {Parameter} own */
    async function tryLimits(own) {
        const wanted = JSON.stringify([own.minimum, own.maximum, own.unit, own.periods, ...fields.map((field) => own[field])]);
        if (wanted === triedKey) return;
        triedKey = wanted;
        tried = null;
        say();
        try {
            const answer = await trials.ask(queryOf(own), () => wanted === triedKey);
            if (wanted !== triedKey) return;
            tried = answer;
        } catch {
            // The drawing says what there is; the next change asks again.
            if (wanted === triedKey) triedKey = "";
            return;
        }
        say();
        draw();
    }

    /** Says how often the limits would have alerted, once that is known. */
    function say() {
        const told = tried && toldOf(context, tried);
        if (!told) return caption.replaceChildren(t("parameter.month"));
        const { side, sentence: [before, times, after], more } = told;
        caption.replaceChildren(
            ...side ? [h("span", { class: "month-shape" }, createShape(side))] : [],
            h("span", null, before, times && h("strong", null, times), after, ...more.map((text) => h("span", { class: "month-more quiet" }, text))),
        );
    }

    /** @param {string} sentence In place of the drawing. */
    function tell(sentence) {
        setText(text, sentence);
        set(element, "data-told", sentence !== "");
    }

    function draw() {
        if (!parameter || size.width === 0) return;
        const shown = series?.unit === parameter.unit ? series : { ...decoded({}), unit: parameter.unit };
        const model = modelOf(shown, parameter);
        const em = textSize();
        set(drawing, "aria-label", model.label);
        drawing.replaceChildren(drawGraph(model, frameOf(model, size, em, edges), size, clip, em));
    }

    /**
     * @param {Series} shown
     * @param {Parameter} own
     * @returns {import("../graph/model.js").GraphModel}
     */
    function modelOf(shown, own) {
        const { minimum, maximum, least, greatest, decimals, scale } = own;
        const range = { minimum, maximum, least, greatest, decimals, scale };
        const period = { from: now - length, to: now };
        // The plain limits may be others than those that are set.
        const steps = limitSteps.of(period).map((step) => step.period === null ? { ...step, minimum, maximum } : step);
        const extent = extentOf(shown, period);
        /** @param {number} value */
        const number = (value) => format.number(value, decimals);
        return {
            series: shown,
            period,
            whole: period,
            now,
            isLive: false,
            range,
            steps,
            domain: domainOf(extent, outermost(range, steps)),
            hasEnvelope: shown.step > 0,
            isOld: false,
            alerts: byLimits(tried?.results[0]?.times ?? []).map(({ time, side }) => ({ time: Date.parse(time), kind: side })),
            nights: [],
            byHand: [],
            label: extent === null
                ? t("parameter.month")
                : t("parameter.month_label", { least: number(extent.least), greatest: format.withUnit(number(extent.greatest), own.unit) }),
            // The numbers of the limits say which is which, and the rows below name them.
            words: { minimum: "", maximum: "", now: "", noData: "", nothing: "", whole: "" },
            number: () => "",
            limit: (value) => format.limit(value, decimals),
            clock: () => "",
            timeTicks: () => [],
            gapText: () => "",
            readOut: () => "",
        };
    }

    return {
        element,
        /** @param {Parameter} next */
        update(next) {
            parameter = next;
            setInk(element, next.colour);
            if (next.unit !== unit) {
                unit = next.unit;
                read();
            }
            tryLimits(next);
            draw();
        },
        remove() {
            limitSteps.end();
            attempt?.abort();
            observer.disconnect();
        },
    };
}
