/** The sheet of an animal, a plant or a thing of a tank. */

import { createButton } from "../../components/button/button.js";
import { unkeptText } from "../../components/entry/not-kept.js";
import { createField } from "../../components/field/field.js";
import { createProblem } from "../../components/page/page.js";
import { createSegmented } from "../../components/segmented/segmented.js";
import { wordOf } from "../../lang/index.js";
import { h } from "../../page/dom.js";
import { parseNumber } from "../../words/numbers.js";
import { isoDay } from "../../words/time.js";

/** @typedef {import("../../components/journal-list/model.js").Item} Item */

const longest = 80;
/** The kinds of things, as the service keeps them; another is a thing all the same. */
const things = ["filter", "heater", "light", "pump", "skimmer", "other"];

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} what
 * @param {import("../../components/journal-list/model.js").Lists} what.lists
 * @param {import("../../components/journal-list/model.js").Sort} what.sort
 * @param {Item | null} what.item null: a new one.
 */
export function openItem(context, { lists, sort, item }) {
    const { t, format, confirm } = context;
    const isAlive = sort === "livestock";
    const today = isoDay(Date.now(), format.zone);
    const name = createField({
        label: t(isAlive ? "journal.species" : "journal.thing"),
        name: "name",
        maxlength: longest,
        value: (isAlive ? item?.species : item?.name) ?? "",
    });
    const count = createField({ label: t("journal.count"), name: "count", inputmode: "numeric", value: String(item?.count ?? 1) });
    let thing = item?.kind ?? "filter";
    const kind = createSegmented({
        label: t("journal.thing_kind"),
        options: [...new Set([...things, thing])].map((value) => ({ value, text: wordOf(t, "journal.thing", value) })),
        value: thing,
        onChoose: (next) => thing = next,
    });
    const since = createField({ label: t("journal.since"), name: "since", type: "date", value: item ? item.since ?? "" : today });
    const until = createField({ label: t("journal.until"), name: "until", type: "date", value: item?.until ?? "" });
    const note = createField({ label: t("journal.text"), name: "note", maxlength: 500, value: item?.note ?? "" });
    const problem = createProblem();
    const save = createButton({ text: t("common.save"), busyText: t("common.saving"), kind: "primary", isLarge: true, isSubmit: true });
    const form = h(
        "form",
        { class: "form", novalidate: true },
        name.element,
        (isAlive ? count : kind).element,
        since.element,
        item ? until.element : null,
        note.element,
        problem.element,
        save.element,
        item ? createButton({ text: t("journal.inventory_delete"), press: () => void remove(item) }).element : null,
    );

    /** What is said; null where something of it cannot be, which is told beside it. @returns {Item | null} */
    function said() {
        const number = parseNumber(count.value);
        const isCounted = !isAlive || (number !== null && Number.isInteger(number) && number >= 0);
        /** @type {[boolean, import("../../components/field/field.js").Field, string][]} */
        const faults = [
            [name.value.trim() === "", name, t("journal.name_missing")],
            [!isCounted, count, t("journal.count_wrong")],
            [until.value !== "" && until.value < since.value, until, t("journal.until_wrong")],
        ];
        const first = faults.find(([isSo]) => isSo);
        if (first) {
            first[1].setFault({ what: first[2] });
            first[1].focus();
            return null;
        }
        const own = isAlive ? { species: name.value.trim(), count: number } : { name: name.value.trim(), kind: thing };
        return {
            id: item?.id ?? "",
            version: item?.version,
            ...own,
            since: since.value || null,
            until: until.value || null,
            note: note.value.trim() || null,
        };
    }

    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        const next = said();
        if (!next || save.isBusy) return;
        save.setBusy(true);
        try {
            await lists.write(sort, next);
            sheet.close();
        } catch (error) {
            problem.show(unkeptText(context, error));
        } finally {
            save.setBusy(false);
        }
    });

    /** @param {Item} gone */
    async function remove(gone) {
        const action = t("journal.inventory_delete");
        const agrees = await confirm({ title: `${action}?`, text: t("journal.inventory_deleteText"), action, isGrave: true });
        if (!agrees) return;
        try {
            await lists.remove(sort, gone);
            sheet.close();
        } catch (error) {
            problem.show(unkeptText(context, error));
        }
    }

    const sheet = context.sheet({ title: item ? name.value : t(`journal.${sort}_add`), body: [form] });
}
