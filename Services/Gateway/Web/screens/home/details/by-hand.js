/** What people measured of a parameter themselves: the last value in a sentence, beside what the probe says, and squares for the graph. */

import { readByHand } from "../../../app/hand-tests.js";
import { createShape } from "../../../components/shape/shape.js";
import { h, set, setText } from "../../../page/dom.js";
import { handSentence, squaresOf } from "../../../water/by-hand.js";
import { pointsOf } from "../../../water/hand-tests.js";

/** @typedef {import("../../../water/by-hand.js").HandPoint} HandPoint */

/** The longest time that a graph shows. */
const longest = 366 * 86_400_000;

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {object} model
 * @param {string} model.device
 * @param {string} model.parameter
 * @param {() => void} model.changed
 */
export function createByHand(context, { device, parameter, changed }) {
    const { format, store } = context;
    const text = h("span");
    const element = h("p", { class: "details-by-hand small quiet", hidden: true }, createShape("byHand"), text);
    /** @type {readonly HandPoint[]} */
    let points = [];
    let isGone = false;

    async function read() {
        const now = Date.now();
        try {
            points = await readByHand(context.api, device, parameter, { from: now - longest, to: now + 300_000 });
        } catch {
            // The graph stands without them.
            return;
        }
        if (!isGone) changed();
    }
    void read();

    /** What the service has, with what waits on this device once that is known. */
    function known() {
        const waiting = pointsOf(store.hand.value?.unsentOf(device) ?? [], parameter);
        return waiting.length === 0 ? points : [...points.filter(({ test }) => !waiting.some((one) => one.test === test)), ...waiting];
    }

    return {
        element,

        /**
         * @param {import("../../../water/headline.js").Gauge} own
         * @param {number} now
         */
        update(own, now) {
            const last = known().at(-1);
            // Where no probe measures it, its value is the large one.
            set(element, "hidden", last === undefined || own.value === null);
            if (!last || own.value === null) return;
            const probe = format.withUnit(format.number(own.value, own.range.decimals), own.unit);
            setText(text, handSentence(context, last, store.parameterOf(device, parameter), probe, now));
        },

        last: () => known().at(-1) ?? null,

        /** @param {import("../../../water/series.js").Period} period */
        squares: ({ from, to }) =>
            squaresOf(known(), store.parameterOf(device, parameter)).filter(({ time }) => time >= from && time <= to),

        end() {
            isGone = true;
        },
    };
}
