/** The samples that a project received of others, the last that came first. */

import { fieldOf } from "../../../app/field/field.js";
import { createReceivedSamples } from "../../../app/field/received.js";
import { createButton } from "../../../components/button/button.js";
import { createBlankList, createRow } from "../../../components/list-row/list-row.js";
import { createEmpty, createProblem } from "../../../components/page/page.js";
import { h, set, setText } from "../../../page/dom.js";
import { createKeyed } from "../../../page/keyed.js";
import { effect } from "../../../page/signals.js";
import { protocolFor, receivedPlace, samplePath, shownOf, unknownProtocol, valuesLine } from "../../../water/field/received.js";

/** @typedef {import("../../../water/field/received.js").Row} Row */

/** So many are shown at first, and more with each press. */
const step = 10;

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {string} project
 */
export function createReceivedList(context, project) {
    const { t, format } = context;
    const received = createReceivedSamples(context, project);
    const { samples } = fieldOf(context);
    const problem = createProblem({ text: t("common.retry"), press: () => void received.read() });
    const blank = createBlankList(3);
    const below = h("p", { class: "rows-note", role: "status", hidden: true });
    const empty = createEmpty(t("receivers.empty"));
    const list = h("ul", { class: "rows surface" });
    const more = createButton({ text: t("receivers.more"), kind: "outlined", press: showMore });
    const element = h("section", null, h("h2", { class: "section-head" }, t("receivers.list")), problem.element, blank, empty, list, more.element, below);
    let shown = step;
    /** @type {readonly import("../../../water/field/protocol.js").Protocol[]} */
    let protocols = [];
    /** Of which rows they were asked for. */
    let asked = "";
    let hasEnded = false;
    const place = createKeyed(list, (/** @type {Row} */ { id }) => id, (row) => {
        const made = createRow({ ...wordsOf(row), href: samplePath(row.id, project) });
        return { element: made.element, update: (next) => made.update(wordsOf(next)) };
    });

    /** @param {Row} row */
    function wordsOf(row) {
        const { sample, sender, sentAt, isUpdate } = row;
        const name = receivedPlace(row);
        if (sample === null) return { name, detail: `${format.moment(Date.parse(sentAt))} · ${t("field.state_withdrawn")}`, more: [] };
        const protocol = protocolFor(row, protocols) ?? unknownProtocol(sample);
        const from = t("receivers.from", { sender: sender ?? t("journal.nobody") });
        return {
            name,
            detail: `${format.moment(Date.parse(sample.begunAt))} · ${protocol.name}`,
            more: [isUpdate ? `${from} · ${t("receivers.update")}` : from, valuesLine(context, sample, protocol)],
        };
    }

    function showMore() {
        const before = list.childElementCount;
        shown += step;
        update();
        // The button may be gone, and with it the focus.
        if (more.element.hidden) list.children[before]?.querySelector("a")?.focus();
    }

    /** Protocols that come with the service, of the samples that are shown. @param {readonly Row[]} rows */
    async function readProtocols(rows) {
        const taken = rows.flatMap(({ sample, ownProtocol }) => sample === null || ownProtocol ? [] : [{ ...sample, device: null }]);
        const wanted = [...new Set(taken.map(({ protocol, protocolVersion }) => `${protocol} ${protocolVersion}`))].sort().join();
        if (wanted === asked) return;
        asked = wanted;
        const found = await samples.protocolsOf(null, taken);
        if (wanted !== asked || hasEnded) return;
        protocols = found;
        update();
    }

    function update() {
        const { count, trouble } = received.listed.value;
        const { rows, isBeginning, isEmpty, hasMore, note } = shownOf(received.listed.value, shown);
        problem.show(trouble === null ? "" : context.explain(trouble, "read"));
        set(blank, "hidden", !isBeginning);
        set(empty, "hidden", !isEmpty);
        set(list, "hidden", rows.length === 0);
        set(more.element, "hidden", !hasMore);
        set(below, "hidden", note === null);
        setText(below, note === null ? "" : t(`receivers.${note}`, { count }));
        place(rows);
        void readProtocols(rows);
    }

    const end = effect([received.listed], update);
    void received.read();
    return {
        element,
        remove() {
            hasEnded = true;
            received.remove();
            end();
        },
    };
}
