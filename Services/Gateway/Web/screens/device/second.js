/** A second device in the same water, with whose probes a device's are compared: which it is, and how far they lie apart. */

import { createList, createRow } from "../../components/list-row/list-row.js";
import { createChoices } from "../../components/picker/choice.js";
import { h } from "../../page/dom.js";
import { candidatesOf, pairLines } from "../../water/second.js";
import { isProblem } from "../../words/problem.js";

/** @typedef {import("../../water/second.js").Pair} Pair */

/** The choice of no device. */
const none = "";

/**
 * A watcher sees the pair, where there is one.
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../water/tanks.js").Device} device
 */
export function createSecond(context, device) {
    const { t, api, store } = context;
    const path = `/devices/${encodeURIComponent(device.id)}/second`;
    const isOwner = device.role === "owner";
    const place = h("div", { "aria-live": "polite" });
    const element = h(
        "section",
        { class: "second", hidden: true },
        h("h2", { class: "section-head" }, t("second.title")),
        place,
        h("p", { class: "rows-note" }, t("second.note")),
    );
    let hasEnded = false;

    async function read() {
        try {
            const { data } = await api.get(path);
            show(data.pair ?? null);
        } catch {
            // Without an answer nothing is said of it.
        }
    }

    /** @param {Pair | null} pair */
    function show(pair) {
        if (hasEnded) return;
        element.hidden = !isOwner && pair === null;
        const isFirst = pair === null || pair.first.id === device.id;
        const row = createRow({
            name: pair === null ? t("second.none") : isFirst ? pair.second.name : t("second.first", { name: pair.first.name }),
            detail: pair === null ? t("second.none_text") : "",
            more: pair === null ? [] : pairLines(context, pair, device.id),
            press: isOwner ? () => ask(pair) : undefined,
        });
        const had = place.contains(document.activeElement);
        place.replaceChildren(createList(row.element));
        if (had && row.inside instanceof HTMLElement) row.inside.focus();
    }

    /** @param {Pair | null} pair */
    function ask(pair) {
        const others = candidatesOf(store.devices.value ?? [], device);
        const present = pair === null ? none : pair.first.id === device.id ? pair.second.id : pair.first.id;
        const options = [{ value: none, text: t("second.none"), detail: t("second.none_text") }, ...others.map(({ id, name }) => ({ value: id, text: name }))];
        const problem = h("p", { class: "field-fault", role: "status" });
        const choices = createChoices({
            label: t("second.ask"),
            options,
            value: present,
            onChoose: (value) => void choose(value === present ? null : value, problem, () => sheet.close()),
        });
        const sheet = context.sheet({
            title: t("second.ask"),
            lead: t(others.length > 0 ? "second.ask_text" : "second.alone"),
            body: [choices.element, problem],
        });
    }

    /**
     * @param {string | null} id null where it is as it was.
     * @param {HTMLElement} problem
     * @param {() => void} done
     */
    async function choose(id, problem, done) {
        if (id === null) return done();
        try {
            if (id === none) {
                await api.delete(path);
                show(null);
            } else {
                const { data } = await api.put(path, { second: id });
                show(data.pair);
            }
            done();
            await store.refresh();
        } catch (error) {
            problem.textContent = (isProblem(error) ? error.faultOf("second")?.detail : null) ?? context.explain(error);
        }
    }

    void read();
    return {
        element,
        remove() {
            hasEnded = true;
        },
    };
}
