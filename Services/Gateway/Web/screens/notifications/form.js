/** The form of what a webhook is sent: one of ours, or a text of the person's own, with a preview beneath. */

import { createField } from "../../components/field/field.js";
import { createForm } from "../../components/form/form.js";
import { createRow } from "../../components/list-row/list-row.js";
import { createProblem } from "../../components/page/page.js";
import { createChoices } from "../../components/picker/choice.js";
import { createSegmented } from "../../components/segmented/segmented.js";
import { h, set, setText } from "../../page/dom.js";
import { formNames, nameOfForm } from "../../words/form-name.js";
import { isProblem } from "../../words/problem.js";

/** @typedef {import("../../app/context.js").Context} Context */

/** @typedef {{form: string, template?: string | null, templateType?: string | null}} Form */

/** @type {{value: string, word: string}[]} */
const types = [
    { value: "application/json", word: "type_json" },
    { value: "text/plain", word: "type_text" },
    { value: "application/x-www-form-urlencoded", word: "type_form" },
];

/** What a template begins with. @type {Record<string, string>} */
const beginnings = {
    "application/json": '{\n  "text": "{{title}}: {{text}}",\n  "over": {{over}}\n}',
    "text/plain": "{{title}}\n{{text}}",
    "application/x-www-form-urlencoded": "title={{title}}&message={{text}}",
};

/** The names that a template may use, as the service lists them (`TemplateNames`). */
export const templateNames = [
    "title", "text", "type", "over", "critical", "device.id", "device.name", "parameter", "side", "value", "limit", "unit", "since",
    "event_time", "received_at", "decided_at", "kind", "alert_id", "collapse_key", "unstable", "after_work", "check_probe", "another_probe", "caller",
    "change.by", "change.seconds", "change.limit", "differs.by", "outlook.side", "outlook.limit", "outlook.expected_at",
    "silence_hint.kind", "silence_hint.number",
];

/** How long nobody types before the preview is made anew. */
const pause = 700;

/**
 * The choice of a form, with the template where it is one and what an example would look like.
 * @param {Context} context
 * @param {Form} initial
 */
export function createFormEditor(context, initial) {
    const { t, api } = context;
    let form = initial.form;
    let type = initial.templateType ?? types[0].value;
    const template = createField({
        label: t("notifications.template"),
        name: "template",
        rows: 8,
        maxlength: 4096,
        value: initial.template ?? beginnings[type],
        onInput: () => previewSoon(),
    });
    template.setHint(t("notifications.template_lead", { example: "{{title}}" }));
    const choices = createChoices({
        label: t("notifications.form"),
        options: formNames.map((value) => ({
            value,
            text: nameOfForm(context, value),
            detail: t(`notifications.form_${value}_text`),
        })),
        value: form,
        onChoose(next) {
            form = next;
            choices.show(form);
            show();
        },
    });
    const kinds = createSegmented({
        label: t("notifications.template_type"),
        options: types.map(({ value, word }) => ({ value, text: t(`notifications.${word}`) })),
        value: type,
        onChoose(next) {
            // A text that nobody has changed gives way to one of the other type.
            if (template.value === beginnings[type]) template.value = beginnings[next];
            type = next;
            template.setFault(null);
            preview();
        },
    });
    const own = h(
        "div",
        { class: "webhook-template" },
        kinds.element,
        template.element,
        h(
            "details",
            null,
            h("summary", null, t("notifications.template_names")),
            h(
                "p",
                { class: "small quiet" },
                t("notifications.template_rules", {
                    json: "| json",
                    url: "| url",
                    if: "{{#if critical}}",
                    other: "{{else}}",
                    end: "{{/if}}",
                }),
            ),
            h("p", { class: "small webhook-names" }, templateNames.join("  ")),
        ),
    );
    const kind = h("span", { class: "small quiet" });
    const shown = h("pre", { class: "webhook-preview", role: "group", tabindex: "0", "aria-label": t("notifications.preview") });
    const sample = h(
        "div",
        { class: "webhook-sample" },
        h("h3", { class: "small" }, t("notifications.preview_of")),
        kind,
        shown,
    );
    const failed = createProblem({ text: t("common.retry"), press: () => void preview() });
    const element = h("div", { class: "webhook-form" }, choices.element, own, sample, failed.element);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let waiting;
    let asked = 0;

    function value() {
        return form === "template" ? { form, template: template.value, templateType: type } : { form };
    }

    function previewSoon() {
        clearTimeout(waiting);
        waiting = setTimeout(preview, pause);
    }

    async function preview() {
        clearTimeout(waiting);
        const turn = ++asked;
        failed.show("");
        if (!formNames.includes(form)) return set(sample, "hidden", true);
        set(sample, "aria-busy", "true");
        try {
            const { data } = await api.post("/webhook-previews", value());
            if (turn !== asked) return;
            setText(kind, data.contentType);
            setText(shown, laidOut(data));
            set(sample, "hidden", false);
        } catch (error) {
            if (turn !== asked) return;
            const fault = isProblem(error) ? error.faultOf("template") : null;
            if (fault) template.setFault({ what: fault.detail });
            else failed.show(context.explain(error, "read"));
            // The preview that stands there is of an earlier text.
            set(sample, "hidden", true);
        } finally {
            if (turn === asked) set(sample, "aria-busy", null);
        }
    }

    function show() {
        set(own, "hidden", form !== "template");
        preview();
    }

    show();
    /** The template's field, in whose place all of it stands. @type {import("../../components/field/field.js").Field} */
    const field = Object.defineProperty(Object.create(template), "element", { value: element });
    return { field, value };
}

/**
 * JSON in lines, as people read it; anything else, such as a template's own lines, as it is sent.
 * @param {{contentType: string, body: string}} preview
 */
export function laidOut({ contentType, body }) {
    if (!contentType.includes("json") || body.includes("\n")) return body;
    try {
        return JSON.stringify(JSON.parse(body), null, 2);
    } catch {
        return body;
    }
}

/**
 * Chooses another form for a webhook.
 * @param {Context} context
 * @param {import("../../app/push.js").Endpoint} endpoint
 * @param {() => void} changed
 */
export async function openForm(context, endpoint, changed) {
    const { t, api } = context;
    const { data } = await api.get(`/endpoints/${endpoint.id}/form`);
    const editor = createFormEditor(context, data);
    const form = createForm(context, {
        fields: [{ name: "template", field: editor.field }],
        text: t("common.save"),
        busyText: t("common.saving"),
        async submit() {
            await api.patch(`/endpoints/${endpoint.id}/form`, editor.value());
            sheet.close();
            changed();
            context.toast({ text: t("notifications.form_changed") });
        },
    });
    const sheet = context.sheet({ title: t("notifications.form"), lead: t("notifications.form_lead"), body: [form] });
}

/**
 * A row that says in which form a webhook is told, and lets its person choose; null for what is told in none, and of a service of before.
 * @param {Context} context
 * @param {import("../../app/push.js").Endpoint} endpoint
 * @param {object} act
 * @param {(action: () => Promise<void>) => void} act.perform
 * @param {() => void} act.changed
 */
export function createFormRow(context, endpoint, { perform, changed }) {
    if (endpoint.channel !== "webhook" || !endpoint.form) return null;
    return createRow({
        name: context.t("notifications.form"),
        value: nameOfForm(context, endpoint.form),
        press: () => perform(() => openForm(context, endpoint, changed)),
    }).element;
}
