/** The course of a parameter by a second probe in the same water: a line beside the first. */

import { h, set } from "../../../page/dom.js";
import { effect } from "../../../page/signals.js";
import { pieces } from "../../../water/compare.js";
import { fromCanonical, toCanonical } from "../../../water/scales.js";
import { decoded } from "../../../water/series.js";

/** @typedef {import("../../../water/series.js").Period} Period */
/** @typedef {readonly (readonly {time: number, value: number}[])[]} Pieces */

/** So long a line is not read again while time goes on. */
const patience = 60_000;

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {object} model
 * @param {string} model.device
 * @param {string} model.parameter
 * @param {() => void} model.changed
 */
export function createSecondLine(context, { device, parameter, changed }) {
    const { t, api, explain, store, toast } = context;
    const element = h("button", { class: "button", type: "button", hidden: true, "aria-pressed": "false", onclick: turn }, t("details.second"));
    /** The person's choice, null before it: the line is shown where the probes lie apart. */
    let isOn = /** @type {boolean | null} */ (null);
    let isGone = false;
    /** The other device. */
    let second = /** @type {string | null} */ (null);
    let isApart = false;
    /** The line that was read last. @type {{period: Period, pieces: Pieces} | null} */
    let read = null;
    /** @type {Period | null} */
    let asked = null;
    const end = effect([store.devices, store.tanks], show);

    /** A device that does not measure the parameter has no line. */
    function show() {
        const own = store.deviceOf(device);
        const other = own?.second ?? null;
        const measures = other !== null && store.tanks.value?.find(({ id }) => id === other)?.gauges.some(({ name, value }) => name === parameter && value !== null);
        const next = measures ? other : null;
        const apart = own?.differingProbes?.some((probe) => probe.parameter === parameter) ?? false;
        if (next === second && apart === isApart) return;
        if (next !== second) [read, asked] = [null, null];
        [second, isApart] = [next, apart];
        tell();
        changed();
    }

    function isShown() {
        return second !== null && (isOn ?? isApart);
    }

    function tell() {
        set(element, "hidden", second === null);
        set(element, "aria-pressed", String(isShown()));
    }

    function turn() {
        isOn = !isShown();
        tell();
        changed();
    }

    /** @param {Period} period @param {string} other */
    async function load(period, other) {
        asked = period;
        try {
            const path = `/devices/${encodeURIComponent(other)}/parameters/${encodeURIComponent(parameter)}/series`;
            const query = { from: new Date(period.from).toISOString(), until: new Date(period.to).toISOString() };
            const { data } = await api.get(path, { query });
            if (isGone || asked !== period) return;
            read = { period, pieces: inOwnUnit(pieces(decoded(data)), other) };
            changed();
        } catch (error) {
            if (isGone || asked !== period) return;
            asked = null;
            isOn = false;
            tell();
            toast({ text: explain(error) });
            changed();
        }
    }

    /**
     * The person may have chosen another unit for the other device.
     * @param {Pieces} lines
     * @param {string} other
     * @returns {Pieces}
     */
    function inOwnUnit(lines, other) {
        const [own, its] = [store.parameterOf(device, parameter), store.parameterOf(other, parameter)];
        const [to, from] = [own?.scale, its?.scale];
        if (!to || !from || own?.unit === its?.unit) return lines;
        return lines.map((line) => line.flatMap(({ time, value }) => {
            const canonical = toCanonical(value, from);
            const told = canonical === null ? null : fromCanonical(canonical, to);
            return told === null ? [] : [{ time, value: told }];
        }));
    }

    /** @param {Period | undefined} one @param {Period} other */
    const isNear = (one, other) => one !== undefined && Math.abs(one.from - other.from) < patience && Math.abs(one.to - other.to) < patience;

    return {
        element,

        /**
         * The line in a period, as far as it is known; the rest is read.
         * @param {Period} period
         * @returns {Pieces}
         */
        pieces(period) {
            if (!isShown() || second === null) return [];
            if (!isNear(read?.period, period) && !isNear(asked ?? undefined, period)) void load(period, second);
            return read?.pieces ?? [];
        },

        end() {
            isGone = true;
            end();
        },
    };
}
