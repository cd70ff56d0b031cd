/** An entry of the journal as a row: when, what, who, and a photo of it. */

import { createSlot } from "../../page/slot.js";
import { h, set, setText } from "../../page/dom.js";
import { symbolOf } from "../../water/journal.js";
import { factsOf, titleOf } from "../../water/journal-text.js";
import { createThumbnail } from "../photo/photo.js";
import { createShape } from "../shape/shape.js";
import { createDoing } from "../symbol/doings.js";

/** @typedef {import("../../water/journal.js").Entry} Entry */

/**
 * @typedef {object} EntryRow
 * @property {Entry} entry
 * @property {number | null} volume Of its tank, in litres.
 * @property {string} [tank] The tank's name, where several are listed together.
 * @property {string} [time] When it was, where that is not the time of day alone.
 */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} events
 * @param {Pick<import("../journal-list/model.js").Journal, 'sourceOf'>} events.journal
 * @param {(entry: Entry) => void} events.open
 */
export function createJournalRow(context, { journal, open }) {
    const { t, format } = context;
    const time = h("time", { class: "journal-time" });
    const icon = createSlot(h("span", { class: "journal-icon" }));
    const title = h("span", { class: "journal-what" });
    const facts = h("span", { class: "journal-facts" });
    const state = createSlot(h("span", { class: "journal-state" }));
    const photo = createSlot(h("span", { class: "journal-photo" }));
    const text = h("span", { class: "journal-text" }, title, facts, state.element);
    const press = () => present && open(present);
    const button = h("button", { class: "journal-row", type: "button", onclick: press }, time, icon.element, text, photo.element);
    const element = h("li", { class: "journal-place" }, button);
    /** @type {Entry | null} */
    let present = null;

    return {
        element,
        /** @param {EntryRow} model */
        update({ entry, volume, tank, time: shown }) {
            present = entry;
            const at = Date.parse(entry.at);
            set(time, "datetime", entry.at);
            setText(time, shown ?? format.clock(at));
            icon.update([entry.kind], () => [createDoing(symbolOf(entry.kind))]);
            setText(title, titleOf(context, entry));
            setText(facts, factsOf(context, entry, { volume, tank }).join("\u00a0· "));
            const { waiting = null } = entry;
            set(state.element, "data-state", waiting);
            state.update([waiting, entry.refusal], () => {
                if (waiting === null) return [];
                const mark = waiting === "refused" ? createShape("fault") : createDoing(waiting === "saved" ? "phone" : "clock", "icon-small");
                return [mark, h("span", null, t(`journal.${waiting}`))];
            });
            const [first] = entry.photos;
            photo.update([entry.id, first?.id], () => first ? [createThumbnail(journal.sourceOf(entry, first))] : []);
        },
    };
}
