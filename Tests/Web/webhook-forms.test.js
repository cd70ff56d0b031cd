/** The form of what a webhook is sent: chosen when it is added and later, with a template's faults beside it and a preview beneath. */

import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { createFormEditor, laidOut, openForm, templateNames } from "../../Services/Gateway/Web/screens/notifications/form.js";
import { addWebhook } from "../../Services/Gateway/Web/screens/notifications/webhook.js";
import { nameOfForm } from "../../Services/Gateway/Web/words/form-name.js";
import { NoAnswer, Problem } from "../../Services/Gateway/Web/words/problem.js";
import { languages } from "./languages.js";
import { openPage } from "./page.js";

const settled = () => new Promise((resolve) => setTimeout(resolve));

/** @param {string} language @param {(path: string, body: any) => any} [answer] */
async function open(language, answer = () => ({ contentType: "application/json", body: '{"text":"Koi"}' })) {
    openPage();
    const t = await loadWords(language);
    /** @type {any[]} */
    const asked = [];
    /** @type {any[]} */
    const sheets = [];
    /** @type {string[]} */
    const toasts = [];
    /** @param {string} path @param {any} [body] */
    const ask = (path, body) => {
        asked.push([path, body]);
        return Promise.resolve().then(() => ({ data: answer(path, body) }));
    };
    /** @type {any} */
    const context = {
        t,
        api: { get: ask, post: ask, patch: ask },
        explain: (/** @type {any} */ error) => error.title,
        toast: (/** @type {{text: string}} */ { text }) => toasts.push(text),
        sheet: (/** @type {any} */ model) => (sheets.push(model), { close() {} }),
    };
    return { t, context, asked, sheets, toasts };
}

/** @param {any} element @param {string} word */
const press = (element, word) => {
    const button = element.querySelectorAll("button").find((/** @type {any} */ one) => one.told.includes(word));
    ok(button, word);
    button.click();
};

for (const language of Object.keys(languages)) {
    Deno.test(`${language}: a form is chosen among four, each with what it is for`, async () => {
        const { t, context } = await open(language);
        const { field } = createFormEditor(context, { form: "standard" });
        const told = /** @type {any} */ (field.element).told;
        for (const name of ["standard", "cloudEvents", "alertmanager", "template"]) {
            ok(told.includes(nameOfForm({ t }, name)) && told.includes(t(`notifications.form_${name}_text`)), name);
        }
        equal(nameOfForm({ t }, "telepathy"), t("notifications.form_other"));
    });
}

Deno.test("a webhook is added in the form that was chosen", async () => {
    const { t, context, asked, sheets } = await open("en", (path) => path === "/endpoints" ? { secret: "whsec_1" } : { contentType: "text/plain", body: "Koi" });
    addWebhook(context, () => {});
    const form = sheets[0].body[0];
    form.querySelector("input").value = "https://alerts.example.org/ada";
    const sent = async () => {
        form.dispatchEvent(new Event("submit", { cancelable: true }));
        await settled();
        return asked.findLast(([path]) => path === "/endpoints")[1];
    };
    same(await sent(), { url: "https://alerts.example.org/ada" });
    press(form, "CloudEvents");
    same(await sent(), { url: "https://alerts.example.org/ada", form: "cloudEvents" });
    press(form, t("notifications.form_template"));
    press(form, t("notifications.type_text"));
    same(await sent(), {
        url: "https://alerts.example.org/ada",
        form: "template",
        template: "{{title}}\n{{text}}",
        templateType: "text/plain",
    });
});

/** A service whose receiver answers no challenge, and takes a code. @param {string} code */
const coded = (code) => (/** @type {string} */ path, /** @type {any} */ body) => {
    if (path === "/endpoints") throw new Problem(422, { code, title: "No answer to the challenge." }, null);
    if (path === "/webhook-codes") return { proof: "sealed" };
    if (path === "/coded-webhooks") {
        if (body.code !== "482913") throw new Problem(422, { code: "code-wrong", title: "This is not the code." }, null);
        return { secret: "whsec_1" };
    }
    return { contentType: "application/json", body: "{}" };
};

/** @param {any} form */
const submit = async (form) => {
    form.dispatchEvent(new Event("submit", { cancelable: true }));
    await settled();
};

for (const code of ["endpoint-unproven", "endpoint-unanswered"]) {
    Deno.test(`${code}: a receiver of another's form is offered a code, by which it counts`, async () => {
        const { t, context, asked, sheets } = await open("en", coded(code));
        let changes = 0;
        addWebhook(context, () => changes++, { form: "alertmanager" });
        const [form, offer] = sheets[0].body;
        equal(offer.hidden, true);
        form.querySelector("input").value = "https://bridge.example.org/koi";
        await submit(form);
        equal(offer.hidden, false);
        press(offer, t("notifications.send_code"));
        await settled();
        same(asked.at(-1), ["/webhook-codes", { url: "https://bridge.example.org/koi", form: "alertmanager" }]);
        ok(sheets[1].lead.includes("bridge.example.org"), sheets[1].lead);
        const typed = sheets[1].body[0];
        typed.querySelector("input").value = "000000";
        await submit(typed);
        same([changes, sheets.length, typed.told.includes("This is not the code.")], [0, 2, true]);
        typed.querySelector("input").value = " 482913 ";
        await submit(typed);
        same(asked.at(-1), ["/coded-webhooks", { proof: "sealed", code: "482913" }]);
        same([changes, sheets[2].body[0].textContent], [1, "whsec_1"]);
    });
}

