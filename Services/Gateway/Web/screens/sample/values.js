/** The values of a sample: those of all of it, those of each station of a route, and those of each depth. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { h, set, setText } from "../../page/dom.js";
import { mostDepths } from "../../water/field/draft.js";
import { fieldsOf, isEntered, keyOf } from "../../water/field/protocol.js";
import { depthText } from "../../water/field/text.js";
import { meanOf, openOf, valueText } from "../../water/field/values.js";
import { parseNumber } from "../../words/numbers.js";
import { createCountRow } from "./count-row.js";
import { createValueRow } from "./value-row.js";

/** @typedef {import("../../water/field/draft.js").Draft} Draft */
/** @typedef {import("../../water/field/protocol.js").Spot} Spot */
/** @typedef {{element: HTMLElement, key: string, show: () => void, miss: () => void, focus: () => void}} Row */

/** Deeper is no water in which this is measured, in metres. */
const deepest = 12_000;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {() => Draft} draft As it is now.
 * @param {(change: (draft: Draft) => Draft) => void} change
 */
export function createValues(context, draft, change) {
    const { t, store } = context;
    const { protocol } = draft();
    const kept = `field-favourites ${protocol.id}`;
    /** @type {Set<string>} */
    let favourites = new Set();
    /** The rows in sight, by the names of their values. @type {Map<string, Row>} */
    const rows = new Map();
    /** What is worked out beside them. @type {Map<string, {show: () => void}>} */
    const means = new Map();
    let station = draft().stations[0] ?? null;
    const whole = h("div", { class: "hand-rows surface" });
    const stationChips = h("div", { class: "journal-offers", role: "group", "aria-label": t("field.stations") });
    const stationRows = h("div", { class: "hand-rows surface" });
    const stations = h("section", { hidden: protocol.stations === 0 }, h("h2", { class: "section-head" }, t("field.stations")), stationChips, stationRows);
    const depthSections = h("div");
    const depths = h("section", { hidden: !protocol.depths }, h("h2", { class: "section-head" }, t("field.depths")), depthSections, createButton({ text: t("field.add_depth"), kind: "outlined", press: addDepth }).element);

    /** @param {string} key @param {import("../../water/field/values.js").Typed | null} next */
    function say(key, next) {
        change((now) => {
            const { [key]: _, ...others } = now.values;
            return { ...now, values: next === null ? others : { ...others, [key]: next } };
        });
        for (const mean of means.values()) mean.show();
    }

    /** @param {string} species */
    function favour(species) {
        const next = new Set(favourites);
        if (!next.delete(species)) next.add(species);
        favourites = next;
        void store.keep(kept, [...next]);
    }

    /** @param {import("../../water/field/protocol.js").Field} field @param {Spot} spot */
    function createMean(field, spot) {
        const output = h("output", { class: "name" });
        const mean = {
            element: h("div", { class: "hand-row field-row", "data-field": field.id }, h("div", null, h("p", { class: "hand-name" }, field.label), h("p", { class: "small quiet" }, field.help ?? "")), output),
            show() {
                const number = meanOf(protocol, field, spot, draft().values);
                setText(output, number === null ? "–" : valueText(context, field, { number: Math.round(number * 1_000) / 1_000 }));
            },
        };
        means.set(keyOf(field.id, spot), mean);
        mean.show();
        return mean;
    }

    /**
     * @param {'sample' | 'station' | 'depth'} each
     * @param {Spot} spot
     */
    const made = (each, spot) =>
        fieldsOf(protocol, each).map((field) => {
            const key = keyOf(field.id, spot);
            if (!isEntered(field)) return createMean(field, spot).element;
            const parts = { field, spot, typed: () => draft().values[key], say: (/** @type {import("../../water/field/values.js").Typed | null} */ next) => say(key, next) };
            const row = field.kind === "count" ? createCountRow(context, { ...parts, favourites: () => favourites, favour }) : createValueRow(context, parts);
            rows.set(key, row);
            return row.element;
        });

    function showStations() {
        const { stations: list } = draft();
        const chips = list.map((name) =>
            h("button", { class: "chip", type: "button", "aria-pressed": String(name === station), "data-on": name === station, onclick: () => goTo(name) }, t("field.station", { station: name }))
        );
        if (list.length < protocol.stations) {
            chips.push(h("button", { class: "chip", type: "button", onclick: addStation }, t("field.add_station")));
        }
        stationChips.replaceChildren(...chips);
        stationRows.replaceChildren(...station === null ? [] : made("station", { station }));
        set(stationRows, "hidden", stationRows.childElementCount === 0);
    }

    /** @param {string} name */
    function goTo(name) {
        station = name;
        showStations();
        /** @type {HTMLElement | null} */ (stationChips.querySelector("[data-on]"))?.focus();
    }

    function addStation() {
        const name = String(draft().stations.length + 1);
        change((now) => ({ ...now, stations: [...now.stations, name] }));
        goTo(name);
    }

    function showDepths() {
        depthSections.replaceChildren(...draft().depths.map((depth) =>
            h("section", null, h("h3", { class: "field-depth small" }, depthText(context, depth)), h("div", { class: "hand-rows surface" }, made("depth", { depth })))
        ));
    }

    function addDepth() {
        const input = createField({ label: t("field.depth_metres"), name: "depth", inputmode: "decimal", maxlength: 8 });
        const add = createButton({ text: t("field.add_depth"), kind: "primary", isSubmit: true });
        const form = h("form", { class: "form", novalidate: true }, input.element, add.element);
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            const depth = parseNumber(input.value);
            const known = draft().depths;
            if (depth === null || depth < 0 || depth > deepest || known.includes(depth) || known.length >= mostDepths) {
                return input.setFault({ what: t(depth !== null && known.includes(depth) ? "field.depth_known" : "field.depth_wrong") });
            }
            change((now) => ({ ...now, depths: [...now.depths, depth].sort((one, other) => one - other) }));
            sheet.close();
            showDepths();
            rows.get(keyOf(fieldsOf(protocol, "depth")[0]?.id ?? "", { depth }))?.focus();
        });
        const sheet = context.sheet({ title: t("field.add_depth"), body: [form] });
        input.focus();
    }

    function showAll() {
        whole.replaceChildren(...made("sample", {}));
        set(whole, "hidden", whole.childElementCount === 0);
        showStations();
        showDepths();
    }

    showAll();
    void store.kept(kept).then((had) => {
        if (!Array.isArray(had)) return;
        favourites = new Set(had);
        for (const row of rows.values()) row.show();
    });
    return {
        element: h("div", null, whole, stations, depths),
        /** All of it anew, after it was changed elsewhere. */
        showAll,
        /** Goes to the first value that hinders the sample from being done; whether there is none. */
        isReady() {
            const open = openOf(protocol, draft());
            const [first] = open;
            if (!first) return true;
            const [, its] = first.key.split("|");
            if (its !== "" && its !== station) goTo(its);
            for (const { key } of open) rows.get(key)?.miss();
            rows.get(first.key)?.focus();
            return false;
        },
    };
}
