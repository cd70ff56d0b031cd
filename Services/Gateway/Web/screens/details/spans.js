/**
 * The periods that a graph can show.
 */

import { day, hour } from "../../app/time.js";

/** @typedef {'12h' | '24h' | '7d' | '30d' | '1y'} SpanName */

/** @type {readonly {name: SpanName, length: number}[]} */
export const spans = [
    { name: "12h", length: 12 * hour },
    { name: "24h", length: 24 * hour },
    { name: "7d", length: 7 * day },
    { name: "30d", length: 30 * day },
    { name: "1y", length: 365 * day },
];

/** From here on the points are too wide to be told by the minute. */
export const longSpan = 36 * hour;
