/** The samples that a project received of others, the last that came first. */

import { fieldOf } from "../../../app/field/field.js";
import { createReceivedSamples } from "../../../app/field/received.js";
import { createButton } from "../../../components/button/button.js";
import { createBlankList, createRow } from "../../../components/list-row/list-row.js";
import { createEmpty, createProblem } from "../../../components/page/page.js";
import { h, set } from "../../../page/dom.js";
import { createKeyed } from "../../../page/keyed.js";
import { effect } from "../../../page/signals.js";
import { protocolFor, receivedPlace, samplePath, unknownProtocol, valuesLine } from "../../../water/field/received.js";

/** @typedef {import("../../../water/field/received.js").Arrival} Arrival */

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
    const empty = createEmpty(t("receivers.empty"));
    const list = h("ul", { class: "rows surface" });
    const more = createButton({ text: t("receivers.more"), kind: "outlined", press: showMore });
    const element = h("section", null, h("h2", { class: "section-head" }, t("receivers.list")), problem.element, blank, empty, list, more.element);
    /** @type {readonly import("../../../water/field/protocol.js").Protocol[]} */
    let protocols = [];
    /** Of which rows they were asked for. */
    let asked = "";
    let hasEnded = false;
    const place = createKeyed(list, (/** @type {Arrival} */ { id }) => id, (row) => {
        const made = createRow({ ...wordsOf(row), href: samplePath(row.id, project) });
        return { element: made.element, update: (next) => made.update(wordsOf(next)) };
    });

    /** @param {Arrival} row */
    function wordsOf(row) {
        const { sample, sender, sentAt, version } = row;
        const name = receivedPlace(row);
        if (sample === null) return { name, detail: `${format.moment(Date.parse(sentAt))} · ${t("field.state_withdrawn")}`, more: [] };
        const protocol = protocolFor(row, protocols) ?? unknownProtocol(sample);
        const from = t("receivers.from", { sender: sender ?? t("journal.nobody") });
        return {
            name,
            detail: `${format.moment(Date.parse(sample.begunAt))} · ${protocol.name}`,
            more: [version > 1 ? `${from} · ${t("field.version", { number: version })}` : from, valuesLine(context, sample, protocol)],
        };
    }

    async function showMore() {
        const before = list.childElementCount;
        await received.readMore().catch((error) => context.toast({ text: context.explain(error, "read") }));
        // The button may be gone, and with it the focus.
        if (!hasEnded && more.element.hidden) list.children[before]?.querySelector("a")?.focus();
    }

    /** Protocols that come with the service, of the samples that are shown. @param {readonly Arrival[]} rows */
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
        const { items, next, trouble } = received.listed.value;
        const rows = items ?? [];
        problem.show(trouble === null ? "" : context.explain(trouble, "read"));
        set(blank, "hidden", items !== null || trouble !== null);
        set(empty, "hidden", items === null || items.length > 0 || trouble !== null);
        set(list, "hidden", rows.length === 0);
        set(more.element, "hidden", next === null);
        place(rows);
        void readProtocols(rows);
    }

    const end = effect([received.listed], update);
    void received.read();
    return {
        element,
        remove() {
            hasEnded = true;
            received.forget();
            end();
        },
    };
}
