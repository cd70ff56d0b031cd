/**
 * The journal as a list: day by day, the newest first, with chips that choose among kinds and tanks. Beside each day stands what the water
 * did then.
 */

import { h, set, setText } from "../../page/dom.js";
import { createKeyed } from "../../page/keyed.js";
import { effect } from "../../page/signals.js";
import { byDay, listed, symbolOf } from "../../water/journal.js";
import { mayWrite } from "../../water/projects.js";
import { isProblem } from "../../words/problem.js";
import { isoDay } from "../../words/time.js";
import { createButton } from "../button/button.js";
import { volumeOf } from "../entry/volume.js";
import { createJournalRow } from "../journal-row/journal-row.js";
import { createBlankList } from "../list-row/list-row.js";
import { createProblem } from "../page/page.js";
import { openChoice } from "../picker/choice.js";
import { createIcon } from "../shape/shape.js";
import { createDoing } from "../symbol/doings.js";

/** @typedef {import("../../water/journal.js").Entry} Entry */
/** @typedef {import("./model.js").Journal} Journal */
/** @typedef {import("./model.js").Wanted} Wanted */
/** @typedef {{day: string, name: string, did: number, items: readonly Entry[]}} Day */

/** The kinds that an empty journal offers. */
const usual = ["waterChanged", "fed", "cleaned", "note"];

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} parts
 * @param {Journal} parts.journal
 * @param {Wanted} parts.wanted What is listed first.
 * @param {(entry: Entry) => void} parts.open Shows an entry.
 * @param {(kind: string) => void} parts.add Begins an entry, where there is none yet.
 * @param {(wanted: Wanted) => void} [parts.changed] Something else was chosen.
 * @param {'h2' | 'h3'} [parts.heading] Of the days.
 */
