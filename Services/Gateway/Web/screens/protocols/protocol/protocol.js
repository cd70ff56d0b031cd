/**
 * A protocol of one's own: made, or changed to its next version. Everything is a field or a button, so that keys alone do all of it; each change stays
 * on this device until the service has it.
 */

import { fieldOf } from "../../../app/field/field.js";
import { versionTag } from "../../../app/versions.js";
import { createButton } from "../../../components/button/button.js";
import { createField } from "../../../components/field/field.js";
import { createBlankList } from "../../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../../components/page/page.js";
import { createSwitch } from "../../../components/switch/switch.js";
import { h } from "../../../page/dom.js";
import { blank, blankField, contentOf, faultOf, longestHelp, longestName, makingOf, mostFields, protocolID } from "../../../water/field/making.js";
import { openField } from "./field-sheet.js";
import { createFieldList } from "./field-list.js";

/** @typedef {import("../../../water/field/making.js").Making} Making */
/** @typedef {import("../../../water/field/protocol.js").Protocol} Protocol */

/** What is kept of one that is made. id: as which a new one went out; null: it never did. @typedef {{making: Making, id: string | null}} Kept */

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { protocol: wanted }) {
    const { t, store } = context;
    const { samples } = fieldOf(context);
    const isNew = wanted === "new";
    const page = createSubPage(context, { title: t(isNew ? "protocol.add" : "protocol.change"), subtitle: context.acting?.name ?? "", back: "/field/protocols" });
    const problem = createProblem({ text: t("common.retry"), press: () => void open() });
    let isGone = false;
    context.title(t(isNew ? "protocol.add" : "protocol.change"));
    page.body.append(createBlankList(4));
    root.replaceChildren(...page.parts);

    async function open() {
        problem.show("");
        const of = isNew ? new URLSearchParams(location.search).get("from") : wanted;
        try {
            const known = await samples.protocols(null).catch((error) => {
                // A new one that is no copy needs nothing of the service yet.
                if (of !== null) throw error;
                return [];
            });
            const found = known.find(({ id }) => id === of) ?? (isNew ? null : await samples.protocolNow(wanted));
            const key = `protocol-making ${wanted}${isNew && of !== null ? ` ${of}` : ""}`;
            const kept = await store.kept(key);
            // What was made of another version would undo the changes between.
            const before = kept?.of === of && kept.version === (found?.version ?? 0) ? kept : null;
            /** @param {Kept | null} next */
            const keep = async (next) => void await store.keep(key, next && { of, version: found?.version ?? 0, ...next });
            if (!isGone) page.body.replaceChildren(createForm(context, { found, isNew, known, before, keep, open: () => void open() }));
        } catch (error) {
            if (isGone) return;
            problem.show(context.explain(error, "read"));
            page.body.replaceChildren(problem.element);
        }
    }

    void open();
    return {
        unmount() {
            isGone = true;
        },
    };
}

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {object} parts
 * @param {Protocol | null} parts.found What is changed, or of what a new one is a copy.
 * @param {boolean} parts.isNew
 * @param {readonly Protocol[]} parts.known
 * @param {Kept | null} parts.before What was made of it here and is not with the service.
 * @param {(next: Kept | null) => Promise<void>} parts.keep
 * @param {() => void} parts.open Begins anew.
 */
function createForm(context, { found, isNew, known, before, keep, open }) {
    const { t, api } = context;
    let making = before?.making ?? (found ? makingOf(found) : blank);
    /** A new one that goes out twice, since its answer was lost, is one, also when the app was closed between. */
    let sentAs = before?.id ?? null;
    const name = createField({ label: t("protocol.name"), name: "name", maxlength: longestName, value: making.name, onInput: () => change({ name: name.value }) });
    const help = createField({ label: t("protocol.help"), name: "help", rows: 2, maxlength: longestHelp, value: making.help, onInput: () => change({ help: help.value }) });
    const stations = createField({ label: t("protocol.stations"), name: "stations", inputmode: "numeric", maxlength: 2, value: making.stations, onInput: () => change({ stations: stations.value }) });
    const depths = createSwitch({ label: t("protocol.depths"), isOn: making.depths, onTurn: (isOn) => change({ depths: isOn }) });
    const problem = createProblem();
    const list = createFieldList(context, { open: openOne, reorder: (fields) => change({ fields }) });
    const add = createButton({ text: t("protocol.add_field"), kind: "outlined", press: () => openOne(making.fields.length) });
    const save = createButton({ text: t("protocol.save"), busyText: t("common.saving"), kind: "primary", isLarge: true, isSubmit: true });
    const form = h(
        "form",
        { class: "form", novalidate: true },
        isNew || !found ? null : h("p", { class: "rows-note" }, t("protocol.version", { version: found.version })),
        before ? h("div", { class: "rows-note" }, h("p", null, t("protocol.kept")), createButton({ text: t("protocol.discard"), kind: "text", press: discard }).element) : null,
        name.element,
        help.element,
        stations.element,
        h("div", { class: "protocol-switch" }, h("span", { "aria-hidden": "true" }, t("protocol.depths")), depths.element),
        h("h2", { class: "section-head" }, t("protocol.fields")),
        list.element,
        add.element,
        problem.element,
        save.element,
    );
    stations.setHint(t("protocol.stations_hint"));

    /** @param {Partial<Making>} next */
    function change(next) {
        making = { ...making, ...next };
        problem.show("");
        void keep({ making, id: sentAs });
        show();
    }

    async function discard() {
        await keep(null);
        open();
    }

    function show() {
        list.show(making);
        add.setEnabled(making.fields.length < mostFields);
    }

    /** @param {number} index One beyond the last: another one. */
    function openOne(index) {
        const present = making.fields[index] ?? null;
        openField(context, {
            field: present ?? blankField(),
            making,
            known,
            take(next) {
                change({ fields: [...making.fields.slice(0, index), next, ...making.fields.slice(index + 1)] });
                list.focus(index);
            },
            remove: present && (() => {
                change({ fields: making.fields.filter((one) => one !== present) });
                add.element.focus();
            }),
        });
    }

    /** @param {NonNullable<ReturnType<typeof faultOf>>} fault */
    function tell(fault) {
        const what = t(`protocol.fault_${fault.why}`);
        if ("field" in fault) {
            problem.show(t("protocol.fault_in", { name: making.fields[fault.field].label || t("protocol.unnamed"), fault: what }));
            return list.focus(fault.field);
        }
        const field = fault.why === "name" ? name : fault.why === "stations" ? stations : null;
        if (!field) return problem.show(what);
        field.setFault({ what });
        field.focus();
    }

    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (save.isBusy) return;
        problem.show("");
        const fault = faultOf(making);
        if (fault) return tell(fault);
        save.setBusy(true);
        try {
            const isMade = isNew || !found;
            if (isMade && sentAs === null) {
                sentAs = protocolID(making.name, crypto.randomUUID().slice(0, 8));
                await keep({ making, id: sentAs });
            }
            const [id, ifMatch] = isMade ? [sentAs ?? "", undefined] : [found.id, versionTag(found.version)];
            const { data } = await api.put(`/field-protocols/${encodeURIComponent(id)}`, contentOf(making), { ifMatch });
            await keep(null);
            context.toast({ text: t("protocol.saved", { version: data.version }) });
            await context.navigate("/field/protocols", { replace: true });
        } catch (error) {
            problem.show(context.explain(error));
        } finally {
            save.setBusy(false);
        }
    });
    show();
    return form;
}
