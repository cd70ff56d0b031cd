/** Services that bring messages: e-mail comes first, is called by a word, and is asked for as an address. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { iconOf, nameOf, shortNameOf } from "../../Services/Gateway/Web/words/endpoint-name.js";
import { addWay } from "../../Services/Gateway/Web/screens/notifications/ways.js";
import { languages } from "./languages.js";
import { openPage } from "./page.js";

const settled = () => new Promise((resolve) => setTimeout(resolve));

/** @param {string} name @param {object} [more] */
const field = (name, more) => ({ name, isRequired: true, isSecret: false, standard: null, example: "", ...more });
const services = [
    { channel: "ntfy", name: "ntfy", fields: [field("topic"), field("server", { isRequired: false, standard: "https://ntfy.sh" }), field("token", { isSecret: true })] },
    { channel: "call", name: "Call", fields: [field("account"), field("token", { isSecret: true }), field("from"), field("to")] },
    { channel: "email", name: "E-mail", fields: [field("email", { example: "ada@example.org" })] },
];

/** @param {string} language */
async function openWays(language) {
    openPage();
    const t = await loadWords(language);
    /** @type {any[]} */
    const sheets = [];
    /** @type {unknown[]} */
    const posted = [];
    /** @type {string[]} */
    const toasts = [];
    /** @type {any} */
    const context = {
        t,
        store: { account: { value: { email: "bea@example.org" } } },
        api: {
            get: () => Promise.resolve({ data: { items: structuredClone(services) } }),
            post: (/** @type {string} */ path, /** @type {unknown} */ body) => {
                posted.push([path, body]);
                return Promise.resolve({ data: { proof: "sealed" } });
            },
        },
        toast: (/** @type {{text: string}} */ { text }) => toasts.push(text),
        sheet: (/** @type {any} */ model) => (sheets.push(model), { close() {} }),
    };
    addWay(context, () => {});
    await settled();
    const rows = sheets[0].body[0].querySelectorAll("button");
    const inputs = () => sheets.at(-1).body[0].querySelectorAll("input");
    const send = async () => {
        sheets.at(-1).body[0].dispatchEvent(new Event("submit", { cancelable: true }));
        await settled();
    };
    return { t, sheets, posted, toasts, rows, inputs, send };
}

for (const language of Object.keys(languages)) {
    Deno.test(`${language}: e-mail is the first way, in the person's word for it`, async () => {
        const { t, rows, sheets } = await openWays(language);
        const word = t("notifications.name_email");
        same([rows[0].told.includes(word), rows[0].told.includes(t("notifications.way_email")), rows[1].told.includes("ntfy")], [true, true, true]);
        rows[0].click();
        same([sheets.at(-1).title, sheets.at(-1).lead], [word, t("notifications.guide_email")]);
        equal(nameOf({ t }, { channel: "email", service: "E-mail", host: "b…@example.org" }), `${word} (b…@example.org)`);
    });
}

Deno.test("a service has its own name, and each way its icon", async () => {
    const t = await loadWords("ja");
    equal(nameOf({ t }, { channel: "ntfy", service: "ntfy", host: "ntfy.sh" }), "ntfy (ntfy.sh)");
    equal(nameOf({ t }, { channel: "webhook", service: null, host: "example.org" }), "example.org");
    const icons = [["email", "E-mail"], ["ntfy", "ntfy"], ["call", "Call"], ["sms", "SMS"], ["webhook", null], ["webPush", null]].map(([channel, service]) =>
        iconOf({ channel: String(channel), service })
    );
    same(icons, ["mail", "message", "phone", "message", "link", "phone"]);
});

Deno.test("an app is called by its kind of phone, and not by a host", async () => {
    for (const [channel, host, name] of [["apns", "api.push.apple.com", "iPhone app"], ["fcm", "fcm.googleapis.com", "Android app"]]) {
        const t = await loadWords("en");
        const app = { channel, service: null, host };
        same([nameOf({ t }, app), shortNameOf({ t }, app), iconOf(app)], [name, name, "phone"]);
    }
});

Deno.test("the account's own address stands there, and the code is said to go to what is typed", async () => {
    const { t, sheets, posted, toasts, rows, inputs, send } = await openWays("en");
    rows[0].click();
    const [email] = inputs();
    same(["type", "inputmode", "autocomplete", "placeholder"].map((name) => email.getAttribute(name)), ["email", "email", "email", "ada@example.org"]);
    equal(email.value, "bea@example.org");
    email.value = " ada@example.org ";
    await send();
    same(posted, [["/endpoint-codes", { channel: "email", email: "ada@example.org" }]]);
    equal(sheets.at(-1).lead, t("notifications.code_lead", { name: "ada@example.org" }));
    inputs()[0].value = "123456";
    await send();
    same(posted.at(-1), ["/messaging-endpoints", { proof: "sealed", code: "123456" }]);
    same(toasts, [t("notifications.way_added", { name: "ada@example.org" })]);
});

Deno.test("other fields are what they were: an address of a server, and what is secret hidden", async () => {
    const { rows, inputs } = await openWays("en");
    rows[1].click();
    same(inputs().map((/** @type {any} */ input) => [input.getAttribute("type"), input.value]), [["text", ""], ["url", "https://ntfy.sh"], ["password", ""]]);
});

Deno.test("numbers are typed as people write them, and the code is said to go to the person's own", async () => {
    const { t, sheets, posted, rows, inputs, send } = await openWays("en");
    rows[2].click();
    const [account, token, from, to] = inputs();
    same([token, to].map((input) => input.getAttribute("type")), ["password", "tel"]);
    [account.value, token.value, from.value, to.value] = [" AC1 ", "secret-token", "+1 (555) 010-0200", "+49 30/55.50 "];
    await send();
    same(posted, [["/endpoint-codes", { channel: "call", account: "AC1", token: "secret-token", from: "+15550100200", to: "+49305550" }]]);
    same([sheets.at(-1).title, sheets.at(-1).lead], [t("notifications.name_call"), t("notifications.code_lead", { name: "+49305550" })]);
});