Deno.test("no code is offered for our own form, nor where the address is what is wrong", async () => {
    for (const [form, code] of [["standard", "endpoint-unproven"], ["alertmanager", "endpoint-unreachable"], ["alertmanager", "too-many-endpoints"]]) {
        const { context, sheets } = await open("en", coded(code));
        addWebhook(context, () => {}, { form });
        await submit(sheets[0].body[0]);
        equal(sheets[0].body[1].hidden, true, `${form} ${code}`);
    }
});

Deno.test("a code that cannot be sent says why, and goes to what was tried", async () => {
    const { t, context, asked, sheets } = await open("en", (path) => {
        if (path === "/endpoints") throw new Problem(422, { code: "endpoint-unproven" }, null);
        if (path !== "/webhook-codes") return { contentType: "application/json", body: "{}" };
        throw new Problem(422, { code: "invalid-input", errors: [{ pointer: "/template", code: "template-codeless", detail: "No place for the title." }] }, null);
    });
    addWebhook(context, () => {}, { form: "template", template: "{{value}}", templateType: "text/plain" });
    const [form, offer] = sheets[0].body;
    form.querySelector("input").value = "https://bridge.example.org/koi";
    await submit(form);
    form.querySelector("input").value = "https://other.example.org/";
    press(offer, t("notifications.send_code"));
    await settled();
    equal(asked.at(-1)[1].url, "https://bridge.example.org/koi");
    same([offer.told.includes("No place for the title."), sheets.length], [true, 1]);
});

Deno.test("each choice is previewed, and the template is asked for where it is one", async () => {
    const { t, context, asked } = await open("en");
    const { field, value } = createFormEditor(context, { form: "standard" });
    const element = /** @type {any} */ (field.element);
    const own = element.querySelector(".webhook-template");
    await settled();
    same([own.hidden, element.querySelector("pre").textContent], [true, '{\n  "text": "Koi"\n}']);
    press(element, t("notifications.form_template"));
    await settled();
    equal(own.hidden, false);
    same(asked.map(([path, body]) => [path, body.form]), [["/webhook-previews", "standard"], ["/webhook-previews", "template"]]);
    // What somebody wrote stays when they look at another type.
    field.value = "[{{title}}]";
    press(element, t("notifications.type_form"));
    same(value(), { form: "template", template: "[{{title}}]", templateType: "application/x-www-form-urlencoded" });
});

Deno.test("what is wrong with a template is said beside it, and no preview of an earlier text stays", async () => {
    const detail = "Line 2: titel is no name here.";
    const { t, context } = await open("en", (_, body) => {
        if (body.form !== "template") return { contentType: "application/json", body: "{}" };
        throw new Problem(422, { code: "invalid-input", errors: [{ pointer: "/template", code: "template-name", detail }] }, null);
    });
    const { field } = createFormEditor(context, { form: "standard" });
    const element = /** @type {any} */ (field.element);
    await settled();
    equal(element.querySelector(".webhook-sample").hidden, false);
    press(element, t("notifications.form_template"));
    await settled();
    equal(element.querySelector("strong").textContent, detail);
    equal(element.querySelector("textarea").getAttribute("aria-invalid"), "true");
    equal(element.querySelector(".webhook-sample").hidden, true);
});

Deno.test("a preview that cannot be had is told, and made once it can", async () => {
    for (const failure of [new NoAnswer(false), new Problem(503, { code: "unavailable", title: "Not now." }, null)]) {
        let isDown = true;
        const { t, context } = await open("en", () => {
            if (isDown) throw failure;
            return { contentType: "text/plain", body: "Koi" };
        });
        context.explain = () => "It did not work.";
        const { field } = createFormEditor(context, { form: "standard" });
        const element = /** @type {any} */ (field.element);
        await settled();
        same([element.told.includes("It did not work."), element.querySelector(".webhook-sample").hidden], [true, true]);
        isDown = false;
        press(element, t("common.retry"));
        await settled();
        same([element.told.includes("It did not work."), element.querySelector(".webhook-sample").hidden], [false, false]);
        equal(element.querySelector("pre").textContent, "Koi");
    }
});

Deno.test("the form of a webhook that is there is shown, changed and told", async () => {
    const stored = { form: "template", template: "a={{value}}", templateType: "application/x-www-form-urlencoded" };
    const { t, context, asked, sheets, toasts } = await open("de", (path) => path.endsWith("/form") ? stored : { contentType: "text/plain", body: "" });
    let changes = 0;
    await openForm(context, /** @type {any} */ ({ id: 7, channel: "webhook", form: "template" }), () => changes++);
    const form = sheets[0].body[0];
    equal(form.querySelector("textarea").value, "a={{value}}");
    form.querySelector("textarea").value = "a={{limit}}";
    form.dispatchEvent(new Event("submit", { cancelable: true }));
    await settled();
    same(asked.at(-1), ["/endpoints/7/form", { ...stored, template: "a={{limit}}" }]);
    same([changes, toasts], [1, [t("notifications.form_changed")]]);
});

Deno.test("JSON is laid out in lines, and nothing else is", () => {
    equal(laidOut({ contentType: "application/cloudevents+json", body: '{"a":1}' }), '{\n  "a": 1\n}');
    equal(laidOut({ contentType: "application/json", body: '{"a":\n1}' }), '{"a":\n1}');
    equal(laidOut({ contentType: "text/plain; charset=utf-8", body: '{"a":1}' }), '{"a":1}');
});

Deno.test("the names are those that the service takes", async () => {
    const source = await Deno.readTextFile(new URL("../../Shared/Webhooks/Templates/TemplateValue.swift", import.meta.url));
    const list = source.slice(source.indexOf("static let all"));
    const theirs = [...list.matchAll(/"([a-z_.]+)"/g)].map(([, name]) => name);
    same([...templateNames].sort(), theirs.sort());
});
