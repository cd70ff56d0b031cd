/** What people did to the water and saw in it, of all tanks or of one. */

import { journalOf } from "../../app/journal.js";
import { createCareHead } from "../../components/care/care.js";
import { openAdd } from "../../components/entry/add.js";
import { openEntry } from "../../components/entry/entry.js";
import { createJournalList } from "../../components/journal-list/journal-list.js";
import { h } from "../../page/dom.js";
import { effect } from "../../page/signals.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, store, format } = context;
    const journal = journalOf(context);
    const head = createCareHead();
    const list = createJournalList(context, {
        journal,
        wanted: { device: new URLSearchParams(location.search).get("tank"), kind: null },
        open: (entry) => openEntry(context, journal, entry),
        add,
        changed({ device }) {
            history.replaceState(history.state, "", device === null ? location.pathname : `?tank=${encodeURIComponent(device)}`);
            watch();
        },
    });
    context.title(t("journal.title"));
    root.replaceChildren(head.element, h("div", { class: "water page-water" }, list.element));

    /** @param {string} [kind] */
    function add(kind) {
        openAdd(context, journal, list.wanted.device, kind);
    }

    function sentence() {
        const { items, isOld, seenAt } = list.listed;
        if (isOld) return t("journal.old", { at: format.at(seenAt) });
        const { device, kind } = list.wanted;
        if (items?.length === 0 && kind === null) return t("journal.lead_empty");
        const tanks = store.tanks.value ?? [];
        const only = device ?? (tanks.length === 1 ? tanks[0].id : null);
        const name = only === null ? undefined : store.deviceOf(only)?.name;
        return name ? t("journal.lead_tank", { name }) : t("journal.lead");
    }

    function update() {
        head.update({
            part: "journal",
            headline: t("journal.title"),
            sentence: sentence(),
            label: t("journal.care"),
            names: { due: t("journal.part_due"), calendar: t("journal.part_calendar"), journal: t("journal.title") },
            over: t("journal.care"),
            add: { text: t("journal.add"), press: () => add() },
            actions: [{ text: t("journal.add"), press: () => add(), isPrimary: true }],
        });
    }

    let endList = () => {};
    function watch() {
        endList();
        endList = effect([journal.list(list.wanted).listed, store.tanks], update);
    }
    watch();
    return {
        unmount() {
            endList();
            list.remove();
        },
    };
}
