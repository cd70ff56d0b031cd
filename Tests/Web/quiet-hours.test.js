/** Quiet hours as they are read and changed: the last change wins, what is refused shows again what holds, and what was seen is there offline. */

import { deepStrictEqual as same, match, ok, rejects, strictEqual as equal } from "node:assert/strict";
import { createQuietHours } from "../../Services/Gateway/Web/app/quiet-hours.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { mount as mountAlerts } from "../../Services/Gateway/Web/screens/alerts/alerts.js";
import { mount } from "../../Services/Gateway/Web/screens/quiet-hours/quiet-hours.js";
import { usual } from "../../Services/Gateway/Web/water/quiet.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { NoAnswer, Problem } from "../../Services/Gateway/Web/words/problem.js";
import { openPage } from "./page.js";
import { createStore } from "./store.js";

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const now = Date.now();
const later = new Date(now + 3_600_000).toISOString();
const refused = new Problem(422, { title: "Not so." }, null);

/** @param {any} [more] */
const quiet = (more = {}) => ({ hours: usual, timeZone: "Europe/Vienna", quietUntil: null, waiting: 0, waitingUntil: null, ...more });

/** A service that keeps quiet hours; its answers to changes wait where they are held. @param {any} [first] */
function service(first = quiet()) {
    /** @type {any[]} */
    const asked = [];
    /** @type {(() => void)[]} */
    const held = [];
    /** @type {{now: any, isHeld: boolean, fault: unknown}} */
    const state = { now: first, isHeld: false, fault: null };
    const answer = async (/** @type {() => any} */ make) => {
        const { fault } = state;
        if (state.isHeld) await new Promise((release) => held.push(() => release(undefined)));
        if (fault) throw fault;
        return { data: structuredClone(make()) };
    };
    /** @type {any} */
    const api = {
        get: (/** @type {string} */ path) => (asked.push(["GET", path]), answer(() => state.now)),
        put: (/** @type {string} */ path, /** @type {any} */ hours) => (asked.push(["PUT", path, hours]), answer(() => state.now = { ...state.now, hours })),
        delete: (/** @type {string} */ path) => (asked.push(["DELETE", path]), answer(() => void (state.now = { ...state.now, hours: null }))),
    };
    return { api, asked, state, release: () => held.shift()?.() };
}

/** @param {ReturnType<typeof service>} from @param {Record<string, any>} [kept] */
const open = ({ api }, kept = {}) =>
    createQuietHours({ api, keep: (key, value) => kept[key] = structuredClone(value), kept: (key) => Promise.resolve(kept[key]) });

const at = (/** @type {string} */ from) => ({ ...usual, from });

Deno.test("a change shows at once; of several the last is sent last, and those between are left out", async () => {
    const from = service();
    const known = open(from);
    await known.read();
    from.state.isHeld = true;
    const all = ["21:00", "21:15", "21:30", "21:45"].map((time) => known.change(at(time)));
    equal(known.known.value.told?.hours?.from, "21:45");
    for (let count = 0; count < 4; count += 1) {
        from.release();
        await settled();
    }
    await Promise.all(all);
    same(from.asked.slice(1).map(([method, , hours]) => [method, hours.from]), [["PUT", "21:00"], ["PUT", "21:45"]]);
    equal(known.known.value.told?.hours?.from, "21:45");
});

Deno.test("an answer from before a change does not take it back", async () => {
    const from = service();
    const known = open(from);
    await known.read();
    from.state.isHeld = true;
    const reading = known.read();
    await settled();
    const changing = known.change(null);
    from.release();
    await reading;
    equal(known.known.value.told?.hours, null);
    from.release();
    await changing;
    equal(known.known.value.told?.hours, null);
    same(from.asked.map(([method]) => method), ["GET", "GET", "DELETE"]);
});

Deno.test("what is refused is thrown, and what holds is shown again", async () => {
    const from = service();
    const known = open(from);
    await known.read();
    await known.change(at("21:00"));
    from.state.fault = refused;
    const changing = known.change(at("20:00"));
    equal(known.known.value.told?.hours?.from, "20:00");
    await rejects(changing, /Not so/);
    equal(known.known.value.told?.hours?.from, "21:00");
    await rejects(known.change(null));
    equal(known.known.value.told?.hours?.from, "21:00");
});

Deno.test("what was read is there without a connection, with its age; what nobody has read is not", async () => {
    const from = service();
    /** @type {any} */
    const kept = {};
    await open(from, kept).read();
    from.state.fault = new NoAnswer(true);
    const known = open(from, kept);
    await known.read();
    const { told, isOld, seenAt, trouble } = known.known.value;
    same([told?.hours?.from, isOld, seenAt > 0, trouble === from.state.fault], ["22:30", true, true, true]);
    const nothing = open(from);
    await nothing.read();
    same([nothing.known.value.told, nothing.known.value.isOld], [null, false]);
});

