/** The journal beside what is due and the calendar, where the window has room for three columns. */

import { journalOf } from "../../app/journal.js";
import { openAdd } from "../../components/entry/add.js";
import { openEntry } from "../../components/entry/entry.js";
import { createJournalList } from "../../components/journal-list/journal-list.js";
import { h, set } from "../../page/dom.js";

/** @param {import("../../app/context.js").Context} context */
export function createJournalColumn(context) {
    const journal = journalOf(context);
    const room = matchMedia("(min-width: 75em)");
    const element = h("section", { class: "journal-column" });
    /** @type {ReturnType<typeof createJournalList> | null} */
    let list = null;

    /** @param {string} [kind] */
    function add(kind) {
        openAdd(context, journal, list?.wanted.device ?? null, kind);
    }

    function stand() {
        set(element, "hidden", !room.matches);
        if (!room.matches || list) return;
        list = createJournalList(context, {
            journal,
            wanted: { device: null, kind: null },
            open: (entry) => openEntry(context, journal, entry),
            add,
            heading: "h3",
        });
        element.append(h("div", { class: "care-column-head" }, h("h2", { class: "name" }, context.t("care.journal")), list.chips), list.element);
    }

    stand();
    room.addEventListener("change", stand);
    return {
        element,
        add: () => add(),
        remove() {
            room.removeEventListener("change", stand);
            list?.remove();
        },
    };
}
