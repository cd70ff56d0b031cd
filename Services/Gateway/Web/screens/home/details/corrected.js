/** The course of a parameter without its probe's drift: a second line, where the person asks for it. */

import { calibrationsOf } from "../../../app/calibrations.js";
import { h, set } from "../../../page/dom.js";
import { effect } from "../../../page/signals.js";
import { correctedPieces } from "../../../water/calibration.js";

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
export function createCorrected(context, { device, parameter, changed }) {
    const { t, api, explain, toast } = context;
    const calibrations = calibrationsOf(context);
    const element = h("button", { class: "button", type: "button", hidden: true, "aria-pressed": "false", onclick: turn }, t("calibration.corrected"));
    let isOn = false;
    let isGone = false;
    /** What was read last. @type {{period: Period, pieces: Pieces} | null} */
    let read = null;
    /** @type {Period | null} */
    let asked = null;

    const ends = [
        effect([calibrations.standing], show),
        calibrations.news.subscribe(() => calibrations.look(device, Date.now())),
    ];
    calibrations.look(device, Date.now());

    /** Without a log there is nothing to correct by; with another one the line is another. */
    function show() {
        set(element, "hidden", !calibrations.standing.value.get(device)?.some((probe) => probe.parameter === parameter));
        read = null;
        asked = null;
        if (isOn) changed();
    }

    function turn() {
        isOn = !isOn;
        set(element, "aria-pressed", String(isOn));
        changed();
    }

    /** @param {Period} period */
    async function load(period) {
        asked = period;
        try {
            const path = `/devices/${encodeURIComponent(device)}/parameters/${encodeURIComponent(parameter)}/series`;
            const query = { from: new Date(period.from).toISOString(), until: new Date(period.to).toISOString(), corrected: "true" };
            const { data } = await api.get(path, { query });
            if (isGone || asked !== period) return;
            read = { period, pieces: correctedPieces(data) };
            changed();
        } catch (error) {
            if (isGone || asked !== period) return;
            asked = null;
            isOn = false;
            set(element, "aria-pressed", "false");
            toast({ text: explain(error) });
            changed();
        }
    }

    /** @param {Period | undefined} one @param {Period} other */
    const isNear = (one, other) => one !== undefined && Math.abs(one.from - other.from) < patience && Math.abs(one.to - other.to) < patience;

    return {
        element,

        /**
         * What is known of the line in a period, which is read where it is not.
         * @param {Period} period
         * @returns {Pieces}
         */
        pieces(period) {
            if (!isOn) return [];
            if (!isNear(read?.period, period) && !isNear(asked ?? undefined, period)) void load(period);
            return read?.pieces ?? [];
        },

        end() {
            isGone = true;
            for (const end of ends) end();
        },
    };
}
