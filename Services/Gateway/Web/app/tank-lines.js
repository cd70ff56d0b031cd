/**
 * The last 12 hours of a tank among many, without its series: when its water was outside, by what alarmed and goes on, and when nobody
 * listened. One list of alerts serves all tanks.
 */

import { swellsOf } from "../drawing/waterline.js";
import { heardAt, isOutside, isSilent } from "../water/headline.js";
import { departureOf } from "../water/ranges.js";
import { workedIn } from "../water/work.js";

/** @typedef {import("../water/headline.js").Tank} Tank */
/** @typedef {import("../water/series.js").Period} Period */

/** Of what was outside for so short a time alone the line would be a needle. */
const shortest = 10 * 60_000;

/**
 * When the water of each tank was outside, of what is over.
 * @param {readonly import("../water/alerts.js").Episode[]} episodes
 * @param {Period} period
 * @returns {Map<string, import("../water/alerts.js").Episode[]>} By device.
 */
export function pastOf(episodes, period) {
    /** @type {Map<string, import("../water/alerts.js").Episode[]>} */
    const past = new Map();
    for (const episode of episodes) {
        const { first, until } = episode;
        if (!first.device || (first.kind ?? "range") !== "range" || until === null || until < period.from) continue;
        past.set(first.device.id, [...past.get(first.device.id) ?? [], episode]);
    }
    return past;
}

/**
 * @param {Tank} tank
 * @param {readonly import("../water/alerts.js").Episode[]} past Of this tank.
 * @param {Period} period
 * @param {number} now
 * @returns {{swells: import("../drawing/waterline.js").Swell[], gaps: Period[], works: Period[]}}
 */
export function lineAmongMany(tank, past, period, now) {
    const { work = null } = tank;
    const over = past.flatMap(({ first, since, until }) => {
        const gauge = tank.gauges.find(({ name }) => name === first.parameter);
        return gauge && until !== null ? [{ from: since, to: until, worst: Math.max(0.1, departureOf(first.worst ?? first.value, gauge.range)) }] : [];
    });
    const open = tank.gauges.filter(isOutside).map((gauge) => (
        { from: gauge.since ?? gauge.time ?? period.to, to: period.to, worst: departureOf(gauge.value, gauge.range), isOpen: true }
    ));
    const heard = heardAt(tank);
    return {
        swells: swellsOf([...over, ...open], period, shortest),
        gaps: isSilent(tank, now) ? [{ from: Math.max(heard ?? period.from, period.from), to: period.to }] : [],
        works: workedIn(work ? [work] : [], period),
    };
}
