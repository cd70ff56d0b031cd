/** One preset: its name, the limits of each parameter, and its end. Those of a project are shown to its members, and changed as the project. */

import { createField } from "../../../components/field/field.js";
import { createForm } from "../../../components/form/form.js";
import { createBlankList, createList, createRow } from "../../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../../components/page/page.js";
import { openChoice } from "../../../components/picker/choice.js";
import { ownPresetsOf } from "../../../components/presets/own.js";
import { h, setText } from "../../../page/dom.js";
import { rangeText } from "../../../water/range-text.js";
import { isProblem } from "../../../words/problem.js";

/** @typedef {import("../../../components/presets/own.js").Told} Told */
/** @typedef {import("../../../water/tanks.js").Parameter} Parameter */

/**
 * @param {HTMLElement} root
 * @param {import("../../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { preset: id }) {
    const { t, store } = context;
    const presets = ownPresetsOf(context);
    const page = createSubPage(context, { title: t("presets.one"), back: "/settings/presets" });
    context.title(t("presets.one"));
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const body = h("div", null, createBlankList(3));
    page.body.append(problem.element, body);
    root.replaceChildren(...page.parts);
    let hasEnded = false;

    async function read() {
        problem.show("");
        try {
            show(await presets.read(id));
        } catch (error) {
            if (hasEnded) return;
            body.replaceChildren();
            problem.show(context.explain(error, "read"));
        }
    }

    /** @param {Told} told */
    function show(told) {
        if (hasEnded) return;
        const { preset } = told;
        const isOwn = preset.project === null;
        setText(page.heading, preset.name);
        context.title(preset.name);
        page.setSubtitle(preset.project ?? "");
        const others = (store.parameters.value.get(store.current.value?.id ?? "")?.items ?? []).filter(({ name }) => preset.parameters.every((one) => one.name !== name));
        body.replaceChildren(
            h("p", { class: "rows-note presets-lead" }, isOwn ? t("presets.change_text") : t("presets.of_project", { name: preset.project ?? "" })),
            createList(...preset.parameters.map((parameter) => rowOf(parameter, isOwn))),
            ...isOwn && others.length > 0
                ? [h("div", { class: "presets-lead" }), createList(createRow({ name: t("presets.add"), icon: "plus", isAction: true, press: () => add(told, others) }).element)]
                : [],
            ...isOwn
                ? [
                    h("h2", { class: "section-head" }, t("presets.itself")),
                    createList(
                        createRow({ name: t("presets.name"), value: preset.name, press: () => rename(told) }).element,
                        createRow({ name: t("presets.remove"), icon: "bin", isAction: true, isGrave: true, press: () => remove(told) }).element,
                    ),
                ]
                : [],
        );
    }

    /** @param {Parameter} parameter @param {boolean} isOwn */
    function rowOf(parameter, isOwn) {
        return createRow({
            name: t(`water.${parameter.name}_full`),
            value: rangeText(context, parameter),
            detail: (parameter.periods ?? []).length > 0 ? t("parameter.times") : undefined,
            href: isOwn ? `/settings/presets/${encodeURIComponent(id)}/limits/${encodeURIComponent(parameter.name)}` : undefined,
        }).element;
    }

    /** @param {Told} told @param {readonly Parameter[]} others */
    function add(told, others) {
        openChoice(context, {
            title: t("presets.add"),
            options: others.map(({ name }) => ({ value: name, text: t(`water.${name}_full`) })),
            value: null,
            onChoose: async (name) => {
                const parameter = others.find((one) => one.name === name);
                if (!parameter) return;
                await change(told, { parameters: [...told.preset.parameters, parameter] });
                await context.navigate(`/settings/presets/${encodeURIComponent(id)}/limits/${encodeURIComponent(name)}`);
            },
        });
    }

    /** @param {Told} told */
    function rename(told) {
        const name = createField({ label: t("presets.name"), name: "name", value: told.preset.name, maxlength: 60 });
        name.input.setAttribute("autofocus", "");
        const form = createForm(context, {
            fields: [{ name: "name", field: name }],
            text: t("common.save"),
            busyText: t("common.saving"),
            faultOf: (problem) => problem.code === "preset-named" ? { name: "name", what: problem.title } : null,
            async submit() {
                const wanted = name.value.trim();
                if (wanted === "") {
                    name.setFault({ what: t("presets.name_missing") });
                    return name.focus();
                }
                await change(told, { name: wanted });
                sheet.close();
            },
        });
        const sheet = context.sheet({ title: t("presets.name"), body: [form] });
    }

    /** @param {Told} told @param {Parameters<typeof presets.change>[1]} next */
    async function change(told, next) {
        try {
            show(await presets.change(told, next));
        } catch (error) {
            if (isProblem(error) && error.status === 412) await read();
            throw error;
        }
    }

    /** @param {Told} told */
    async function remove({ preset }) {
        const agrees = await context.confirm({ title: t("presets.remove_title", { name: preset.name }), text: t("presets.remove_text"), action: t("presets.remove"), isGrave: true });
        if (!agrees) return;
        try {
            await presets.remove(id);
            await context.navigate("/settings/presets", { replace: true });
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    void read();
    return { unmount: () => void (hasEnded = true) };
}
