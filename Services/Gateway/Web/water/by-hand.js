/** Values that people measure themselves, with kits and meters: what a kit asks for, what was typed, and what it says of the water. */

import { parseNumber } from "../words/numbers.js";
import { heldOf } from "./periods.js";
import { sideOf } from "./ranges.js";
import { fromCanonical, toCanonical } from "./scales.js";

/** @typedef {import("./tanks.js").Parameter} Parameter */
/** @typedef {{choice: string, value: number, lower: number | null, upper: number | null}} Step */
/** @typedef {{parameter: string, unit: string, drop: number | null, waitMinutes: number | null, steps: Step[]}} KitTest */
/** @typedef {{id: string, name: string, tests: KitTest[]}} Kit */
/** @typedef {'low' | 'high' | 'inRange' | 'noLimit'} HandFinding */

/**
 * @typedef {object} HandValue
 * @property {string} parameter
 * @property {number} value As it was read, in the unit.
 * @property {string} unit
 * @property {number | null} canonicalValue null of one that waits here in a unit that only the service converts.
 * @property {number | null} lower
 * @property {number | null} upper
 * @property {string | null} choice
 * @property {HandFinding} finding
 */

/** @typedef {{test: string, at: string, kit: string | null, by: {id: string, name: string, isMe: boolean} | null, value: HandValue}} HandPoint */
/** @typedef {{least: number, greatest: number}} Bounds */
/** @typedef {{parameter: string, last: HandPoint | null, before: HandPoint | null, expected: Bounds, possible: Bounds}} Latest */
/** @typedef {{parameter: string, unit: string, steps: Step[], waitMinutes: number | null, isOfKit: boolean}} Row */
/** @typedef {{value: number} | {choice: string}} Typed */
/** @typedef {{parameter: string, value: number, unit: string} | {parameter: string, choice: string}} Entry */

/**
 * The rows of a kit in the order of its leaflet, each parameter once; without a kit, of all that the person's water has.
 * @param {Kit | null} kit
 * @param {readonly Pick<Parameter, "name" | "unit">[]} parameters In the person's order.
 * @returns {Row[]}
 */
export function rowsOf(kit, parameters) {
    if (!kit) {
        return parameters.map(({ name, unit }) => ({ parameter: name, unit, steps: [], waitMinutes: null, isOfKit: false }));
    }
    const names = [...new Set(kit.tests.map(({ parameter }) => parameter))];
    return names.map((parameter) => {
        const tests = kit.tests.filter((test) => test.parameter === parameter);
        return {
            parameter,
            unit: tests[0].unit,
            steps: tests.flatMap(({ steps }) => steps),
            waitMinutes: tests[0].waitMinutes,
            isOfKit: true,
        };
    });
}

/**
 * What was typed into a row; null where nothing was, or no number.
 * @param {Row} row
 * @param {string} text
 * @returns {Entry | null}
 */
export function entryOf({ parameter, unit }, text) {
    const value = parseNumber(text);
    return value === null ? null : { parameter, value, unit };
}

/**
 * Whether a number cannot be, or is so far from the last one that it is asked about. What is typed in another unit than the person's is
 * left to the service.
 * @param {Entry} entry
 * @param {Latest | undefined} latest
 * @param {Pick<Parameter, "unit" | "scale"> | null} parameter
 * @returns {'impossible' | 'unlikely' | null}
 */
export function doubtOf(entry, latest, parameter) {
    if (!latest || !("value" in entry) || !parameter?.scale || entry.unit !== parameter.unit) return null;
    const canonical = toCanonical(entry.value, parameter.scale);
    if (canonical === null || !isWithin(canonical, latest.possible)) return "impossible";
    return isWithin(canonical, latest.expected) ? null : "unlikely";
}

/**
 * @param {number} value
 * @param {Bounds} bounds
 */
function isWithin(value, { least, greatest }) {
    // The noise of a conversion is no doubt.
    const noise = 1e-6 * Math.max(1, Math.abs(value));
    return value >= least - noise && value <= greatest + noise;
}

