/** A log of changes, day by day, the newest first, page by page. */

import { createButton } from "../button/button.js";
import { createBlankList, createList, createRow } from "../list-row/list-row.js";
import { createEmpty, createProblem } from "../page/page.js";
import { h } from "../../page/dom.js";
import { daysOf, linesOf, sentenceOf } from "./entries.js";

/** @typedef {import("./entries.js").Entry} Entry */

const pageSize = 50;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {string} model.path Of the service.
 * @param {Record<string, string>} [model.query] Which of it.
 * @param {(count: number) => void} [model.onRead] With how many are shown.
 */
export function createChanges(context, { path, query = {}, onRead }) {
    const { t, api, format } = context;
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const blank = createBlankList(4);
    const none = createEmpty(t("audit.empty"));
    none.hidden = true;
    const list = h("div", { "aria-live": "polite" });
    const more = createButton({ text: t("audit.more"), busyText: t("common.loading"), kind: "outlined", press: () => void read() });
    more.element.hidden = true;
    /** @type {Entry[]} */
    let entries = [];
    /** @type {string | null} */
    let next = null;
    let hasEnded = false;

    /** Reads the first page, or the one after what is shown. */
    async function read() {
        problem.show("");
        more.setBusy(true);
        try {
            /** @type {{data: {items: Entry[], next: string | null}}} */
            const { data } = await api.get(path, { query: { ...query, limit: pageSize, cursor: next } });
            if (hasEnded) return;
            entries = [...entries, ...data.items];
            next = data.next;
            show();
        } catch (error) {
            if (!hasEnded) problem.show(context.explain(error, "read"));
        } finally {
            more.setBusy(false);
            blank.hidden = true;
        }
    }

    function show() {
        const now = Date.now();
        list.replaceChildren(...daysOf(entries, format.zone).flatMap(({ at, entries }) => [
            h("h2", { class: "section-head" }, format.day(at, now)),
            createList(...entries.map((entry) => {
                const [detail, ...lines] = linesOf(entry, context);
                const mark = entry.outcome === "refused" || entry.action === "session.reuse" ? "fault" : undefined;
                return createRow({ name: sentenceOf(entry, t), detail, more: lines, mark }).element;
            })),
        ]));
        none.hidden = entries.length > 0;
        more.element.hidden = next === null;
        onRead?.(entries.length);
    }

    void read();
    return {
        element: h("div", null, problem.element, blank, none, list, more.element),
        remove() {
            hasEnded = true;
        },
    };
}