Deno.test("nothing of one person is known for the next, whatever is on its way", async () => {
    const from = service();
    const known = open(from);
    await known.read();
    for (const begin of [() => known.read(), () => known.change(at("21:00"))]) {
        from.state.isHeld = true;
        const begun = begin();
        known.forget();
        from.release();
        await begun;
        equal(known.known.value.told, null);
        from.state.isHeld = false;
        await known.read();
    }
});

/** @param {any} [first] @param {any} [critical] @param {string} [language] */
async function screen(first, critical = { criticalMinimum: 5 }, language = "en") {
    const { make, document } = openPage();
    const from = service(first);
    const t = await loadWords(language);
    /** @type {string[]} */
    const toasts = [];
    /** @type {any[]} */
    const sheets = [];
    const kept = {};
    const oxygen = { name: "dissolved_oxygen", unit: "mg/L", decimals: 1, ...critical };
    const store = {
        quiet: open(from, kept),
        parameters: signal(new Map([["koi", { items: [oxygen, { name: "ph", unit: "pH", decimals: 1 }], tag: null }]])),
        devices: signal([{ id: "koi", name: "Koi pond" }]),
        current: signal(null),
        settings: signal({}),
        alertNews: signal(0),
        connection: signal({ state: "live" }),
    };
    const context = /** @type {any} */ ({
        t,
        store,
        format: createFormat(language, "UTC", t),
        title() {},
        toast: (/** @type {any} */ { text }) => toasts.push(text),
        explain: (/** @type {any} */ error) => error.message,
        sheet: (/** @type {any} */ model) => (sheets.push(model), { close() {} }),
    });
    const root = make("main");
    const mounted = mount(root, context);
    await settled();
    const sliders = root.having("role", "slider");
    const switches = root.having("role", "switch");
    /** @param {any} element @param {string} type @param {any} [more] */
    const happen = (element, type, more = {}) => element.dispatchEvent(Object.assign(new Event(type, { cancelable: true }), more));
    return {
        root,
        document,
        from,
        t,
        store,
        toasts,
        sheets,
        sliders,
        switches,
        days: root.having("class", "day"),
        inputs: root.querySelectorAll("input"),
        press: (/** @type {any} */ slider, /** @type {string} */ key) => happen(slider, "keydown", { key }),
        type: (/** @type {any} */ input, /** @type {string} */ value) => {
            input.focus();
            input.value = value;
            happen(input, "input");
        },
        values: () => sliders.map((/** @type {any} */ slider) => slider.getAttribute("aria-valuetext")),
        /** The last quiet hours that were sent. */
        sent: () => from.asked.findLast(([method]) => method !== "GET"),
        rested: () => new Promise((resolve) => setTimeout(resolve, 650)),
        end: () => mounted.unmount(),
    };
}

Deno.test("the screen says what holds; its switch turns quiet hours off, and on as they were", async () => {
    const { root, t, switches, values, sent, end } = await screen(quiet({ hours: { ...usual, from: "21:00" } }));
    match(root.told, /21:00–07:00\|10 h, Vienna/);
    same(values(), ["21:00", "07:00"]);
    equal(root.having("class", "quiet-times")[0].parentElement.hidden, false);
    switches[0].click();
    await settled();
    same(sent(), ["DELETE", "/quiet-hours"]);
    equal(root.having("class", "quiet-times")[0].parentElement.hidden, true);
    match(root.told, new RegExp(t("quiet.lead")));
    switches[0].click();
    await settled();
    same(sent()?.[2].from, "21:00");
    end();
    const off = await screen(quiet({ hours: null }));
    off.switches[0].click();
    await settled();
    same(off.sent(), ["PUT", "/quiet-hours", usual]);
    off.end();
});

Deno.test("keys turn an end a quarter of an hour at a time; the service is told once it rests, or when the screen is left", async () => {
    const { press, sliders, values, sent, inputs, rested, from, end } = await screen();
    for (const key of ["ArrowRight", "ArrowUp", "PageUp", "ArrowLeft"]) press(sliders[0], key);
    press(sliders[1], "ArrowDown");
    press(sliders[1], "x");
    same(values(), ["23:45", "06:45"]);
    same(inputs.map((/** @type {any} */ input) => input.value), ["23:45", "06:45"]);
    equal(sent(), undefined);
    await rested();
    same(from.asked.filter(([method]) => method === "PUT").length, 1);
    same([sent()?.[2].from, sent()?.[2].until], ["23:45", "06:45"]);
    press(sliders[0], "ArrowLeft");
    end();
    await settled();
    equal(sent()?.[2].from, "23:30");
});

Deno.test("fields take any minute, and not the same at both ends", async () => {
    const { type, inputs, root, values, sent, rested, t, end } = await screen();
    type(inputs[0], "21:07");
    same(values()[0], "21:07");
    type(inputs[1], "");
    type(inputs[1], "21:07");
    ok(root.told.includes(t("quiet.same")));
    equal(values()[1], "07:00");
    type(inputs[1], "06:10");
    ok(!root.told.includes(t("quiet.same")));
    await rested();
    same([sent()?.[2].from, sent()?.[2].until], ["21:07", "06:10"]);
    end();
});