export function createJournalList(context, { journal, wanted: first, open, add, changed, heading = "h2" }) {
    const { t, store, format } = context;
    let wanted = first;
    let entries = journal.list(wanted);
    const tankChip = createChip(chooseTank);
    const kindChip = createChip(chooseKind);
    const chips = h("div", { class: "journal-chips" }, tankChip.element, kindChip.element);
    const problem = createProblem({ text: t("common.retry"), press: () => void entries.read() });
    const blank = createBlankList(4);
    const emptyText = h("p");
    const offers = h("div", { class: "journal-offers" }, usual.map((kind) =>
        h("button", { class: "chip", type: "button", onclick: () => add(kind) }, createDoing(symbolOf(kind)), t(`journal.kind_${kind}`))
    ));
    const empty = h("div", { class: "journal-empty", hidden: true }, emptyText, offers);
    const days = h("div");
    const updateDays = createKeyed(days, (/** @type {Day} */ { day }) => day, () => createDay());
    const more = createButton({ text: t("journal.older"), kind: "outlined", press: readMore });
    const element = h("div", { class: "journal" }, problem.element, blank, empty, days, more.element);

    /** @param {number} time */
    const dayOf = (time) => isoDay(time, format.zone);

    async function readMore() {
        try {
            await entries.readMore();
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    /** @param {Partial<Wanted>} next */
    function choose(next) {
        wanted = { ...wanted, ...next };
        end();
        entries = journal.list(wanted);
        end = entries.use(update);
        changed?.(wanted);
        return Promise.resolve();
    }

    function chooseKind() {
        const options = listed.map((kind) => ({ value: kind, text: t(`journal.kind_${kind}`) }));
        openChoice(context, {
            title: t("journal.show_kind"),
            options: [{ value: "", text: t("journal.all_kinds") }, ...options],
            value: wanted.kind ?? "",
            onChoose: (kind) => choose({ kind: kind || null }),
        });
    }

    function chooseTank() {
        const options = (store.tanks.value ?? []).map(({ id, name }) => ({ value: id, text: name }));
        openChoice(context, {
            title: t("journal.show_tank"),
            options: [{ value: "", text: t("journal.all_tanks") }, ...options],
            value: wanted.device ?? "",
            onChoose: (device) => choose({ device: device || null }),
        });
    }

    /**
     * How much the water did on a day, as far as the alerts that are known reach back.
     * @returns {(day: string) => number}
     */
    function deeds() {
        const { items, next } = store.told.listed.value;
        const oldest = items?.at(-1)?.decidedAt;
        const reach = next && oldest ? dayOf(Date.parse(oldest)) : "";
        /** @type {Map<string, number>} */
        const counts = new Map();
        for (const { first, since } of store.told.episodes.value) {
            if (wanted.device !== null && first.device?.id !== wanted.device) continue;
            const day = dayOf(since);
            counts.set(day, (counts.get(day) ?? 0) + 1);
        }
        return (day) => day <= reach ? 0 : counts.get(day) ?? 0;
    }

    function update() {
        const now = Date.now();
        const { items, next, isOld, trouble } = entries.listed.value;
        const tanks = store.tanks.value ?? [];
        const isFiltered = wanted.kind !== null || (wanted.device !== null && tanks.length > 1);
        set(tankChip.element, "hidden", tanks.length < 2);
        tankChip.update(store.deviceOf(wanted.device ?? "")?.name ?? t("journal.all_tanks"), wanted.device !== null);
        kindChip.update(wanted.kind === null ? t("journal.all_kinds") : t(`journal.kind_${wanted.kind}`), wanted.kind !== null);
        set(chips, "hidden", items === null || (items.length === 0 && !isFiltered));
        problem.show(trouble === null || (isOld && !isProblem(trouble)) || items ? "" : context.explain(trouble, "read"));
        blank.hidden = items !== null || trouble !== null;
        more.element.hidden = next === null;
        empty.hidden = items === null || items.length > 0;
        setText(emptyText, t(isFiltered ? "journal.empty_filter" : "journal.empty"));
        set(offers, "hidden", isFiltered || !mayWrite(tanks, wanted.device));
        const did = deeds();
        updateDays(byDay(items ?? [], dayOf).map(({ day, items }) => ({ day, name: format.day(Date.parse(items[0].at), now), did: did(day), items })));
    }

    function createDay() {
        const name = h(heading);
        const did = h("a", { class: "journal-did" });
        const rows = h("ul", { class: "rows surface" });
        const updateRows = createKeyed(
            rows,
            (/** @type {import("../journal-row/journal-row.js").EntryRow} */ { entry }) => entry.id,
            () => createJournalRow(context, { journal, open }),
        );
        return {
            element: h("section", null, h("div", { class: "journal-day section-head" }, name, did), rows),
            /** @param {Day} day */
            update(day) {
                setText(name, day.name);
                set(did, "hidden", day.did === 0);
                set(did, "href", `/alerts#day-${day.day}`);
                setText(did, day.did === 0 ? "" : t("journal.water_did", { count: day.did }));
                const isOfAll = wanted.device === null && (store.tanks.value ?? []).length > 1;
                updateRows(day.items.map((entry) => ({
                    entry,
                    volume: volumeOf(context, entry.device),
                    tank: isOfAll ? store.deviceOf(entry.device)?.name : undefined,
                })));
            },
        };
    }

    let end = entries.use(update);
    const endOthers = effect([store.tanks, store.told.episodes], update);
    if (store.told.listed.value.items === null) void store.told.read();
    return {
        element,
        /** What chooses among the entries: above them, or at the right of their head. */
        chips,
        get wanted() {
            return wanted;
        },
        /** What is listed now, such as for the sentence above it. */
        get listed() {
            return entries.listed.value;
        },
        update,
        choose,
        remove() {
            end();
            endOthers();
        },
    };
}

/** @param {() => void} press */
function createChip(press) {
    const text = h("span");
    const props = { class: "chip chip-small", type: "button", "aria-haspopup": "dialog", onclick: press };
    const element = h("button", props, text, createIcon("chevronDown", "icon-small"));
    return {
        element,
        /**
         * @param {string} words
         * @param {boolean} isOn
         */
        update(words, isOn) {
            setText(text, words);
            set(element, "data-on", isOn);
        },
    };
}
