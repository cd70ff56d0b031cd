/**
 * What people measured themselves, on the cards: a card of its own where no probe measures it, and squares where one does. It never says that
 * the water is fine, and no first screen waits for it.
 */

import { ringPlace, rounded } from "../../drawing/geometry.js";
import { h, set, setText, svg } from "../../page/dom.js";
import { handSentence, handText, ownValue, squaresOf } from "../../water/by-hand.js";
import { pointsOf } from "../../water/hand-tests.js";
import { shareOf } from "../../water/ranges.js";
import { limitsText } from "../../water/value-text.js";
import { shortSymbolOf } from "../../words/numbers.js";

/** @typedef {import("../../components/card/card.js").CardModel} CardModel */
/** @typedef {import("../../water/by-hand.js").HandPoint} HandPoint */
/** @typedef {import("../../water/headline.js").Gauge} Gauge */
/** @typedef {ReturnType<typeof import("../../components/card/card.js").createCard>} Card */
/** @typedef {{points: readonly HandPoint[], drawing: import("../../components/sparkline/sparkline.js").Squares}} Known */

const day = 86_400_000;
/** A card by hand has an axis of its own. */
const span = 30 * day;
/** What is older says little about the water now. */
const staleAfter = 14 * day;
/** What is older is left to the details. */
const longest = 90 * day;
/** The sides of squares, in pixels: on the ring, and in the box. */
const [large, small] = [11.4, 6.5];

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/hand-keeping.js").HandKeeping} keeping
 */
export function createByHand(context, keeping) {
    const { t, format, store } = context;
    /** What was made of the tests that were last shown. @type {{tests: unknown, known: Map<string, Known>}} */
    let made = { tests: null, known: new Map() };
    /** @type {WeakMap<Card, {square: Element, below: HTMLElement}>} */
    const drawn = new WeakMap();

    /**
     * What is known of a tank by hand.
     * @param {import("../../water/headline.js").Tank} tank
     * @param {number} now
     */
    function look(tank, now) {
        keeping.look(tank.id, now);
        const tests = keeping.shown.value.get(tank.id) ?? null;
        if (tests === made.tests) return;
        made = { tests, known: new Map() };
        for (const { name, value } of tank.gauges) {
            const points = pointsOf(tests ?? [], name).filter(({ at }) => now - Date.parse(at) < longest);
            if (points.length === 0) continue;
            const squares = squaresOf(points, store.parameterOf(tank.id, name));
            made.known.set(name, { points, drawing: drawingOf(squares, value !== null) });
        }
    }

    /**
     * @param {CardModel} model
     * @param {string} device
     * @param {Gauge} gauge
     * @param {number} now
     * @returns {CardModel}
     */
    function modelOf(model, device, gauge, now) {
        const known = made.known.get(gauge.name);
        const last = known?.points.at(-1);
        if (!known || !last) return model;
        const parameter = store.parameterOf(device, gauge.name);
        const sparkline = { ...model.sparkline, squares: known.drawing };
        if (gauge.value !== null) {
            return { ...model, label: `${model.label} ${handSentence(context, last, parameter, "", now)}`, sparkline };
        }
        const { value } = last;
        const [own, time] = [ownValue(value, parameter), Date.parse(last.at)];
        const isOld = now - time > staleAfter;
        const ago = format.ago(time, now);
        const side = value.finding === "low" || value.finding === "high" ? value.finding : null;
        const label = t("byHand.card_label", { name: model.name, value: handText(context, value, parameter), ago, limits: limitsText(context, gauge) });
        const isStep = value.choice !== null || own === null;
        return {
            ...model,
            label: side === null ? label : `${label} ${t(`byHand.card_${side}`)}`,
            shape: side ?? "byHand",
            isOld,
            // Its age is never what gives way.
            word: `${t("byHand.card")} ${ago}`,
            age: "",
            ring: {
                ...model.ring,
                share: null,
                isOld,
                value: value.choice?.replace("-", "–") ?? format.number(own ?? value.value, gauge.range.decimals),
                unit: shortSymbolOf(isStep ? value.unit : gauge.unit),
            },
            sparkline: { ...sparkline, series: null, isOld, period: { from: sparkline.period.to - span, to: sparkline.period.to } },
        };
    }

    return {
        look,
        /** @param {Gauge} gauge */
        has: (gauge) => made.known.has(gauge.name),

        /**
         * @param {Card} card
         * @param {CardModel} model
         * @param {string} device
         * @param {Gauge} gauge
         * @param {number} now
         */
        update(card, model, device, gauge, now) {
            card.update(modelOf(model, device, gauge, now));
            const last = made.known.get(gauge.name)?.points.at(-1);
            const isOwn = last !== undefined && gauge.value === null;
            const had = drawn.get(card);
            if (!isOwn) {
                had?.square.remove();
                had?.below.remove();
                return void drawn.delete(card);
            }
            const { square, below } = had ?? { square: squareAt(0, 0, large), below: h("span", { class: "small quiet" }) };
            if (!had) {
                card.ring.firstElementChild?.append(square);
                card.body.append(below);
                drawn.set(card, { square, below });
            }
            const share = shareOf(ownValue(last.value, store.parameterOf(device, gauge.name)), gauge.range);
            const place = ringPlace(48, 41.5, share ?? 0);
            set(square, "visibility", share === null ? "hidden" : null);
            set(square, "x", rounded(place.x - large / 2));
            set(square, "y", rounded(place.y - large / 2));
            setText(below, t("details.spanName_30d"));
        },
    };
}

/**
 * @param {readonly {time: number, value: number}[]} squares Oldest first.
 * @param {boolean} hasProbe Beside a probe's line none is filled: the last value there is the probe's.
 * @returns {import("../../components/sparkline/sparkline.js").Squares}
 */
function drawingOf(squares, hasProbe) {
    const values = squares.map(({ value }) => value);
    return {
        within: (extent, { from }) => {
            const seen = [...values.filter((_, index) => squares[index].time >= from), ...(extent ? [extent.least, extent.greatest] : [])];
            return seen.length === 0 ? null : { least: Math.min(...seen), greatest: Math.max(...seen) };
        },
        draw: (x, y, { from }) =>
            squares.flatMap(({ time, value }, index) =>
                time < from ? [] : [squareAt(x(time), y(value), small, !hasProbe && index === squares.length - 1)]
            ),
    };
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {boolean} [isFilled]
 */
function squareAt(x, y, size, isFilled = false) {
    return svg("rect", {
        "data-hand": "",
        x: rounded(x - size / 2),
        y: rounded(y - size / 2),
        width: size,
        height: size,
        rx: size === large ? 2.5 : 1.5,
        fill: isFilled ? "var(--ink)" : "var(--surface)",
        stroke: "var(--ink)",
        "stroke-width": size === large ? 2.25 : 1.5,
    });
}
