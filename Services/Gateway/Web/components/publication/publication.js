/** The public page of a device or a project: a section that says it, and the sheet in which its owner chooses it. */

import { h } from "../../page/dom.js";
import { createField } from "../field/field.js";
import { createForm } from "../form/form.js";
import { createLinkOnce } from "../link-once/link-once.js";
import { createList, createRow } from "../list-row/list-row.js";
import { createSegmented } from "../segmented/segmented.js";
import { createSwitch } from "../switch/switch.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {{device: string, title: string}} Tank */

/**
 * @typedef {object} Page As the service tells it.
 * @property {string} title
 * @property {string[]} parameters
 * @property {number} days
 * @property {boolean} limits
 * @property {Tank[]} tanks
 * @property {string | null} address null: it cannot be shown any more.
 */

/**
 * @typedef {object} Subject
 * @property {string} path Where the page is read and changed.
 * @property {() => readonly string[]} parameters Those that may be shown.
 * @property {() => readonly {id: string, name: string}[] | null} tanks Those that may be shown; null: the page is of one tank.
 */

/**
 * @param {Context} context
 * @param {Subject} subject
 */
export function createPublication(context, subject) {
    const { t, api } = context;
    /** @type {Page | null} */
    let shown = null;
    // One row for as long as the section stands: whoever closes a sheet is back at it.
    const row = createRow({ name: "", icon: "link", press: () => shown ? open(shown) : choose(context, subject, null, read) });
    const rows = createList(row.element);
    const list = h("div", { "aria-live": "polite" });
    const element = h("section", null, h("h2", { class: "section-head" }, t("public.title")), list, h("p", { class: "rows-note" }, t("public.setting_note")));
    let hasEnded = false;

    async function read() {
        try {
            const { data } = await api.get(subject.path);
            if (!hasEnded) show(data.page);
        } catch (error) {
            if (!hasEnded) list.replaceChildren(h("p", { class: "rows-note" }, context.explain(error, "read")));
        }
    }

    /** @param {Page | null} page */
    function show(page) {
        shown = page;
        row.update(page ? { name: page.title, detail: t("public.on") } : { name: t("public.publish"), detail: "" });
        if (!rows.isConnected) list.replaceChildren(rows);
    }

    /** @param {Page} page */
    function open(page) {
        const link = page.address === null ? null : createLinkOnce(context, page.address, page.title);
        let isChanged = false;
        const deeds = createList(
            createRow({ name: t("public.change"), icon: "pencil", press: goOn }).element,
            createRow({ name: t("public.renew"), icon: "link", isAction: true, press: () => void renew(page) }).element,
            createRow({ name: t("public.withdraw"), icon: "bin", isAction: true, isGrave: true, press: () => void withdraw() }).element,
        );
        const sheet = context.sheet({
            title: page.title,
            lead: t(link ? "public.address_text" : "public.lost"),
            body: [...link?.elements ?? [], deeds],
            // The focus is at the row again, and comes back to it from the next sheet.
            onClose: () => isChanged && choose(context, subject, page, read),
        });

        function goOn() {
            isChanged = true;
            sheet.close();
        }

        /** @param {Page} page */
        async function renew(page) {
            const agrees = await context.confirm({ title: t("public.renew_title"), text: t("public.renew_text"), action: t("public.renew") });
            if (agrees) await perform(() => api.put(subject.path, { ...wishOf(subject, page), newAddress: true }));
        }

        async function withdraw() {
            const agrees = await context.confirm({
                title: t("public.withdraw_title"),
                text: t("public.withdraw_text"),
                action: t("public.withdraw"),
                isGrave: true,
            });
            if (agrees) await perform(() => api.delete(subject.path));
        }

        /** @param {() => Promise<unknown>} change */
        async function perform(change) {
            sheet.close();
            try {
                await change();
            } catch (error) {
                context.toast({ text: context.explain(error) });
            }
            await read();
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

/**
 * @param {Subject} subject
 * @param {Pick<Page, 'title' | 'parameters' | 'days' | 'limits' | 'tanks'>} page
 */
const wishOf = (subject, { title, parameters, days, limits, tanks }) => ({
    title,
    parameters,
    days,
    limits,
    ...subject.tanks() === null ? {} : { tanks: tanks.map(({ device, title }) => ({ device, title })) },
});

/**
 * The sheet in which an owner says what is shown.
 * @param {Context} context
 * @param {Subject} subject
 * @param {Page | null} page null: none is there yet.
 * @param {() => Promise<void>} done
 */
function choose(context, subject, page, done) {
    const { t, api } = context;
    const parameters = subject.parameters();
    const tanks = subject.tanks();
    const shown = new Set(page?.parameters ?? parameters);
    let days = page?.days ?? 7;
    let limits = page?.limits ?? false;
    const title = createField({ label: t("public.name"), name: "title", value: page?.title ?? "", maxlength: 60 });
    title.setHint(t("public.name_hint"));
    const places = tanks?.map(({ id, name }, index) => {
        const known = page?.tanks.find(({ device }) => device === id);
        const field = createField({
            label: t("public.tank_title", { name }),
            name: `tank-${index}`,
            value: known?.title ?? t("public.tank", { number: index + 1 }),
            maxlength: 60,
        });
        let isOn = page ? known !== undefined : index < 20;
        field.element.hidden = !isOn;
        const toggle = createSwitch({
            label: name,
            isOn,
            onTurn(next) {
                isOn = next;
                field.element.hidden = !next;
            },
        });
        return { id, field, row: createRow({ name, control: toggle.element }).element, isOn: () => isOn };
    }) ?? [];
    const form = createForm(context, {
        fields: [{ name: "title", field: title }],
        text: t(page ? "common.save" : "public.publish_do"),
        busyText: t("common.saving"),
        isLarge: true,
        async submit() {
            await api.put(subject.path, {
                title: title.value.trim(),
                parameters: parameters.filter((name) => shown.has(name)),
                days,
                limits,
                ...tanks === null ? {} : {
                    tanks: places.filter(({ isOn }) => isOn()).map(({ id, field }) => ({ device: id, title: field.value.trim() })),
                },
            });
            sheet.close();
            await done();
        },
    });
    const choices = h(
        "div",
        { class: "publication" },
        places.length > 0 && h("h3", { class: "section-head" }, t("public.tanks")),
        places.length > 0 && createList(...places.map(({ row }) => row)),
        places.map(({ field }) => field.element),
        h("h3", { class: "section-head" }, t("public.parameters")),
        createList(...parameters.map((name) => createRow({ name: t(`water.${name}_full`), control: chosen(name) }).element)),
        h("h3", { class: "section-head" }, t("public.days")),
        createSegmented({
            label: t("public.days"),
            options: [1, 7, 30].map((value) => ({ value: String(value), text: t(`details.span_${value === 1 ? "24h" : `${value}d`}`) })),
            value: String(days),
            onChoose: (next) => days = Number(next),
        }).element,
        createList(createRow({
            name: t("public.limits"),
            detail: t("public.limits_text"),
            control: createSwitch({ label: t("public.limits"), isOn: limits, onTurn: (next) => limits = next }).element,
        }).element),
    );
    title.element.after(choices);
    const sheet = context.sheet({ title: t("public.title"), lead: t("public.lead"), body: [form] });

    /** @param {string} name */
    function chosen(name) {
        return createSwitch({
            label: t(`water.${name}_full`),
            isOn: shown.has(name),
            onTurn: (next) => void (next ? shown.add(name) : shown.delete(name)),
        }).element;
    }
}
