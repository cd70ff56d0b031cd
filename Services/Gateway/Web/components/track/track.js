/**
 * The way of a device, drawn over a map: a line, and a mark for each place, whose shape says how the value stands by the
 * limits, and whose shade says how great it is.
 */

import { positionOf } from "../../drawing/mercator.js";
import { set, svg } from "../../page/dom.js";
import { domainOf, nearestOf, shadeOf, shades, standingOf, stretchesOf } from "../../water/track.js";

/** @typedef {import("../../drawing/mercator.js").View} View */
/** @typedef {import("../../drawing/mercator.js").Size} Size */
/** @typedef {import("../../water/track.js").TrackPlace} TrackPlace */

/** What is known of a track: its places, and the limits by which they stand. @typedef {{places: readonly TrackPlace[], range: Parameters<typeof standingOf>[1], step: number}} Track */

/** Nearer to a press than this is a place, in pixels. */
const reach = 24;
/** Around the equator, in metres. */
const aroundEarth = 40_075_017;

/** Marks by the names of their classes: of a place at x and y. @type {Record<string, (x: number, y: number) => string>} */
const marks = {
    none: (x, y) => ring(x, y, 3),
    ...Object.fromEntries(Array.from({ length: shades }, (_, shade) => [`shade-${shade}`, (/** @type {number} */ x, /** @type {number} */ y) => ring(x, y, 4.5)])),
    low: (x, y) => `M${x - 7} ${y - 5}h14l-7 12z`,
    high: (x, y) => `M${x - 7} ${y + 5}h14l-7 -12z`,
};

/**
 * A mark by itself, for a legend.
 * @param {string} name
 */
export function createTrackMark(name) {
    return svg("svg", { class: "track-key", viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { class: `track-${name}`, d: marks[name](10, 10) }));
}

/** @param {(index: number) => void} choose A place was pressed. */
export function createTrack(choose) {
    const line = svg("path", { class: "track-line" });
    const paths = new Map(Object.keys(marks).map((name) => [name, svg("path", { class: `track-${name}` })]));
    const accuracy = svg("circle", { class: "track-accuracy" });
    const chosen = svg("circle", { class: "track-chosen", r: 10 });
    const element = svg("svg", { class: "track-drawing", "aria-hidden": "true" }, line, accuracy, ...paths.values(), chosen);
    /** @type {Track} */
    let track = { places: [], range: null, step: 0 };
    let index = 0;
    /** @type {{x: number, y: number}[]} */
    let points = [];

    return {
        element,
        places: () => track.places,

        /**
         * @param {Track} next
         * @param {number} at The chosen place.
         */
        show(next, at) {
            track = next;
            index = at;
        },

        /** @param {number} at */
        point(at) {
            index = at;
        },

        /**
         * @param {View} view
         * @param {Size} size
         */
        draw(view, size) {
            const { places, range, step } = track;
            set(element, "viewBox", `0 0 ${size.width} ${size.height}`);
            points = places.map((place) => {
                const { x, y } = positionOf(place, view, size);
                return { x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 };
            });
            const along = places.map((place, at) => ({ time: place.time, ...points[at] }));
            set(line, "d", stretchesOf(along, step).map((stretch) => `M${stretch.map(({ x, y }) => `${x} ${y}`).join("L")}`).join(""));
            const domain = domainOf(places, range);
            /** @type {Record<string, string>} */
            const drawn = {};
            places.forEach((place, at) => {
                const standing = standingOf(place, range);
                const name = standing === "within" && domain && place.value !== null ? `shade-${shadeOf(place.value, domain)}` : standing ?? "none";
                drawn[name] = (drawn[name] ?? "") + marks[name](points[at].x, points[at].y);
            });
            for (const [name, path] of paths) set(path, "d", drawn[name] ?? null);
            const place = places[index];
            for (const circle of [chosen, accuracy]) {
                set(circle, "hidden", !place);
                set(circle, "cx", points[index]?.x ?? null);
                set(circle, "cy", points[index]?.y ?? null);
            }
            if (!place) return;
            const metres = aroundEarth * Math.cos(place.latitude * Math.PI / 180) / (256 * 2 ** view.zoom);
            set(accuracy, "r", place.accuracy === null ? 0 : Math.min(10_000, place.accuracy / metres));
        },

        /** @param {{x: number, y: number}} at Of the window. */
        press(at) {
            const near = nearestOf(points, at, reach);
            if (near !== null) choose(near);
        },
    };
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
function ring(x, y, radius) {
    return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
}
