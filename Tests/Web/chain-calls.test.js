/** Who asks to call this person: listed, answered, and said on the home screen. */

import { deepStrictEqual as same, match, strictEqual as equal } from "node:assert/strict";
import { callsOf } from "../../Services/Gateway/Web/app/calls.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { createCalling } from "../../Services/Gateway/Web/screens/home/calling.js";
import { createCallRows } from "../../Services/Gateway/Web/screens/settings/calls.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { openPage } from "./page.js";

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/** @param {any[]} calls */
async function calling(calls) {
    const { make } = openPage();
    /** @type {any[]} */
    const asked = [];
    const t = await loadWords("en");
    const api = /** @type {any} */ ({
        get: () => Promise.resolve({ data: structuredClone(calls) }),
        put: (/** @type {string} */ path, /** @type {any} */ body) => {
            asked.push([path, body]);
            Object.assign(calls[0], body);
            return Promise.resolve({ data: { ...calls[0] } });
        },
    });
    /** @type {any[]} */
    const sheets = [];
    const store = { account: signal(/** @type {any} */ ({})), alertNews: signal(0), callNews: signal(0), connection: signal({ state: "live" }) };
    const context = /** @type {any} */ ({
        t,
        api,
        store,
        format: createFormat("en", "UTC", t),
        sheet: (/** @type {any} */ model) => (sheets.push(model), { close() {} }),
        explain: (/** @type {any} */ error) => error.message,
        toast() {},
    });
    return { context, store, asked, sheets, make };
}

const call = (/** @type {any} */ more = {}) => ({ device: "koi", deviceName: "Koi pond", person: { id: "41", name: "Mika" }, after: 10, agreed: null, ...more });

Deno.test("whoever asks to call is listed, and answered with one of three", async () => {
    const { context, store, asked, sheets } = await calling([call()]);
    const { element, remove } = /** @type {any} */ (createCallRows(context));
    equal(element.hidden, true);
    await settled();
    equal(element.hidden, false);
    match(element.told, /Mika\|Koi pond, after 10 min\|Not answered yet/);
    element.querySelectorAll("button")[0].click();
    equal(sheets[0].title, "May Mika's alarms reach you?");
    const choices = sheets[0].body[0].querySelectorAll("button");
    same(choices.map((/** @type {any} */ choice) => [choice.told, choice.getAttribute("aria-pressed")]), [
        ["No", "false"],
        ["Not in my quiet hours", "false"],
        ["At all hours", "false"],
    ]);
    choices[1].click();
    await settled();
    same(asked, [["/devices/koi/calls/41", { agreed: "daytime" }]]);
    match(element.told, /Mika\|Koi pond, after 10 min\|Not in my quiet hours/);
    remove();
    store.account.value = null;
    same(callsOf(context).known.value, [], "nothing of one person is known for the next");
});

Deno.test("nobody who asks: no section", async () => {
    const { context } = await calling([]);
    const { element, remove } = createCallRows(context);
    await settled();
    equal(element.hidden, true);
    remove();
});

Deno.test("the home screen says who asks until that is answered, also with no, and not beside an alarm", async () => {
    const calls = [call(), call({ device: "reef", agreed: "always" })];
    const world = await calling(calls);
    let changes = 0;
    const notice = createCalling(world.context, () => changes += 1);
    const calm = /** @type {any} */ ({ isAlarm: false });
    equal(notice.update(calm, Date.now()), null);
    await settled();
    equal(changes, 1);
    same(notice.update(calm, Date.now()), { key: "calls", shape: "answered", text: "Mika asks whether Koi pond may alert you too", href: "/settings" });
    equal(notice.update(/** @type {any} */ ({ isAlarm: true }), Date.now()), null);
    const rows = /** @type {any} */ (createCallRows(world.context));
    rows.element.querySelectorAll("button")[0].click();
    world.sheets[0].body[0].querySelectorAll("button")[0].click();
    await settled();
    same(world.asked, [["/devices/koi/calls/41", { agreed: "no" }]]);
    equal(notice.update(calm, Date.now()), null);
    match(rows.element.told, /Mika\|Koi pond, after 10 min\|No\|/);
    calls.push(call({ device: "pond", deviceName: "Pond" }));
    world.store.callNews.value += 1;
    await settled();
    match(String(notice.update(calm, Date.now())?.text), /Pond/, "asked since");
    rows.remove();
    notice.remove();
});
