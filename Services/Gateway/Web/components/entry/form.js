/** The sheet in which an entry of the journal is said in full: what, how much, when, with photos, and the sums that help. */

import { h } from "../../page/dom.js";
import { kinds } from "../../water/journal.js";
import { titleOf } from "../../water/journal-text.js";
import { parseNumber } from "../../words/numbers.js";
import { createButton } from "../button/button.js";
import { createField } from "../field/field.js";
import { createProblem } from "../page/page.js";
import { createSegmented } from "../segmented/segmented.js";
import { unkeptText } from "./not-kept.js";
import { createPhotos } from "./photos.js";
import { createProposal } from "./proposal.js";
import { createSubject } from "./subject.js";
import { createSum } from "./sum.js";
import { createWhen } from "./when.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/journal.js").Content} Content */
/** @typedef {import("../../water/journal.js").Entry} Entry */

const mostText = 2_000;

/**
 * @param {Context} context
 * @param {object} what
 * @param {import("../journal-list/model.js").Journal} what.journal
 * @param {string} what.device
 * @param {Content} what.content What it says at first.
 * @param {Entry} [what.known] The entry that is changed.
 * @param {boolean} [what.beginsWithPhoto] Whether a photo is chosen first.
 * @param {(entry: Entry) => void} [what.saved]
 */
export function openEntryForm(context, { journal, device, content, known, beginsWithPhoto = false, saved }) {
    const { t, format } = context;
    const { kind } = content;
    const kindOf = kinds[kind] ?? {};
    let unit = content.unit ?? kindOf.units?.[0] ?? null;

    const amount = createField({
        label: t(kind === "fed" ? "journal.amount_gram" : "journal.amount"),
        name: "amount",
        inputmode: "decimal",
        value: content.amount === null ? "" : format.number(content.amount, String(content.amount).split(".")[1]?.length ?? 0),
        onInput: () => changed(),
    });
    const units = (kindOf.units ?? []).length > 1
        ? createSegmented({
            label: t("journal.unit"),
            options: (kindOf.units ?? []).map((value) => ({ value, text: t(`journal.unit_${value}`) })),
            value: unit ?? "",
            onChoose: (next) => {
                unit = next;
                changed();
            },
        })
        : null;
    const count = createField({
        label: t("journal.count"),
        name: "count",
        inputmode: "numeric",
        value: content.count === null ? "" : String(content.count),
        onInput: () => changed(),
    });
    const subject = createSubject(context, { journal, device, kind, value: content.subject ?? "", changed: () => changed() });
    const rows = kind === "note" ? 4 : 2;
    const text = createField({ label: t("journal.text"), name: "text", rows, maxlength: mostText, value: content.text ?? "" });
    const when = createWhen(context, content.at, known !== undefined);
    const photos = createPhotos(context, { journal, entry: known ?? null });
    const proposal = createProposal(context, { journal, device, kind });
    const sum = kindOf.units
        ? createSum(context, {
            kind,
            device,
            said: () => ({ amount: parseNumber(amount.value), unit }),
            take(value) {
                amount.value = format.number(value, String(value).split(".")[1]?.length ?? 0);
                amount.setFault(null);
            },
        })
        : null;
    const problem = createProblem();
    const save = createButton({ text: t("common.save"), busyText: t("common.saving"), kind: "primary", isLarge: true, isSubmit: true });
    const form = h(
        "form",
        { class: "form entry-form", novalidate: true },
        kindOf.hasSubject && subject.element,
        kindOf.units && h("div", { class: "entry-amount" }, amount.element, units?.element),
        kindOf.hasCount && count.element,
        sum?.element,
        kind === "note" && text.element,
        kind === "note" && photos.element,
        when.element,
        kind !== "note" && text.element,
        kind !== "note" && photos.element,
        proposal?.element,
        problem.element,
        save.element,
    );

    function changed() {
        sum?.update();
        proposal?.update(subject.value, parseNumber(count.value));
    }

    /** What is said; null where something of it cannot be, which is told beside it. @returns {Content | null} */
    function said() {
        const [value, number] = [parseNumber(amount.value), parseNumber(count.value)];
        const isNoShare = unit === "percent" && value !== null && value > 100;
        const isUnsaid = (kindOf.needsSubject ?? false) && subject.value.trim() === "";
        const isNote = kind === "note" && text.value.trim() === "" && !photos.hasAny();
        /** @type {[boolean, {setFault: (fault: {what: string}) => void, focus: () => void}, string][]} */
        const faults = [
            [isUnsaid, subject, t("journal.subject_missing")],
            [isNoShare, amount, t("journal.amount_share")],
            [amount.value.trim() !== "" && !(value !== null && value > 0), amount, t("journal.amount_wrong")],
            [count.value.trim() !== "" && !(number !== null && Number.isInteger(number) && number > 0), count, t("journal.count_wrong")],
            [isNote, text, t("journal.text_missing")],
        ];
        const first = faults.find(([isSo]) => isSo);
        if (first) {
            first[1].setFault({ what: first[2] });
            first[1].focus();
            return null;
        }
        const at = when.read();
        return at === null ? null : {
            kind,
            at,
            amount: kindOf.units ? value : null,
            unit: kindOf.units && value !== null ? unit : null,
            subject: kindOf.hasSubject ? subject.value : null,
            count: kindOf.hasCount ? number : null,
            text: text.value,
        };
    }

    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (save.isBusy || photos.isBusy()) return;
        problem.show("");
        const next = said();
        if (!next) return;
        save.setBusy(true);
        try {
            const entry = await journal.write(device, next, known);
            await photos.save(entry);
            await proposal?.save(entry);
            sheet.close();
            saved?.(entry);
        } catch (error) {
            problem.show(unkeptText(context, error));
        } finally {
            save.setBusy(false);
        }
    });

    const sheet = context.sheet({
        title: known ? titleOf(context, known) : t(`journal.kind_${kind}`),
        lead: context.store.deviceOf(device)?.name,
        body: [form],
        onClose: () => {
            subject.remove();
            proposal?.remove();
        },
    });
    changed();
    if (beginsWithPhoto) photos.choose();
}
