/** Choices about a way: whether it is told in quiet hours too, and whether of nothing but what is critical. */

import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { createChoices, moreOf } from "../../Services/Gateway/Web/screens/notifications/endpoints.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { openPage } from "./page.js";

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/** @param {any} [more] @returns {any} */
const endpoint = (more) => ({ id: 7, channel: "ntfy", service: "ntfy", host: "ntfy.sh", state: "active", registeredAt: "2026-05-01T12:00:00Z", nothingSince: null, lastAcceptedAt: null, lastFailure: null, lastStatus: null, formerSecretUntil: null, heedsQuietHours: true, ...more });

Deno.test("an endpoint is told in quiet hours too where the person says so; a webhook always is, and an older service knows of none", async () => {
    const { document } = openPage();
    ok(document);
    const t = await loadWords("en");
    /** @type {any[]} */
    const asked = [];
    /** @type {string[]} */
    const toasts = [];
    let fault = false;
    /** @type {any} */
    const context = {
        t,
        format: createFormat("en", "UTC", t),
        api: { patch: (/** @type {string} */ path, /** @type {any} */ body) => (asked.push([path, body]), fault ? Promise.reject(new Error("gone")) : Promise.resolve({ data: endpoint(body) })) },
        toast: (/** @type {any} */ { text }) => toasts.push(text),
        explain: (/** @type {any} */ error) => error.message,
    };
    let changes = 0;
    const row = /** @type {any} */ (createChoices(context, endpoint(), () => changes += 1)[0]);
    const [toggle] = row.having("role", "switch");
    equal(toggle.getAttribute("aria-checked"), "false");
    toggle.click();
    await settled();
    same([asked, toggle.getAttribute("aria-checked"), changes], [[["/endpoints/7", { heedsQuietHours: false }]], "true", 1]);
    fault = true;
    toggle.click();
    await settled();
    same([toggle.getAttribute("aria-checked"), toasts], ["true", ["gone"]]);
    same([createChoices(context, endpoint({ channel: "webhook", heedsQuietHours: false }), () => {}), createChoices(context, endpoint({ heedsQuietHours: undefined }), () => {})], [[], []]);
    same([endpoint(), endpoint({ heedsQuietHours: false }), endpoint({ channel: "webhook", heedsQuietHours: false })].map((one) => moreOf(context, one)), [[], ["also in quiet hours"], []]);
});

Deno.test("a telephone hears of nothing but what is critical where the person says so; a webhook is told everything", async () => {
    openPage();
    const t = await loadWords("en");
    /** @type {any[]} */
    const asked = [];
    /** @type {any} */
    const context = {
        t,
        api: { patch: (/** @type {string} */ path, /** @type {any} */ body) => (asked.push([path, body]), Promise.resolve({ data: call(body) })) },
    };
    const call = (/** @type {any} */ more) => endpoint({ channel: "call", service: "Call", onlyUrgent: true, ...more });
    same([call({}), call({ onlyUrgent: false }), call({ heedsQuietHours: false })].map((one) => moreOf(context, one)), [
        ["only what is critical"],
        [],
        ["only what is critical", "also in quiet hours"],
    ]);
    const rows = /** @type {any[]} */ (createChoices(context, call({}), () => {}));
    equal(rows.length, 2);
    const [toggle] = rows[0].having("role", "switch");
    equal(toggle.getAttribute("aria-checked"), "true");
    toggle.click();
    await settled();
    same([asked, toggle.getAttribute("aria-checked")], [[["/endpoints/7", { onlyUrgent: false }]], "false"]);
    same(createChoices(context, call({ channel: "webhook" }), () => {}), []);
});
