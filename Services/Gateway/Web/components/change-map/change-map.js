/**
 * Change over a map: a number in each point, coloured by its class, and zones with what they come to. Points that would lie on each other are one with their
 * mean; more than a screen can read as numbers are drawn as shapes on a canvas.
 */

import { crowdsOf } from "../../drawing/crowds.js";
import { metresOfPixel } from "../../drawing/graticule.js";
import { positionOf } from "../../drawing/mercator.js";
import { h, set, setText, svg } from "../../page/dom.js";
import { createKeyed } from "../../page/keyed.js";
import { classOf, mostElements } from "../../water/change.js";
import { createShape } from "../shape/shape.js";
import { createMany } from "./many.js";

/** @typedef {import("../../drawing/mercator.js").View} View */
/** @typedef {import("../../drawing/mercator.js").Size} Size */
/** @typedef {import("../../water/change.js").ChangePoint} ChangePoint */
/** @typedef {{latitude: number, longitude: number}} Place */

/**
 * @typedef {object} Mark
 * @property {ChangePoint} point
 * @property {string} text In it.
 * @property {string} label All of it, for readers.
 * @property {boolean} isOutside Whether its value is outside the person's limits now.
 * @property {'low' | 'high' | null} side
 */

/** @typedef {{id: string, outline: readonly Place[], label: string, isFavourite: boolean, isChosen: boolean}} DrawnZone */

/**
 * @typedef {object} Model
 * @property {readonly Mark[]} marks Those in front first.
 * @property {readonly DrawnZone[]} zones
 * @property {string | null} chosen The device of the point that is looked at.
 * @property {readonly Place[] | null} draft Corners of the outline that is being drawn.
 * @property {(Place & {accuracy: number}) | null} here Where the person is.
 * @property {(marks: readonly Mark[]) => {text: string, label: string, rank: number | null}} together What points at one place come to.
 */

/** @typedef {{id: string, marks: readonly (Mark & {x: number, y: number})[]}} Crowd */

/** Nearer to a press than this is a point, in pixels. */
const reach = 24;

/**
 * @param {object} parts
 * @param {(marks: readonly Mark[]) => void} parts.choose Points were pressed.
 * @param {(at: {x: number, y: number}) => boolean} parts.press The map was pressed; true: the press was taken.
 */
