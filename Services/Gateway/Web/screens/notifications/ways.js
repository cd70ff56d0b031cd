/** Ways to be told beside this device: services that bring messages, and webhooks. */

import { createField } from "../../components/field/field.js";
import { createForm } from "../../components/form/form.js";
import { createBlankList, createList, createRow } from "../../components/list-row/list-row.js";
import { createProblem } from "../../components/page/page.js";
import { wordOf } from "../../lang/index.js";
import { h } from "../../page/dom.js";
import { iconOfService, nameOfService } from "../../words/endpoint-name.js";
import { typeCode } from "./code.js";
import { addWebhook } from "./webhook.js";

/** @typedef {import("../../app/context.js").Context} Context */

/** @typedef {{name: string, isRequired: boolean, isSecret: boolean, standard: string | null, example: string}} Field */

/** @typedef {{channel: string, name: string, fields: Field[]}} Service */

/** How fields are typed that are more than a text. @type {Record<string, Partial<import("../../components/field/field.js").FieldModel>>} */
const typed = {
    server: { type: "url" },
    email: { type: "email", inputmode: "email", autocomplete: "email" },
    to: { type: "tel", inputmode: "tel", autocomplete: "tel" },
};

/** Numbers, which people group with blanks and the like. */
const numbers = new Set(["from", "to"]);

/**
 * The value of a field as it is sent.
 * @param {string} name
 * @param {string} value
 */
const written = (name, value) => numbers.has(name) ? value.replace(/[\s().\/-]/g, "") : value.trim();

/**
 * The choice among all ways.
 * @param {Context} context
 * @param {() => void} changed
 */
export function addWay(context, changed) {
    const { t, api } = context;
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const list = h("div", {}, createBlankList(4));

    /** @param {() => void} open */
    function choose(open) {
        sheet.close();
        open();
    }

    const webhook = () =>
        createRow({
            name: t("notifications.webhook"),
            detail: t("notifications.webhook_lead"),
            icon: "link",
            press: () => choose(() => addWebhook(context, changed)),
        }).element;

    async function read() {
        /** @type {Service[]} */
        let services = [];
        problem.show("");
        try {
            services = (await api.get("/messaging-services")).data.items;
            // Mail, which everybody has, comes first.
            services.sort((one, other) => Number(other.channel === "email") - Number(one.channel === "email"));
        } catch (error) {
            problem.show(context.explain(error, "read"));
        }
        list.replaceChildren(createList(
            ...services.map((service) =>
                createRow({
                    name: nameOfService(context, service),
                    detail: t.has(`notifications.way_${service.channel}`) ? t(`notifications.way_${service.channel}`) : "",
                    icon: iconOfService(service.channel),
                    press: () => choose(() => addService(context, service, changed)),
                }).element
            ),
            webhook(),
        ));
    }

    const sheet = context.sheet({
        title: t("notifications.add"),
        lead: t("notifications.add_text"),
        body: [list, problem.element],
    });
    read();
}

/**
 * The same once more for a way that does not work any more, by what it is. A webhook keeps its form.
 * @param {Context} context
 * @param {import("../../app/push.js").Endpoint} endpoint
 * @param {() => void} changed
 */
export async function addAgain(context, endpoint, changed) {
    const { channel } = endpoint;
    if (channel === "webhook") {
        const own = endpoint.form ? (await context.api.get(`/endpoints/${endpoint.id}/form`)).data : undefined;
        return addWebhook(context, changed, own);
    }
    /** @type {Service[]} */
    const services = (await context.api.get("/messaging-services")).data.items;
    const service = services.find((one) => one.channel === channel);
    // The operator may offer it no longer.
    if (service) addService(context, service, changed);
    else addWay(context, changed);
}

/**
 * Asks what a service needs to know, and then for the code that it brings.
 * @param {Context} context
 * @param {Service} service
 * @param {() => void} changed
 */
function addService(context, service, changed) {
    const { t, api, store } = context;
    const name = nameOfService(context, service);
    const fields = service.fields.map((field) => {
        const label = wordOf(t, "notifications.field", field.name);
        return {
            name: field.name,
            field: createField({
                label: field.isRequired || field.standard !== null ? label : t("notifications.optional", { name: label }),
                name: field.name,
                ...field.isSecret ? { type: "password", reveal: { show: t("start.show"), hide: t("start.hide") } } : typed[field.name],
                value: field.standard ?? (field.name === "email" ? store.account.value?.email : undefined),
                placeholder: field.example,
                maxlength: 1024,
            }),
        };
    });
    fields[0]?.field.input.setAttribute("autofocus", "");
    const guide = `notifications.guide_${service.channel}`;
    const form = createForm(context, {
        fields,
        text: t("notifications.send_code"),
        busyText: t("notifications.sending_code"),
        async submit() {
            /** @type {Record<string, string>} */
            const body = { channel: service.channel };
            for (const { name, field } of fields) {
                const value = written(name, field.value);
                if (value) body[name] = value;
            }
            const { data } = await api.post("/endpoint-codes", body);
            sheet.close();
            // An address says more than that it is one.
            const place = body.email ?? body.to ?? name;
            typeCode(context, {
                name,
                place,
                register: (code) => api.post("/messaging-endpoints", { proof: data.proof, code }, { once: true }),
                done() {
                    changed();
                    context.toast({ text: t("notifications.way_added", { name: place }) });
                },
            });
        },
    });
    const sheet = context.sheet({
        title: name,
        lead: t.has(guide) ? t(guide) : "",
        body: [form],
    });
}
