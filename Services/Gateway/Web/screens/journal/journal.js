/** What people did to the water and saw in it, of all tanks or of one. */

import { saveFile } from "../../app/files.js";
import { journalOf } from "../../app/journal.js";
import { createButton } from "../../components/button/button.js";
import { createCareHead } from "../../components/care/care.js";
import { openAdd } from "../../components/entry/add.js";
import { openEntry } from "../../components/entry/entry.js";
import { createJournalList } from "../../components/journal-list/journal-list.js";
import { h } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { mayWrite } from "../../water/projects.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { api, t, store, format } = context;
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
    const csv = createButton({ text: t("journal.csv"), kind: "text", press: save });
    csv.element.hidden = true;
    const above = h("div", { class: "journal-above" }, list.chips, h("a", { class: "chip chip-small", href: "/field" }, t("field.title")));
    context.title(t("journal.title"));
    root.replaceChildren(head.element, h("div", { class: "water page-water" }, above, list.element, csv.element));

    /** The tank whose journal it is; null: several are listed together. */
    function tank() {
        const tanks = store.tanks.value ?? [];
        return list.wanted.device ?? (tanks.length === 1 ? tanks[0].id : null);
    }

    async function save() {
        const device = tank();
        if (device === null) return;
        try {
            await saveFile(api, `/devices/${encodeURIComponent(device)}/journal.csv`, `${device}-journal.csv`);
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    /** @param {string} [kind] */
    function add(kind) {
        openAdd(context, journal, list.wanted.device, kind);
    }

    function sentence() {
        const { items, isOld, seenAt } = list.listed;
        if (isOld) return t("journal.old", { at: format.at(seenAt) });
        if (items?.length === 0 && list.wanted.kind === null) return t("journal.lead_empty");
        const only = tank();
        const name = only === null ? undefined : store.deviceOf(only)?.name;
        return name ? t("journal.lead_tank", { name }) : t("journal.lead");
    }

    function update() {
        const isOffered = mayWrite(store.tanks.value ?? [], list.wanted.device);
        csv.element.hidden = tank() === null || !list.listed.items?.length;
        head.update({
            part: "journal",
            headline: t("journal.title"),
            sentence: sentence(),
            label: t("tabs.care"),
            names: { due: t("care.due"), calendar: t("care.calendar"), journal: t("journal.title") },
            over: t("tabs.care"),
            add: isOffered ? { text: t("journal.add"), press: () => add() } : null,
            actions: isOffered ? [{ text: t("journal.add"), press: () => add(), isPrimary: true }] : [],
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