export function createChangeMap({ choose, press }) {
    const areas = svg("g");
    const draft = svg("path", { class: "change-draft" });
    const corners = svg("path", { class: "change-corners" });
    const accuracy = svg("circle", { class: "change-accuracy" });
    const here = svg("circle", { class: "change-here", r: 7 });
    const drawing = svg("svg", { class: "change-zones", "aria-hidden": "true" }, areas, draft, corners, accuracy, here);
    const many = createMany();
    const list = h("ul", { class: "change-marks" });
    const names = h("div", { class: "change-names", "aria-hidden": "true" });
    const element = h("div", { class: "change-layer" }, drawing, many.element, list, names);
    /** @type {Model} */
    let model = { marks: [], zones: [], chosen: null, draft: null, here: null, together: () => ({ text: "", label: "", rank: null }) };
    /** @type {{view: View, size: Size} | null} */
    let last = null;

    const updateMarks = createKeyed(list, (/** @type {Crowd} */ { id }) => id, () => createMark(choose));
    const updateNames = createKeyed(names, (/** @type {DrawnZone & {x: number, y: number}} */ { id }) => id, createName);

    const isMany = () => model.marks.length > mostElements;

    /**
     * @param {View} view
     * @param {Size} size
     */
    function draw(view, size) {
        last = { view, size };
        set(drawing, "viewBox", `0 0 ${size.width} ${size.height}`);
        /** @param {Place} place */
        const at = (place) => {
            const { x, y } = positionOf(place, view, size);
            return { x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 };
        };
        drawZones(at);
        drawHere(view, at);
        set(many.element, "hidden", !isMany());
        if (isMany()) {
            updateMarks([]);
            return many.draw(view, size);
        }
        const inside = model.marks.map((mark) => ({ ...mark, ...at(mark.point) }))
            .filter(({ x, y }) => x >= 0 && y >= 0 && x <= size.width && y <= size.height);
        updateMarks(crowdsOf(inside).map((marks) => {
            const { text, label, rank } = marks.length > 1 ? model.together(marks) : { text: marks[0].text, label: marks[0].label, rank: marks[0].point.class };
            const isChosen = marks.some(({ point }) => point.device === model.chosen);
            return { id: marks.length > 1 ? `${marks[0].point.device} and more` : marks[0].point.device, marks, text, label, rank, isChosen };
        }));
    }

    /** @param {(place: Place) => {x: number, y: number}} at */
    function drawZones(at) {
        /** @param {readonly Place[]} outline */
        const path = (outline) => `M${outline.map((place) => Object.values(at(place)).join(" ")).join("L")}`;
        areas.replaceChildren(
            ...model.zones.map(({ outline, isChosen }) => svg("path", { class: "change-zone", d: `${path(outline)}Z`, "data-chosen": isChosen })),
        );
        updateNames(model.zones.map((zone) => {
            const points = zone.outline.map(at);
            const across = points.map(({ x }) => x);
            // Above its middle: a name at a corner would be cut by the window's edge.
            return { ...zone, x: (Math.min(...across) + Math.max(...across)) / 2, y: Math.min(...points.map(({ y }) => y)) };
        }));
        const { draft: places } = model;
        set(draft, "d", places && places.length > 1 ? `${path(places)}${places.length > 2 ? "Z" : ""}` : null);
        set(corners, "d", places ? places.map(at).map(({ x, y }) => `M${x - 5} ${y}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0`).join("") : null);
    }

    /**
     * @param {View} view
     * @param {(place: Place) => {x: number, y: number}} at
     */
    function drawHere(view, at) {
        const place = model.here;
        for (const circle of [here, accuracy]) {
            const { x, y } = place ? at(place) : { x: null, y: null };
            set(circle, "hidden", !place);
            set(circle, "cx", x);
            set(circle, "cy", y);
        }
        if (place) set(accuracy, "r", Math.min(10_000, place.accuracy / metresOfPixel(view)));
    }

    return {
        element,
        /** What the map shows at first. */
        places: () => model.marks.length > 0 ? model.marks.map(({ point }) => point) : model.zones.flatMap(({ outline }) => outline),
        draw,

        /** @param {Partial<Model>} next Drawn by the map's next drawing. */
        show(next) {
            model = { ...model, ...next };
            if (next.marks) many.show(isMany() ? next.marks : []);
        },

        /** @param {{x: number, y: number}} at */
        press(at) {
            if (press(at) || !isMany()) return;
            const found = many.near(at, reach).map((index) => model.marks[index]);
            if (found.length > 0) choose(found);
        },

        /** The view that was drawn last. */
        shown: () => last,
    };
}

/** @param {(marks: readonly Mark[]) => void} choose */
function createMark(choose) {
    /** @type {readonly Mark[]} */
    let marks = [];
    const text = h("span");
    const button = h("button", {
        class: "change-mark",
        type: "button",
        onclick: (/** @type {Event} */ event) => event.defaultPrevented || choose(marks),
    });
    const element = h("li", null, button);
    return {
        element,
        /** @param {Crowd & {text: string, label: string, rank: number | null, isChosen: boolean}} crowd */
        update(crowd) {
            const { marks: [first] } = crowd;
            marks = crowd.marks;
            const outside = crowd.marks.find(({ isOutside }) => isOutside);
            button.replaceChildren(...outside?.side ? [createShape(outside.side)] : [], text);
            setText(text, crowd.text);
            set(button, "aria-label", crowd.label);
            set(button, "data-class", classOf(crowd.rank));
            set(button, "data-square", crowd.marks.every(({ point }) => point.byHand || point.site));
            set(button, "data-outside", outside !== undefined);
            set(button, "aria-pressed", crowd.isChosen);
            element.style.transform = `translate(${first.x.toFixed(1)}px, ${first.y.toFixed(1)}px)`;
        },
    };
}

function createName() {
    const text = h("span");
    const star = h("span", null, "★ ");
    const element = h("p", { class: "change-name" }, star, text);
    return {
        element,
        /** @param {DrawnZone & {x: number, y: number}} zone */
        update(zone) {
            set(star, "hidden", !zone.isFavourite);
            setText(text, zone.label);
            element.style.transform = `translate(${zone.x.toFixed(1)}px, ${zone.y.toFixed(1)}px) translate(-50%, -100%)`;
        },
    };
}