/**
 * A value by hand in the person's unit; null where that is not known.
 * @param {Pick<HandValue, "canonicalValue">} value
 * @param {Pick<Parameter, "scale"> | null} parameter
 */
export function ownValue({ canonicalValue }, parameter) {
    return canonicalValue === null ? null : fromCanonical(canonicalValue, parameter?.scale);
}

/**
 * What was typed, as it is shown until the service has answered. A step is beyond a limit only with all that looks like it.
 * @param {Entry} entry
 * @param {Row} row
 * @param {Parameter | null} parameter
 * @returns {HandValue}
 */
export function shownValue(entry, { unit, steps }, parameter) {
    const step = "choice" in entry ? steps.find(({ choice }) => choice === entry.choice) : undefined;
    const value = "value" in entry ? entry.value : step?.value ?? 0;
    const canonical = (/** @type {number | null} */ number) =>
        number === null || !parameter?.scale
            ? null
            : unit === parameter.unit
            ? toCanonical(number, parameter.scale)
            : unit === parameter.scale.unit
            ? number
            : null;
    const ends = step ? { lower: canonical(step.lower), upper: canonical(step.upper) } : { lower: null, upper: null };
    const shown = { parameter: entry.parameter, value, unit, canonicalValue: canonical(value), ...ends, choice: step?.choice ?? null };
    return { ...shown, finding: findingOf(shown, parameter) };
}

/**
 * @param {Omit<HandValue, "finding">} value
 * @param {Parameter | null} parameter
 * @returns {HandFinding}
 */
function findingOf({ canonicalValue, lower, upper, choice }, parameter) {
    if (!parameter) return "noLimit";
    const held = heldOf(parameter);
    if (held.minimum === null && held.maximum === null) return "noLimit";
    const side = (/** @type {number | null} */ number) => sideOf(ownValue({ canonicalValue: number }, held), held);
    if (choice === null) return canonicalValue === null ? "noLimit" : side(canonicalValue) ?? "inRange";
    if (side(upper) === "low") return "low";
    return side(lower) === "high" ? "high" : "inRange";
}

/**
 * A value by hand as text, in the person's unit where it was read in another one.
 * @param {Pick<import("../app/context.js").Context, "format">} context
 * @param {Omit<HandValue, "finding">} value
 * @param {Pick<Parameter, "unit" | "scale" | "decimals"> | null} parameter
 */
export function handText({ format }, value, parameter) {
    // A step is told as the card has it: converted it would say more than was seen.
    if (value.choice !== null) return format.withUnit(value.choice.replace("-", "–"), value.unit);
    const own = parameter && parameter.unit !== value.unit ? ownValue(value, parameter) : null;
    if (own !== null && parameter) return format.withUnit(format.number(own, parameter.decimals), parameter.unit);
    return format.withUnit(format.limit(value.value, parameter?.decimals ?? 2), value.unit);
}

/**
 * The sentence about the last value by hand: how old it is, and what the probe says beside it.
 * @param {Pick<import("../app/context.js").Context, "t" | "format">} context
 * @param {HandPoint} last
 * @param {Pick<Parameter, "unit" | "scale" | "decimals"> | null} parameter
 * @param {string} probe What the probe says now; empty where there is none.
 * @param {number} now
 */
export function handSentence({ t, format }, last, parameter, probe, now) {
    const value = handText({ format }, last.value, parameter);
    const ago = format.ago(Date.parse(last.at), now);
    return probe === "" ? t("byHand.alone", { value, ago }) : t("byHand.beside", { value, ago, probe });
}

/**
 * The places of values by hand on a graph, in the person's unit.
 * @param {readonly HandPoint[]} points
 * @param {Pick<Parameter, "scale"> | null} parameter
 */
export function squaresOf(points, parameter) {
    return points.flatMap(({ at, value }) => {
        const own = ownValue(value, parameter);
        return own === null ? [] : [{ time: Date.parse(at), value: own }];
    });
}
