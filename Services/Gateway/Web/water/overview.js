/**
 * Many tanks at once: how each stands in one word, how many need somebody, in which order they come, and the number beside each name.
 * Decided here without words.
 */

import { findingsOf, isBroken, isByHand, isShown, stateOf } from "./headline.js";
import { departureOf, endsOf, sideOf } from "./ranges.js";
import { isGoingOn } from "./work.js";

/** @typedef {import("./headline.js").Tank} Tank */
/** @typedef {import("./headline.js").Gauge} Gauge */
/** @typedef {import("./headline.js").Finding} Finding */

/** @typedef {'low' | 'high' | 'answered' | 'silent' | 'fault' | 'worked' | 'snoozed' | 'fine' | 'waiting' | 'byHand'} Mood byHand: of a place, whose water people test. */

/**
 * @typedef {object} Standing How one tank stands.
 * @property {Mood} mood
 * @property {Finding | null} finding What is the matter, of what nobody answers first.
 * @property {boolean} isOutside Whether its water is out of the person's limits, whoever is on it.
 * @property {boolean} needs Whether it has something that is not snoozed and that nobody answers.
 */

/** Moods that come first, from the one that needs somebody most. @type {readonly Mood[]} */
const gravity = ["low", "high", "answered", "silent", "fault", "worked", "snoozed"];

/** @typedef {'all' | 'needs' | 'outside' | 'silent' | 'fault' | 'worked'} Filter */

/** @type {Readonly<Record<Filter, (standing: Standing) => boolean>>} */
const filters = {
    all: () => true,
    needs: ({ needs }) => needs,
    outside: ({ isOutside }) => isOutside,
    silent: ({ mood }) => mood === "silent",
    fault: ({ mood }) => mood === "fault",
    worked: ({ mood }) => mood === "worked",
};

/** @typedef {'trouble' | 'name' | 'own'} Order */
export const orders = Object.freeze(/** @type {const} */ (["trouble", "name", "own"]));

/**
 * @param {Tank} tank
 * @param {number} now
 * @returns {Standing}
 */
export function standingIn(tank, now) {
    const findings = findingsOf(tank, now);
    const [finding = null] = findings;
    const isOutside = finding?.kind === "outside";
    const needs = findings.some(({ isSnoozed, answered }) => !isSnoozed && answered === null);
    if (!isOutside && isGoingOn(tank.work, now)) return { mood: "worked", finding: null, isOutside, needs: false };
    if (!finding && isByHand(tank, now)) return { mood: "byHand", finding, isOutside, needs };
    if (!finding) return { mood: tank.gauges.some(({ value }) => value !== null) ? "fine" : "waiting", finding, isOutside, needs };
    return { mood: moodOf(finding), finding, isOutside, needs };
}

/**
 * @param {Finding} finding
 * @returns {Mood}
 */
function moodOf(finding) {
    const { gauge, isSnoozed, answered } = finding;
    if (isSnoozed) return "snoozed";
    if (finding.kind === "outside") return answered ? "answered" : gauge?.side ?? "high";
    return finding.kind === "fault" ? "fault" : "silent";
}

/**
 * How many tanks each filter shows; those that show none are left out, but for all.
 * @param {readonly Standing[]} standings
 * @returns {{filter: Filter, count: number}[]}
 */
export function countsOf(standings) {
    return Object.entries(filters).map(([filter, shows]) => ({ filter: /** @type {Filter} */ (filter), count: standings.filter(shows).length }))
        .filter(({ filter, count }) => count > 0 || filter === "all");
}

/**
 * @param {Standing} standing
 * @param {Filter} filter
 */
export const isShownBy = (standing, filter) => filters[filter](standing);

/**
 * The ids of tanks in an order.
 * @param {readonly Tank[]} tanks In the person's own order.
 * @param {Order} order
 * @param {ReadonlyMap<string, Standing>} standings
 * @param {string} [language] By whose rules names are sorted.
 * @returns {string[]}
 */
export function ordered(tanks, order, standings, language) {
    const sorted = [...tanks];
    if (order === "name") {
        const { compare } = new Intl.Collator(language, { numeric: true });
        sorted.sort((one, other) => compare(one.name, other.name));
    }
    if (order === "trouble") {
        const place = new Map(tanks.map(({ id }) => [id, placeOf(standings.get(id))]));
        sorted.sort((one, other) => {
            const [rank, departure] = place.get(one.id) ?? [0, 0];
            const [itsRank, its] = place.get(other.id) ?? [0, 0];
            return rank - itsRank || its - departure;
        });
    }
    return sorted.map(({ id }) => id);
}

