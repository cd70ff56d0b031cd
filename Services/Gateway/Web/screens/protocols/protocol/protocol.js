/**
 * A protocol of one's own: made, or changed to its next version. Everything is a field or a button, so that keys alone do all of it; each letter stays
 * on this device until the service has it.
 */

import { fieldOf } from "../../../app/field/field.js";
import { versionTag } from "../../../app/versions.js";
import { createButton } from "../../../components/button/button.js";
import { createField } from "../../../components/field/field.js";
import { createBlankList } from "../../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../../components/page/page.js";
import { createSwitch } from "../../../components/switch/switch.js";
import { h, set, setText } from "../../../page/dom.js";
import { effect } from "../../../page/signals.js";
import { isThere, madeIn, typedAt, typing, unfinished } from "../../../water/field/made.js";
import { blank, blankField, contentOf, faultOf, longestHelp, longestName, makingOf, mostFields, protocolID } from "../../../water/field/making.js";
import { isProblem } from "../../../words/problem.js";
import { openField } from "./field-sheet.js";
import { createFieldList } from "./field-list.js";

/** @typedef {import("../../../water/field/making.js").Making} Making */
/** @typedef {import("../../../water/field/protocol.js").Protocol} Protocol */

/** @typedef {import("../../../water/field/made.js").Made} Made */

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { protocol: wanted }) {
    const { t, store } = context;
    const { samples, makings } = fieldOf(context);
    const isNew = wanted === "new";
    const page = createSubPage(context, { title: t(isNew ? "protocol.add" : "protocol.change"), subtitle: context.acting?.name ?? "", back: "/field/protocols" });
    const problem = createProblem({ text: t("common.retry"), press: () => void open() });
    let isGone = false;
    let end = () => {};
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
            const place = `${wanted}${isNew && of !== null ? ` ${of}` : ""}`;
            const kept = makings.of(context.acting?.id ?? null, place);
            const before = madeIn(await kept.read().catch(() => null) ?? await formerly(`protocol-making ${place}`), of);
            const isDone = !isNew && found !== null && before !== null && isThere(before.making, found);
            if (isDone) await kept.keep(null);
            if (isGone) return;
            end();
            const form = createForm(context, { found, isNew, known, samples, of, before: isDone ? null : before, kept, open: () => void open() });
            end = form.end;
            page.body.replaceChildren(form.element);
        } catch (error) {
            if (isGone) return;
            problem.show(context.explain(error, "read"));
            page.body.replaceChildren(problem.element);
        }
    }

    /** What an earlier version of the app kept elsewhere. @param {string} key */
    async function formerly(key) {
        const had = await store.kept(key);
        if (had) void store.keep(key, null);
        return had;
    }

    void open();
    return {
        unmount() {
            isGone = true;
            end();
        },
    };
}

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {object} parts
 * @param {Protocol | null} parts.found What is changed, or of what a new one is a copy.
 * @param {boolean} parts.isNew
 * @param {readonly Protocol[]} parts.known
 * @param {import("../../../app/field/field.js").FieldWork['samples']} parts.samples
 * @param {string | null} parts.of
 * @param {Made | null} parts.before What was made of it here and is not with the service.
 * @param {ReturnType<import("../../../app/field/makings.js").Makings['of']>} parts.kept
 * @param {() => void} parts.open Begins anew.
 */
