/** What an entry is about: a text, with what is on the tank's lists and what was named before to choose from. */

import { h } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { subjectsOf } from "../../water/journal.js";
import { createField } from "../field/field.js";

/** So many are offered. */
const most = 6;
const longest = 80;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} what
 * @param {import("../journal-list/model.js").Journal} what.journal
 * @param {string} what.device
 * @param {string} what.kind
 * @param {string} what.value
 * @param {() => void} what.changed
 */
export function createSubject({ t }, { journal, device, kind, value, changed }) {
    const key = `journal.subject_${kind}`;
    const field = createField({ label: t.has(key) ? t(key) : t("journal.subject_dosed"), name: "subject", maxlength: longest, value, onInput: changed });
    const offers = h("div", { class: "journal-offers", hidden: true });
    const lists = journal.lists(device);
    const entries = journal.list({ device, kind: null });

    function update() {
        const { told } = lists.known.value;
        const before = subjectsOf(entries.listed.value.items ?? [], kind);
        const names = [...new Set([...namesOf(told), ...before])].slice(0, most);
        offers.hidden = names.length === 0;
        offers.replaceChildren(...names.map((name) =>
            h("button", { class: "chip chip-small", type: "button", onclick: () => choose(name) }, name)
        ));
    }

    /** @param {import("../journal-list/model.js").Inventory | null} told */
    function namesOf(told) {
        if (told === null) return [];
        if (kind === "cleaned") return told.equipment.flatMap(({ name, until }) => name && until === null ? [name] : []);
        return ["added", "moved", "died"].includes(kind) ? told.livestock.flatMap(({ species, until }) => species && until === null ? [species] : []) : [];
    }

    /** @param {string} name */
    function choose(name) {
        field.value = name;
        field.focus();
        changed();
    }

    void lists.read();
    const end = effect([lists.known, entries.listed], update);
    return {
        element: h("div", { class: "entry-subject" }, field.element, offers),
        get value() {
            return field.value;
        },
        setFault: field.setFault,
        focus: field.focus,
        remove: end,
    };
}
