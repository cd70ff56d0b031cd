/** What lives and works in a tank: two lists, and below each what is no longer there. */

import { journalOf } from "../../app/journal.js";
import { createButton } from "../../components/button/button.js";
import { createBlankList, createRow } from "../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../components/page/page.js";
import { createShape } from "../../components/shape/shape.js";
import { createSymbol } from "../../components/symbol/symbol.js";
import { h, set } from "../../page/dom.js";
import { createSlot } from "../../page/slot.js";
import { effect } from "../../page/signals.js";
import { wordOf } from "../../lang/index.js";
import { mayAct } from "../../water/projects.js";
import { openItem } from "./item.js";

/** @typedef {import("../../components/journal-list/model.js").Item} Item */
/** @typedef {import("../../components/journal-list/model.js").Sort} Sort */

/** @type {readonly Sort[]} */
const sorts = ["livestock", "equipment"];

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { device }) {
    const { t, store } = context;
    const lists = journalOf(context).lists(device);
    const page = createSubPage(context, { title: t("journal.inventory"), back: `/devices/${encodeURIComponent(device)}` });
    const problem = createProblem({ text: t("common.retry"), press: () => void lists.read() });
    const blank = createBlankList(3);
    const parts = sorts.map((sort) => createPart(context, lists, sort));
    const refused = createSlot(h("div"));
    page.body.append(problem.element, refused.element, blank, ...parts.map(({ element }) => element));
    root.replaceChildren(...page.parts);
    context.title(t("journal.inventory"));

    function update() {
        page.setSubtitle(store.deviceOf(device)?.name ?? "");
        const { told, trouble, refused: rows } = lists.known.value;
        refused.update([rows.map(({ name, reason }) => `${name} ${reason}`).join()], () => rows.map((row) => createRefused(context, row)));
        problem.show(told === null && trouble !== null ? context.explain(trouble, "read") : "");
        blank.hidden = told !== null || trouble !== null;
        const isLookedAt = !mayAct(store.deviceOf(device));
        for (const part of parts) part.update(told && told[part.sort], isLookedAt);
    }

    void lists.read();
    const end = effect([lists.known, store.devices], update);
    return { unmount: end };
}

/**
 * A change that the service did not take: why, and what can be done.
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../components/journal-list/model.js").Refused} refused
 */
function createRefused({ t }, { name, reason, retry, giveUp }) {
    return h(
        "div",
        { class: "problem" },
        createShape("fault"),
        h("p", null, name === "" ? "" : `${name}: `, t("journal.refused_text", { problem: reason })),
        createButton({ text: t("common.retry"), press: retry }).element,
        createButton({ text: t("journal.give_up"), press: giveUp }).element,
    );
}

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../components/journal-list/model.js").Lists} lists
 * @param {Sort} sort
 */
function createPart(context, lists, sort) {
    const { t } = context;
    const present = createSlot(h("div"));
    const gone = createSlot(h("ul", { class: "rows" }));
    const summary = h("summary", { class: "inventory-former" });
    const former = h("details", { class: "surface inventory-gone", hidden: true }, summary, gone.element);
    const add = h(
        "button",
        { class: "chip inventory-add", type: "button", onclick: () => openItem(context, { lists, sort, item: null }) },
        createSymbol("plus"),
        t(`journal.${sort}_add`),
    );
    const element = h("section", { hidden: true }, h("h2", { class: "section-head" }, t(`journal.${sort}`)), present.element, former, add);
    /** @param {Item} item @param {boolean} isLookedAt */
    const row = (item, isLookedAt) => createItemRow(context, item, isLookedAt ? undefined : () => openItem(context, { lists, sort, item }));

    return {
        element,
        sort,
        /**
         * @param {readonly Item[] | null} items
         * @param {boolean} isLookedAt Whether the person changes nothing.
         */
        update(items, isLookedAt) {
            set(element, "hidden", items === null);
            set(add, "hidden", isLookedAt);
            if (items === null) return;
            const here = items.filter(({ until }) => until === null);
            const away = items.filter(({ until }) => until !== null);
            present.update([JSON.stringify(here), isLookedAt], () =>
                here.length === 0
                    ? [h("p", { class: "inventory-none quiet" }, t(`journal.${sort}_none`))]
                    : [h("ul", { class: "rows surface" }, here.map((item) => row(item, isLookedAt)))]);
            gone.update([JSON.stringify(away), isLookedAt], () => away.map((item) => row(item, isLookedAt)));
            set(former, "hidden", away.length === 0);
            summary.textContent = t("journal.former", { count: away.length });
        },
    };
}

/**
 * @param {import("../../app/context.js").Context} context
 * @param {Item} item
 * @param {(() => void) | undefined} press
 */
function createItemRow(context, { species, name, count, kind, since, until, note }, press) {
    const { t, format } = context;
    const day = (/** @type {string} */ date) => format.date(Date.parse(`${date}T12:00:00Z`));
    const facts = [
        kind && wordOf(t, "journal.thing", kind),
        since && t("journal.since_day", { day: day(since) }),
        until && t("journal.until_day", { day: day(until) }),
        note,
    ];
    return createRow({
        name: species ?? name ?? "",
        detail: facts.filter(Boolean).join(" · "),
        value: count ? format.number(count, 0) : undefined,
        press,
    }).element;
}
