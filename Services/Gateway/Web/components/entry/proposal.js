/**
 * What an entry proposes for the list of animals: fewer of those that died or moved, or a new kind. It is done only where the person leaves
 * it chosen.
 */

import { h, set, setText } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { isoDay } from "../../words/time.js";

/** @typedef {import("../../water/journal.js").Entry} Entry */
/** @typedef {import("../journal-list/model.js").Item} Item */

/** What each kind does to a number of animals. @type {Record<string, 1 | -1>} */
const effects = { added: 1, moved: -1, died: -1 };

/**
 * An animal of the list after an entry; null where the list does not change.
 * @param {readonly Item[]} livestock
 * @param {{kind: string, subject: string, count: number | null}} entry
 * @param {string} day When it was.
 * @returns {Item | null}
 */
export function proposed(livestock, { kind, subject, count }, day) {
    const effect = effects[kind];
    const name = subject.trim();
    if (!effect || name === "") return null;
    const found = livestock.find(({ species, until }) => until === null && species?.toLowerCase() === name.toLowerCase());
    if (!found) return kind === "added" ? { id: "", species: name, count: count ?? 1, since: day, until: null, note: null } : null;
    const had = found.count ?? null;
    if (had === null) return null;
    const left = Math.max(0, had + effect * (count ?? 1));
    return left === had ? null : { ...found, count: left, until: left === 0 ? day : null };
}

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} what
 * @param {import("../journal-list/model.js").Journal} what.journal
 * @param {string} what.device
 * @param {string} what.kind
 */
export function createProposal({ t, format }, { journal, device, kind }) {
    if (!effects[kind]) return null;
    const lists = journal.lists(device);
    const box = h("input", { type: "checkbox", checked: true });
    const words = h("span");
    const element = h("label", { class: "entry-proposal", hidden: true }, box, words);
    /** @type {Item | null} */
    let item = null;
    let said = { subject: "", count: /** @type {number | null} */ (null) };

    function show() {
        const livestock = lists.known.value.told?.livestock ?? [];
        item = lists.known.value.told && proposed(livestock, { kind, ...said }, isoDay(Date.now(), format.zone));
        set(element, "hidden", item === null);
        if (!item) return;
        const from = livestock.find(({ id }) => id === item?.id)?.count ?? 0;
        setText(words, item.id === "" ? t("journal.listed") : t("journal.lower", { from, to: item.count ?? 0 }));
    }

    const end = effect([lists.known], show);
    return {
        element,
        /**
         * @param {string} subject
         * @param {number | null} count
         */
        update(subject, count) {
            said = { subject, count };
            show();
        },
        /** @param {Entry} entry */
        async save(entry) {
            if (!item || !box.checked) return;
            const day = isoDay(Date.parse(entry.at), format.zone);
            await lists.write("livestock", { ...item, ...(item.until === null ? {} : { until: day }), ...(item.id === "" ? { since: day } : {}) });
        },
        remove: end,
    };
}
