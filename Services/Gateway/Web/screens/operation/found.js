/** A list that is found by the beginning of its texts, page by page. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createBlankList, createRow } from "../../components/list-row/list-row.js";
import { createEmpty, createProblem, createSubPage } from "../../components/page/page.js";
import { h, set } from "../../page/dom.js";

/** So long after the last letter it is looked for. */
const rest = 300;
const pageSize = 50;

/**
 * @template Item
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {string} model.title
 * @param {string} model.path Of the service.
 * @param {{label: string, name: string, maxlength: number}} model.field By which it is found.
 * @param {(item: Item) => import("../../components/list-row/list-row.js").RowModel} model.row
 */
export function mountFound(root, context, { title, path, field, row }) {
    const { t, api } = context;
    context.title(title);
    const page = createSubPage(context, { title, back: "/settings/operation" });
    const begins = createField({ ...field, type: "text", onInput: wait });
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const blank = createBlankList(4);
    const list = h("ul", { class: "rows surface", hidden: true });
    const none = createEmpty(t("operation.none"));
    none.hidden = true;
    const more = createButton({ text: t("operation.more"), busyText: t("common.loading"), kind: "outlined", press: () => void read() });
    more.element.hidden = true;
    const form = h("form", { role: "search" }, begins.element);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        begin();
    });
    page.body.append(h("div", { class: "form" }, form, problem.element, blank, h("div", { "aria-live": "polite" }, none, list)), more.element);
    root.replaceChildren(...page.parts);
    /** @type {string | null} */
    let next = null;
    /** Counts what was asked for, so that an answer to what nobody wants any more changes nothing. */
    let turn = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let resting;

    function wait() {
        clearTimeout(resting);
        resting = setTimeout(begin, rest);
    }

    /** Looks anew, for what is written now. */
    function begin() {
        clearTimeout(resting);
        turn += 1;
        next = null;
        list.replaceChildren();
        void read();
    }

    async function read() {
        const own = turn;
        problem.show("");
        more.setBusy(true);
        try {
            /** @type {{data: {items: Item[], next: string | null}}} */
            const { data } = await api.get(path, { query: { [field.name]: begins.value.trim() || null, limit: pageSize, cursor: next } });
            if (own !== turn) return;
            next = data.next;
            list.append(...data.items.map((item) => createRow(row(item)).element));
        } catch (error) {
            if (own === turn) problem.show(context.explain(error, "read"));
        } finally {
            if (own === turn) {
                more.setBusy(false);
                set(blank, "hidden", true);
                set(more.element, "hidden", next === null);
                set(list, "hidden", list.childElementCount === 0);
                set(none, "hidden", list.childElementCount > 0 || problem.element.childElementCount > 0);
            }
        }
    }

    begin();
    return {
        begin,
        unmount() {
            clearTimeout(resting);
            turn += 1;
        },
    };
}