function createForm(context, { found, isNew, known, samples, of, before, kept, open }) {
    const { t, api } = context;
    let making = before?.making ?? (found ? makingOf(found) : blank);
    const version = found?.version ?? 0;
    /** A new one that goes out twice, since its answer was lost, is one, also when the app was closed between. */
    let sentAs = before?.id ?? null;
    // Changes that others saved since are not undone unawares.
    const told = before && !isNew && before.version !== version ? t("protocol.kept_older", { version }) : t("protocol.kept");
    const name = createField({ label: t("protocol.name"), name: "name", maxlength: longestName, value: making.name, onInput: () => change({ name: name.value }) });
    const help = createField({ label: t("protocol.help"), name: "help", rows: 2, maxlength: longestHelp, value: making.help, onInput: () => change({ help: help.value }) });
    const stations = createField({ label: t("protocol.stations"), name: "stations", inputmode: "numeric", maxlength: 2, value: making.stations, onInput: () => change({ stations: stations.value }) });
    const depths = createSwitch({ label: t("protocol.depths"), isOn: making.depths, onTurn: (isOn) => change({ depths: isOn }) });
    const problem = createProblem();
    const state = createKept(context, kept);
    const begun = h("p", { class: "rows-note" }, t("protocol.unfinished_new"));
    const list = createFieldList(context, { open: openOne, reorder: (fields) => change({ fields }) });
    const add = createButton({ text: t("protocol.add_field"), kind: "outlined", press: () => openOne(making.fields.length) });
    const save = createButton({ text: t("protocol.save"), busyText: t("common.saving"), kind: "primary", isLarge: true, isSubmit: true });
    const form = h(
        "form",
        { class: "form", novalidate: true },
        isNew || !found ? null : h("p", { class: "rows-note" }, t("protocol.version", { version: found.version })),
        before ? h("div", { class: "rows-note" }, h("p", null, told), createButton({ text: t("protocol.discard"), kind: "text", press: discard }).element) : null,
        name.element,
        help.element,
        stations.element,
        h("div", { class: "protocol-switch" }, h("span", { "aria-hidden": "true" }, t("protocol.depths")), depths.element),
        h("h2", { class: "section-head" }, t("protocol.fields")),
        list.element,
        begun,
        add.element,
        state.element,
        problem.element,
        save.element,
    );
    stations.setHint(t("protocol.stations_hint"));

    /** @param {Partial<Making>} next */
    function change(next) {
        making = { ...making, ...next };
        problem.show("");
        void keep();
        show();
    }

    const keep = () => kept.keep({ of, version, making, id: sentAs });

    async function discard() {
        await kept.keep(null);
        open();
    }

    function show() {
        list.show(making);
        set(begun, "hidden", !making.fresh);
        add.setEnabled(making.fields.length < mostFields);
    }

    /** @param {number} index One beyond the last: another one. */
    function openOne(index) {
        const present = making.fields[index] ?? null;
        const focus = () => present ? list.focus(index) : add.element.focus();
        const told = createKept(context, kept);
        openField(context, {
            field: present ?? blankField(),
            before: typedAt(making, index),
            making,
            known,
            kept: told.element,
            // The list behind it stays as it is: the focus comes back to it.
            typed(next) {
                const after = typing(making, index, next);
                if (JSON.stringify(after) === JSON.stringify(making)) return;
                making = after;
                void keep();
            },
            take(next) {
                told.end();
                const { fresh, ...others } = making;
                making = present && fresh ? making : others;
                const { typed: _, ...field } = next;
                change({ fields: [...making.fields.slice(0, index), field, ...making.fields.slice(index + 1)] });
                list.focus(index);
            },
            again() {
                told.end();
                show();
                openOne(index);
            },
            left() {
                told.end();
                show();
                focus();
            },
            remove: present && (() => {
                told.end();
                change({ fields: making.fields.filter((_, other) => other !== index) });
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

    /** @returns {Promise<number>} Its version. */
    async function send() {
        const isMade = isNew || !found;
        // The answer to a new one that went out before was lost: the service may have it.
        const there = !isMade ? found : sentAs !== null ? await sent(sentAs) : null;
        if (isMade && there && isThere(making, there)) return there.version;
        if (isMade && sentAs === null) {
            sentAs = protocolID(making.name, crypto.randomUUID().slice(0, 8));
            await keep();
        }
        const id = isMade ? sentAs ?? "" : found.id;
        return (await api.put(`/field-protocols/${encodeURIComponent(id)}`, contentOf(making), { ifMatch: versionTag(there?.version) })).data.version;
    }

    /** @param {string} id @returns {Promise<Protocol | null>} */
    const sent = (id) => samples.protocolNow(id).catch((error) => {
        if (isProblem(error) && error.status === 404) return null;
        throw error;
    });

    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (save.isBusy) return;
        problem.show("");
        const left = unfinished(making);
        if (left !== null) return openOne(left);
        const fault = faultOf(making);
        if (fault) return tell(fault);
        save.setBusy(true);
        try {
            const version = await send();
            await kept.keep(null);
            context.toast({ text: t("protocol.saved", { version }) });
            await context.navigate("/field/protocols", { replace: true });
        } catch (error) {
            problem.show(context.explain(error));
        } finally {
            save.setBusy(false);
        }
    });
    show();
    return { element: form, end: state.end };
}

/**
 * Says whether this device has what was typed.
 * @param {import("../../../app/context.js").Context} context
 * @param {{keeping: import("../../../page/signals.js").Readable<import("../../../app/field/drafts.js").Keeping | null>}} kept
 */
function createKept({ t }, { keeping }) {
    const element = h("p", { class: "small quiet", role: "status", hidden: true });
    const end = effect([keeping], () => {
        const { value } = keeping;
        set(element, "hidden", value === null);
        set(element, "data-keeping", value ?? "none");
        setText(element, value === null ? "" : value === "unkept" ? t("protocol.unkept") : t(`field.keeping_${value}`));
    });
    return { element, end };
}
