/**
 * What people did, below the hours of a graph: a disc for each entry of the journal, or one with a number where several lie close together,
 * and a dotted line up through the plot. A press shows the entries as rows.
 */

import { clustered } from "../../drawing/clusters.js";
import { rounded } from "../../drawing/geometry.js";
import { h, set, svg } from "../../page/dom.js";
import { createKeyed } from "../../page/keyed.js";
import { createSlot } from "../../page/slot.js";
import { symbolOf } from "../../water/journal.js";
import { titleOf } from "../../water/journal-text.js";
import { dayName } from "../../words/time.js";
import { volumeOf } from "../entry/volume.js";
import { createJournalRow } from "../journal-row/journal-row.js";
import { createDoing } from "../symbol/doings.js";

/** @typedef {import("../../water/journal.js").Entry} Entry */
/** @typedef {import("../journal-row/journal-row.js").EntryRow} EntryRow */
/** @typedef {{key: string, place: number, items: readonly Entry[], isChosen: boolean}} Disc */

/** The width of a disc: nearer than this, two would lie on each other. */
const size = 26;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} parts
 * @param {import("../journal-list/model.js").Journal} parts.journal
 * @param {(entry: Entry) => void} parts.open
 */
export function createGraphMarks(context, { journal, open }) {
    const { t, format } = context;
    const list = h("ul", { class: "graph-marks", "aria-label": t("journal.marks") });
    const rows = h("ul", { class: "graph-marked", hidden: true });
    const updateDiscs = createKeyed(list, (/** @type {Disc} */ { key }) => key, createDisc);
    const updateRows = createKeyed(rows, (/** @type {EntryRow} */ { entry }) => entry.id, () => createJournalRow(context, { journal, open }));
    /** @type {readonly Entry[]} */
    let entries = [];
    /** The first entry of the disc whose entries are shown. @type {string | null} */
    let chosen = null;
    /** @type {import("../graph/graph.js").Drawn | null} */
    let drawn = null;

    /** @param {Entry} entry */
    const timeOf = ({ at }) => Date.parse(at);

    function draw() {
        if (!drawn) return;
        const { picture, frame, period, x } = drawn;
        const inside = entries.filter((entry) => timeOf(entry) >= period.from && timeOf(entry) <= period.to);
        const discs = clustered(inside, (entry) => x(timeOf(entry)), size).map(({ place, items }) => {
            const ids = items.map(({ id }) => id);
            return { key: ids[0], place, items, isChosen: chosen !== null && ids.includes(chosen) };
        });
        const lines = discs.map(({ place }) =>
            svg("path", { class: "graph-mark-line", d: `M${rounded(place)} ${frame.top}V${frame.bottom}` })
        );
        // Above the hatching, below the line that was measured.
        picture.insertBefore(svg("g", null, lines), picture.querySelector(":scope > g[clip-path]"));
        updateDiscs(discs);
        const items = discs.find(({ isChosen }) => isChosen)?.items ?? [];
        set(rows, "hidden", items.length === 0);
        const isOfDay = period.to - period.from <= 86_400_000;
        updateRows(items.map((entry) => ({
            entry,
            volume: volumeOf(context, entry.device),
            time: isOfDay ? undefined : dayName(timeOf(entry), format.zone, format.locale),
        })));
    }

    /** @param {Disc} disc */
    function createDisc(disc) {
        let present = disc;
        const inside = createSlot(h("button", { class: "graph-mark", type: "button", onclick: press }));
        const element = h("li", null, inside.element);

        function press() {
            chosen = present.isChosen ? null : present.items[0].id;
            drawn?.again();
        }

        return {
            element,
            /** @param {Disc} next */
            update(next) {
                present = next;
                const [first] = next.items;
                const count = next.items.length;
                element.style.setProperty("--place", `${rounded(next.place)}px`);
                set(inside.element, "aria-pressed", String(next.isChosen));
                set(inside.element, "aria-label", count === 1
                    ? `${titleOf(context, first)}, ${format.moment(timeOf(first))}`
                    : t("journal.mark_several", { count, from: format.moment(timeOf(next.items[0])), to: format.moment(timeOf(next.items[count - 1])) }));
                inside.update([count, first.kind], () => [count === 1 ? createDoing(symbolOf(first.kind)) : h("span", null, count)]);
            },
        };
    }

    return {
        list,
        rows,
        hasAny: () => entries.length > 0,
        /** @param {readonly Entry[]} next */
        update(next) {
            entries = next;
        },
        /** @param {import("../graph/graph.js").Drawn} next */
        draw(next) {
            drawn = next;
            draw();
        },
    };
}