Deno.test("days are switched, and one stays; the silence of a device as well", async () => {
    const { days, switches, sent, toasts, t, from, end } = await screen(quiet({ hours: { ...usual, days: ["monday", "tuesday"] } }));
    const pressed = () => days.map((/** @type {any} */ day) => day.getAttribute("aria-pressed") === "true");
    same(pressed().filter(Boolean).length, 2);
    const chosen = days.filter((/** @type {any} */ day) => day.getAttribute("aria-pressed") === "true");
    chosen[0].click();
    await settled();
    same(sent()?.[2].days, ["tuesday"]);
    const { length } = from.asked;
    chosen[1].click();
    await settled();
    same([from.asked.length, toasts], [length, [t("quiet.oneDay")]]);
    switches[1].click();
    await settled();
    same(sent()?.[2], { ...usual, days: ["tuesday"], silenceRings: false });
    end();
});

Deno.test("what is refused is told, and every part shows what holds", async () => {
    const { type, inputs, values, toasts, from, rested, days, end } = await screen();
    from.state.fault = refused;
    type(inputs[0], "20:00");
    await rested();
    same([values(), inputs[0].value, toasts], [["22:30", "07:00"], "22:30", ["Not so."]]);
    days[0].click();
    await settled();
    same([days[0].getAttribute("aria-pressed"), toasts.length], ["true", 2]);
    end();
});

Deno.test("what rings anyway is listed by tank; where nothing critical is set that is said, and leads to the limits", async () => {
    const { root, sheets, end, t } = await screen();
    const row = root.querySelectorAll("button").find((/** @type {any} */ button) => button.told.includes(t("quiet.rings")));
    match(row.told, /Dissolved oxygen · Silence of a device\|2/);
    row.click();
    const list = sheets[0].body.map((/** @type {any} */ part) => part?.told ?? "").join("|");
    match(list, /Koi pond\|Dissolved oxygen\|below 5\.0\u00a0mg\/L/);
    match(list, /Silence of a device/);
    end();
    for (const silenceRings of [true, false]) {
        const none = await screen(quiet({ hours: { ...usual, silenceRings } }), {});
        const [link] = none.root.having("class", "quiet-none")[0].querySelectorAll("a");
        same([link.getAttribute("href"), link.shapes[0]], ["/settings#koi", "fault"]);
        ok(link.told.includes(t(silenceRings ? "quiet.rings_silenceOnly" : "quiet.rings_none")));
        none.end();
    }
});

Deno.test("while something waits the screen says how much and until when, and reads again when something is told", async () => {
    const { root, store, from, end } = await screen(quiet({ quietUntil: later, waiting: 2, waitingUntil: later }));
    match(root.told, /Quiet until [^|]*\. 2 alerts wait\./);
    from.state.now = quiet({ quietUntil: later, waiting: 3, waitingUntil: later });
    store.alertNews.value += 1;
    await settled();
    match(root.told, /3 alerts wait\./);
    end();
});

Deno.test("without a connection the screen shows what it knows with its age, or says that it cannot be read", async () => {
    const { root, store, from, end } = await screen(quiet({ quietUntil: later, waiting: 2, waitingUntil: later }));
    from.state.fault = new NoAnswer(true);
    await store.quiet.read();
    await settled();
    match(root.told, /As seen .*22:30–07:00/);
    equal(root.having("role", "status")[0].hidden, true);
    from.state.fault = null;
    store.connection.value = { state: "connecting" };
    await settled();
    equal(root.told.includes("As seen") && !root.having("class", "small")[0].hidden, false);
    end();
    const { make } = openPage();
    const empty = service();
    empty.state.fault = new NoAnswer(true);
    const page = make("main");
    const t = await loadWords("en");
    const context = { t, format: createFormat("en", "UTC", t), title() {}, explain: () => "No answer.", store: { ...store, quiet: open(empty) } };
    const mounted = mount(page, /** @type {any} */ (context));
    await settled();
    match(page.told, /No answer\./);
    equal(page.querySelector(".quiet-times").parentElement.hidden, true);
    mounted.unmount();
});

Deno.test("the list of alerts says what waits, and leads to the quiet hours", async () => {
    for (const [first, expected] of /** @type {const} */ ([[quiet({ waiting: 2, waitingUntil: later }), true], [quiet(), false], [quiet({ waiting: 1, waitingUntil: new Date(now - 1000).toISOString() }), false]])) {
        const { make } = openPage();
        const t = await loadWords("en");
        const api = { get: () => Promise.resolve({ data: { items: [], next: null } }) };
        const store = createStore({ api, tanks: [], quiet: first });
        const root = make("main");
        const context = { t, api, store, format: createFormat("en", "UTC", t), title() {}, preferences: { has: () => true } };
        const mounted = mountAlerts(root, /** @type {any} */ (context));
        await settled();
        const [notice] = root.having("class", "notice");
        equal(notice.hidden, !expected);
        match(notice.textContent, expected ? /^2 alerts wait until / : /^$/);
        equal(notice.getAttribute("href"), expected ? "/settings/quiet-hours" : null);
        mounted.unmount();
    }
});
