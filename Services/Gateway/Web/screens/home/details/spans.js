/**
 * The periods that a graph can show.
 */

import { closest } from "../../../drawing/view.js";
import { beginOf } from "../../../water/runs.js";
import { day, hour } from "../../../words/time.js";

/** @typedef {'1h' | '3h' | '12h' | '24h' | '7d' | '30d' | '1y'} SpanName */

/** @type {readonly {name: SpanName, length: number}[]} */
export const spans = [
    { name: "1h", length: hour },
    { name: "3h", length: 3 * hour },
    { name: "12h", length: 12 * hour },
    { name: "24h", length: 24 * hour },
    { name: "7d", length: 7 * day },
    { name: "30d", length: 30 * day },
    { name: "1y", length: 365 * day },
];

/** From here on the points are too wide to be told by the minute. */
export const longSpan = 36 * hour;

/**
 * What a graph shows of a span: all of it, or what there is since the first reading of a device that was linked within it.
 * @param {import("../../../water/series.js").Period} span
 * @param {import("../../../water/series.js").Series | null} series Of the span.
 * @returns {import("../../../water/series.js").Period}
 */
export function shownOf({ from, to }, series) {
    const begin = series ? beginOf(series, from) : from;
    return { from: Math.max(from, Math.min(begin, to - closest)), to };
}

/**
 * The shortest span that reaches back to a reading; null where it is older than all of them, or within this one.
 * @param {number} ago How long ago the reading was.
 * @param {SpanName} shown
 * @returns {SpanName | null}
 */
export function spanWith(ago, shown) {
    const length = spans.find(({ name }) => name === shown)?.length ?? 0;
    if (ago < length) return null;
    return spans.find((span) => span.length > ago)?.name ?? null;
}
