/** The list of alerts is brought up to date: whoever has the focus on a row, or presses it, does not lose it to another tank's reading. */

import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { createKeyed } from "../../Services/Gateway/Web/page/keyed.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { mount } from "../../Services/Gateway/Web/screens/alerts/alerts.js";
import { openPage } from "./page.js";
import { alarmOf, createStore } from "./store.js";

const now = Date.now();
const since = new Date(now - 3_600_000).toISOString();

/** @param {string} id @param {number} value @param {'low' | null} side */
const tank = (id, value, side) => ({
    id,
    name: id,
    online: true,
    gauges: [{ name: "ph", unit: "pH", value, side, since: side && Date.parse(since), time: now, range: { minimum: 7, maximum: 9, decimals: 1 } }],
});

Deno.test("a reading, an alert and an alarm's end leave the rows that stay where they are", async () => {
    const { make, document } = openPage();
    const root = make("main");
    const t = await loadWords("en");
    let items = [alarmOf("2", "koi", since), alarmOf("1", "reef", new Date(now - 90 * 3_600_000).toISOString())];
    const api = { get: () => Promise.resolve({ data: { items, next: null } }) };
    const store = createStore({ api, tanks: [tank("koi", 6.5, "low"), tank("reef", 8, null), tank("pond", 8, null)] });
    const context = /** @type {any} */ ({
        t,
        format: createFormat("en", "UTC", t),
        store,
        title() {},
        preferences: { has: () => true },
        api,
    });
    const screen = mount(root, context);
    const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
    const links = () => root.querySelectorAll(".row").filter((/** @type {any} */ row) => row.localName === "a");
    const texts = () => links().map((/** @type {any} */ row) => row.textContent);
    try {
        await settled();
        const before = links();
        same(before.map((/** @type {any} */ row) => row.getAttribute("href")), ["/alerts/2", "/alerts/1"]);
        before[1].focus();
        // A reading of another tank, and one of this.
        store.tanks.value = [tank("koi", 6.3, "low"), tank("reef", 8, null), tank("pond", 8.1, null)];
        await settled();
        ok(links().every((/** @type {any} */ row, /** @type {number} */ index) => row === before[index]), "each row stays");
        equal(document.activeElement, before[1]);
        // Another alarm stands above them.
        items = [alarmOf("3", "pond", new Date(now - 60_000).toISOString()), ...items];
        store.tanks.value = [tank("koi", 6.3, "low"), tank("reef", 8, null), { ...tank("pond", 6, "low"), gauges: [{ ...tank("pond", 6, "low").gauges[0], since: now - 60_000 }] }];
        await store.told.read();
        await settled();
        same(links().slice(1), before);
        ok(/6\.5/.test(texts()[0]), texts()[0]);
        equal(document.activeElement, before[1]);
        // One is over: its row goes to its day, the others stay.
        store.tanks.value = [tank("koi", 8, null), tank("reef", 8, null), store.tanks.value[2]];
        await settled();
        ok(links().includes(before[1]) && !links().includes(before[0]));
        equal(document.activeElement, before[1]);
    } finally {
        screen.unmount();
    }
});

Deno.test("a list has what it is told in that order, with the same elements for the same keys, whatever it had before", () => {
    const { make, document } = openPage();
    const list = make("ul");
    let removed = 0;
    const update = createKeyed(
        list,
        (/** @type {string} */ key) => key,
        (key) => ({ element: Object.assign(make("li"), { key }), update() {}, remove: () => removed += 1 }),
    );
    let seed = 7;
    const random = () => (seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
    let before = new Map();
    for (let step = 0; step < 500; step += 1) {
        const wanted = [..."abcdefg"].filter(() => random() < 0.6).sort(() => random() - 0.5);
        const focused = [...before.values()][Math.floor(random() * before.size)] ?? null;
        focused?.focus();
        const gone = removed;
        update(wanted);
        const now = new Map(list.children.map((/** @type {any} */ element) => [element.key, element]));
        same([...now.keys()], wanted);
        for (const [key, element] of before) if (now.has(key)) ok(now.get(key) === element);
        equal(removed - gone, [...before.keys()].filter((key) => !now.has(key)).length);
        if (focused && now.has(focused.key)) equal(document.activeElement, focused);
        before = now;
    }
});