/**
 * @param {Standing | undefined} standing
 * @returns {[rank: number, departure: number]} Low and high are alike: the larger departure comes first.
 */
function placeOf(standing) {
    const rank = standing ? gravity.indexOf(standing.mood) : -1;
    return [rank < 0 ? gravity.length : Math.max(1, rank), standing?.finding?.departure ?? 0];
}

/**
 * The tanks in the order in which they stand, with what was added since at the end: nothing moves by itself.
 * @param {readonly string[]} standing
 * @param {readonly Tank[]} tanks
 * @returns {Tank[]}
 */
export function kept(standing, tanks) {
    const known = new Map(tanks.map((tank) => [tank.id, tank]));
    const old = new Set(standing);
    return [...standing.flatMap((id) => known.get(id) ?? []), ...tanks.filter(({ id }) => !old.has(id))];
}

/**
 * The number beside a tank's name: of one parameter, or of the one that is nearest to a limit, outside first.
 * @param {Tank} tank
 * @param {string | null} parameter null: the nearest.
 * @param {number} now
 * @returns {Gauge | null} null where there is none to show.
 */
export function gaugeShown(tank, parameter, now) {
    if (parameter !== null) return tank.gauges.find(({ name, value }) => name === parameter && value !== null) ?? null;
    let best = null;
    for (const gauge of tank.gauges) {
        const room = isBroken(gauge) || stateOf(gauge, tank, now).isOld ? null : roomOf(gauge);
        if (room !== null && (best === null || room < best.room)) best = { gauge, room };
    }
    return best?.gauge ?? tank.gauges.find(({ value }) => value !== null) ?? null;
}

/**
 * The number beside the name of a place: of its newest test, what is out of the person's limits first.
 * @param {Tank} tank
 * @param {string | null} parameter null: any.
 * @returns {(Gauge & {handSide: import("./ranges.js").Side | null}) | null} null where there is none to show.
 */
export function testShown({ site, gauges }, parameter) {
    const tested = (site?.values ?? []).flatMap(({ name, value }) => {
        const gauge = gauges.find((one) => one.name === name);
        return gauge && value !== null && (parameter ?? name) === name ? [{ ...gauge, value, handSide: sideOf(value, gauge.range) }] : [];
    });
    return tested.find(({ handSide }) => handSide !== null) ?? tested[0] ?? null;
}

/**
 * How far a value is from the nearest limit, as a share of the span between the ends; less than 0 outside.
 * @param {Gauge} gauge
 */
function roomOf({ value, range }) {
    if (value === null || (range.minimum === null && range.maximum === null)) return null;
    const outside = departureOf(value, range);
    if (outside > 0) return -outside;
    const { span } = endsOf(range);
    return Math.min(...[range.minimum, range.maximum].filter((limit) => limit !== null).map((limit) => Math.abs(value - limit))) / span;
}

/**
 * The parameters that tanks measure, the most frequent first.
 * @param {readonly Tank[]} tanks
 * @returns {string[]}
 */
export function parametersOf(tanks) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const { gauges } of tanks) {
        for (const gauge of gauges) if (gauge.value !== null && isShown(gauge)) counts.set(gauge.name, (counts.get(gauge.name) ?? 0) + 1);
    }
    return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

/**
 * Tanks by the project that they belong to, the person's own first.
 * @param {readonly {id: string, project?: {id: string, name: string} | null}[]} devices
 * @returns {{id: string, name: string | null, devices: Set<string>}[]} The name of the person's own is null. One group where there are no others.
 */
export function groupsOf(devices) {
    /** @type {Map<string, {id: string, name: string | null, devices: Set<string>}>} */
    const groups = new Map();
    for (const { id, project } of devices) {
        const key = project?.id ?? "";
        const group = groups.get(key) ?? { id: key, name: project?.name ?? null, devices: new Set() };
        group.devices.add(id);
        groups.set(key, group);
    }
    return [...groups.values()].sort((one, other) => Number(one.id !== "") - Number(other.id !== ""));
}
