/** The temperature probes that a device reports. Its owner chooses the one that is in the water. */

import { createButton } from "../../components/button/button.js";
import { createRow } from "../../components/list-row/list-row.js";
import { createShape } from "../../components/shape/shape.js";
import { h, set } from "../../page/dom.js";
import { isChoice, isOld, isReplaced } from "../../water/probes.js";
import { isProblem } from "../../words/problem.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/probes.js").Probe} Probe */

/** What is noted of a probe changes every few minutes. */
const interval = 30_000;

/**
 * Nothing shows for a device with one probe.
 * @param {Context} context
 * @param {import("../../water/tanks.js").Device} device
 */
export function createProbes(context, device) {
    const { t, api, store, format } = context;
    const path = `/devices/${encodeURIComponent(device.id)}/probes`;
    const isOwner = device.role === "owner";
    // A role that only a newer service knows may do no more than watch.
    const role = isOwner ? "owner" : "watcher";
    const told = h("p", { class: "probes-replaced" }, createShape("fault"), h("span", null, t(`probes.replaced_${role}`)));
    const title = h("h2", { class: "section-head", id: "probes-title" }, t("probes.title"));
    const list = h("ul", { class: "rows surface", role: isOwner ? "radiogroup" : null, "aria-labelledby": "probes-title" });
    const use = createButton({ text: t("probes.use"), kind: "primary", press: save });
    set(use.element, "hidden", true);
    const element = h(
        "section",
        { class: "probes", hidden: true },
        title,
        told,
        list,
        use.element,
        h("p", { class: "rows-note" }, t(`probes.note_${role}`)),
    );
    /** @type {{probes: Probe[], tag: string | null} | null} */
    let known = null;
    /**
     * The row that is marked and not saved.
     * @type {string | null}
     */
    let marked = null;
    /** Changes when a choice begins to be saved, and when it has been. */
    let version = 0;
    let hasEnded = false;

    async function read() {
        const begun = version;
        try {
            const { data, tag } = await api.get(path);
            // What was read before a choice was saved would take it back.
            if (begun === version) take(data, tag);
        } catch {
            // What is known stays, with its times.
        }
    }

    /**
     * @param {Probe[]} probes
     * @param {string | null} tag
     */
    function take(probes, tag) {
        known = { probes, tag };
        if (!hasEnded) show(probes);
    }

    /** @param {Probe[]} probes */
    function show(probes) {
        set(element, "hidden", !isChoice(probes));
        set(told, "hidden", !isReplaced(probes));
        if (!probes.some(({ id, chosen }) => id === marked && !chosen)) marked = null;
        set(use.element, "hidden", marked === null);
        // A finger or a keyboard may be on a row: rows stay, and only their words change.
        const ids = probes.map(({ id }) => id).join();
        if (ids !== list.dataset.ids) {
            list.dataset.ids = ids;
            list.replaceChildren(...probes.map(createProbe));
        }
        probes.forEach((probe, index) => updateProbe(list.children[index], probe));
    }

    /** @param {Probe} probe */
    function createProbe({ id }) {
        if (!isOwner) return createRow({ name: id, detail: " ", value: "" }).element;
        return h(
            "li",
            { class: "row-place", role: "none" },
            h(
                "label",
                { class: "row probe" },
                h("span", { class: "row-lead" }, h("input", { type: "radio", name: "probe", value: id, onchange: () => mark(id) })),
                h("span", { class: "row-text" }, h("span", { class: "row-name" }, id), h("span", { class: "row-detail" })),
                h("span", { class: "row-value" }),
            ),
        );
    }

    /**
     * @param {Element} row
     * @param {Probe} probe
     */
    function updateProbe(row, probe) {
        const { id, chosen, value, unit, reportedAt } = probe;
        const input = row.querySelector("input");
        if (input) input.checked = marked === null ? chosen : id === marked;
        const decimals = store.parameterOf(device.id, "temperature")?.decimals ?? 1;
        const words = [
            chosen ? t("probes.chosen") : "",
            reportedAt === null ? t("probes.unheard") : format.moment(Date.parse(reportedAt)),
            reportedAt !== null && value === null ? t("probes.broken") : "",
        ];
        const detail = row.querySelector(".row-detail");
        const shown = row.querySelector(".row-value");
        if (detail) detail.textContent = words.filter((word) => word !== "").join(" · ");
        if (shown) shown.textContent = value === null ? "–" : format.withUnit(format.number(value, decimals), unit);
        row.toggleAttribute("data-chosen", chosen);
        row.toggleAttribute("data-old", isOld(probe));
    }

    /** @param {string} id */
    function mark(id) {
        marked = id;
        if (known) show(known.probes);
    }

    async function save() {
        const id = marked;
        // Rows that can be marked are of a list that was read.
        const ifMatch = known?.tag;
        if (id === null || !ifMatch) return;
        const hadFocus = document.activeElement === use.element;
        version += 1;
        try {
            const { data, tag } = await api.put(`${path}/chosen`, { id }, { ifMatch });
            version += 1;
            take(data, tag);
            if (!hasEnded) context.toast({ text: t("probes.done", { id }) });
        } catch (error) {
            version += 1;
            const isOther = isProblem(error) && error.status === 412;
            context.toast({ text: isOther ? t("common.changedElsewhere") : context.explain(error) });
            if (isProblem(error)) {
                marked = null;
                if (known) take(known.probes, known.tag);
                await read();
            }
        }
        // The button is gone.
        const input = list.querySelector("input:checked");
        if (hadFocus && use.element.hidden && input instanceof HTMLInputElement) input.focus();
    }

    read();
    const timer = setInterval(() => {
        if (!document.hidden) read();
    }, interval);
    return {
        element,
        role: device.role,
        remove() {
            hasEnded = true;
            clearInterval(timer);
        },
    };
}
