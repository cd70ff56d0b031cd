/** What was changed of the account or of one device, by whom: day by day, the newest first. */

import { actingAs } from "../../app/acting.js";
import { saveFile } from "../../app/files.js";
import { createButton } from "../../components/button/button.js";
import { createBlankList, createList, createRow } from "../../components/list-row/list-row.js";
import { createEmpty, createProblem, createSubPage } from "../../components/page/page.js";
import { brand } from "../../lang/languages.js";
import { h } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { daysOf, linesOf, sentenceOf } from "./entries.js";

/** @typedef {import("./entries.js").Entry} Entry */

const pageSize = 50;

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api, store, format } = context;
    const device = new URLSearchParams(location.search).get("device");
    context.title(t("audit.title"));
    const page = createSubPage(context, {
        title: t("audit.title"),
        back: device === null ? actingAs() ? "/settings" : "/settings/account" : `/devices/${encodeURIComponent(device)}`,
    });
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const blank = createBlankList(4);
    const none = createEmpty(t("audit.empty"));
    none.hidden = true;
    const list = h("div", { "aria-live": "polite" });
    const more = createButton({ text: t("audit.more"), busyText: t("common.loading"), kind: "outlined", press: () => void read() });
    more.element.hidden = true;
    const csv = createButton({ text: t("audit.csv"), kind: "text", press: () => void save() });
    csv.element.hidden = true;
    page.body.append(problem.element, blank, none, list, more.element, csv.element, h("p", { class: "rows-note" }, t("audit.note")));
    root.replaceChildren(...page.parts);
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
            /** @type {Record<string, string | number>} */
            const query = { limit: pageSize };
            if (device !== null) query.device = device;
            if (next !== null) query.cursor = next;
            /** @type {{data: {items: Entry[], next: string | null}}} */
            const { data } = await api.get("/audit", { query });
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
        csv.element.hidden = entries.length === 0;
    }

    async function save() {
        try {
            await saveFile(api, "/audit.csv", `${brand.filePrefix}audit.csv`, device === null ? undefined : { device });
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    const end = effect([store.devices], () => page.setSubtitle(device === null ? "" : store.deviceOf(device)?.name ?? device));
    void read();
    return {
        unmount() {
            hasEnded = true;
            end();
        },
    };
}
