/** The screen of a chain: changes show at once, and refused ones are taken back. */

import { deepStrictEqual as same, doesNotMatch, match, ok, strictEqual as equal } from "node:assert/strict";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { mount } from "../../Services/Gateway/Web/screens/chain/chain.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { NoAnswer, Problem } from "../../Services/Gateway/Web/words/problem.js";
import { openPage } from "./page.js";

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
/** Once the screen has followed a change. */
const soon = () => Promise.resolve();
const rested = () => new Promise((resolve) => setTimeout(resolve, 650));
const ana = { id: "42", name: "Ana" };
const kenji = { id: "43", name: "Kenji" };
const step = (/** @type {any} */ more = {}) => ({ after: 10, person: ana, endpoint: null, agreed: "always", outlook: "told", ...more });
const ways = [
    { id: 5, channel: "webPush", service: null, host: "fcm.googleapis.com", state: "active" },
    { id: 7, channel: "telegram", service: "Telegram", host: "Koi club", state: "active" },
];

/** A service that keeps a chain, as it is told. @param {any} chain */
function service(chain) {
    /** @type {any[]} */
    const asked = [];
    /** @type {{chain: any, fault: unknown, ways: any[] | null, waitsUntil: string | null}} */
    const state = { chain, fault: null, ways, waitsUntil: null };
    /** @param {string} method @param {string} path @param {any} body */
    const answer = (method, path, body) => {
        asked.push([method, path, body]);
        if (state.fault) throw state.fault;
        if (path === "/endpoints") {
            if (!state.ways) throw new NoAnswer(false);
            return { items: state.ways };
        }
        if (path.endsWith("/rehearsal")) {
            return { at: body.query.at, waitsUntil: state.waitsUntil, steps: state.chain.steps.map((/** @type {any} */ one) => ({ ...one, at: body.query.at })) };
        }
        if (method === "PUT") {
            const steps = body.steps.map((/** @type {any} */ { after, person, endpoint }) =>
                step({ after, person: [ana, kenji].find(({ id }) => id === person) ?? null, endpoint: endpoint ?? null, agreed: person ? "daytime" : null })
            );
            state.chain = { ...state.chain, steps };
        }
        return structuredClone(state.chain);
    };
    const tag = () => JSON.stringify(state.chain.steps.map((/** @type {any} */ { after, person, endpoint }) => [after, person?.id ?? endpoint]));
    /** @param {string} method @param {string} path @param {any} body @param {any} [more] */
    const asking = (method, path, body, more) =>
        Promise.resolve().then(() => {
            if (method === "PUT" && !state.fault && more?.ifMatch !== tag()) throw new Problem(412, { title: "Another one." }, null);
            return { data: answer(method, path, body), tag: tag() };
        });
    const api = {
        get: (/** @type {string} */ path, /** @type {any} */ more) => asking("GET", path, more),
        put: (/** @type {string} */ path, /** @type {any} */ body, /** @type {any} */ more) => asking("PUT", path, body, more),
    };
    return { api: /** @type {any} */ (api), asked, state };
}

/** @param {any} [chain] @param {any} [more] */
async function screen(chain = {}, more = {}) {
    const { make } = openPage();
    const from = service({ steps: [step()], people: [ana, kenji], last: null, ...chain });
    const t = await loadWords("en");
    /** @type {string[]} */
    const toasts = [];
    /** @type {any[]} */
    const sheets = [];
    /** @type {string[]} */
    const visited = [];
    /** @type {Record<string, any>} */
    const kept = more.kept ?? {};
    if (more.fault) from.state.fault = more.fault;
    if (more.ways) from.state.ways = more.ways;
    if (more.noWays) from.state.ways = null;
    const store = {
        keep: (/** @type {string} */ key, /** @type {any} */ value) => kept[key] = structuredClone(value),
        kept: (/** @type {string} */ key) => Promise.resolve(kept[key]),
        devices: signal([]),
        account: signal({ name: "Mika" }),
        settings: signal({}),
        alertNews: signal(0),
        callNews: signal(0),
        connection: signal({ state: "live" }),
        deviceOf: () => ({ id: "koi", name: "Koi pond", role: more.role ?? "owner" }),
    };
    const context = /** @type {any} */ ({
        t,
        store,
        api: from.api,
        format: createFormat("en", "UTC", t),
        title() {},
        navigate: (/** @type {string} */ path) => visited.push(path),
        toast: (/** @type {any} */ { text }) => toasts.push(text),
        explain: (/** @type {any} */ error) => error.message,
        sheet: (/** @type {any} */ model) => {
            sheets.push(model);
            return { close: () => model.onClose?.() };
        },
    });
    const root = make("main");
    const mounted = mount(root, context, { device: "koi" });
    await settled();
    const named = (/** @type {any} */ within, /** @type {RegExp} */ name) => within.querySelectorAll("button").find((/** @type {any} */ button) => name.test(button.told + (button.getAttribute("aria-label") ?? "")));
    return {
        root,
        from,
        t,
        toasts,
        sheets,
        visited,
        kept,
        store,
        rows: () => root.having("class", "chain-step").map((/** @type {any} */ row) => row.told),
        press: (/** @type {RegExp} */ name) => named(root, name).click(),
        /** The parts of the sheet that was opened last. */
        sheet: () => {
            const element = make("div");
            element.append(...sheets.at(-1).body.filter((/** @type {any} */ part) => part !== null));
            return element;
        },
        named,
        sent: () => from.asked.findLast(([method]) => method === "PUT")?.[2],
        end: () => mounted.unmount(),
    };
}

Deno.test("the person comes first with what is told at once, then each step at its time", async () => {
    const { rows, root, end } = await screen({ steps: [step(), step({ after: 30, person: null, endpoint: 7, agreed: null }), step({ after: 60, person: kenji, outlook: "gone" })] });
    same(rows().map((/** @type {string} */ row) => row.replace(/\|+$/, "").replace(/\|+/g, "|")), [
        "at once|M|You|Chrome",
        "10 min|A|Ana|also in quiet hours",
        "30 min|Telegram (Koi club)|only then, not at once",
        "1 h|K|Kenji|no longer shares this device",
    ]);
    same(root.having("class", "chain-step").map((/** @type {any} */ row) => row.hasAttribute("data-broken")), [false, false, false, true]);
    equal(root.having("class", "row-mark").filter((/** @type {any} */ mark) => !mark.hidden).length, 1);
    end();
});

Deno.test("where each way is a step all are told at once as well, which is no fault", async () => {
    const { rows, root, press, sheets, t, end } = await screen({ steps: ways.map(({ id }) => step({ person: null, endpoint: id, agreed: null })) });
    match(rows()[0], /^at once.*Chrome, Telegram: at once, since nothing else can be told/);
    match(rows()[1], /at once as well/);
    press(/Telegram \(Koi club\)/);
    equal(sheets.at(-1).lead, t("chain.way_all"));
    equal(root.having("class", "row-mark").filter((/** @type {any} */ mark) => !mark.hidden).length, 0);
    end();
});

Deno.test("while the ways are not known nothing is said of them", async () => {
    const { rows, root, end, t } = await screen({}, { noWays: true });
    doesNotMatch(rows()[0], new RegExp(t("chain.you_none")));
    equal(root.having("class", "row-mark").filter((/** @type {any} */ mark) => !mark.hidden).length, 0);
    end();
});

Deno.test("whoever has nothing that is told at once reads that, and is led to where that is changed", async () => {
    const { rows, press, visited, end, t } = await screen({}, { ways: ways.map((way, index) => ({ ...way, state: index === 0 ? "paused" : "gone" })) });
    match(rows()[0], new RegExp(t("chain.you_none")));
    press(/^at once/);
    same(visited, ["/settings/notifications"]);
    end();
});

Deno.test("a person is added ten minutes later, asked when, and stays at what is chosen", async () => {
    const { press, sheet, named, rows, sent, sheets, from, end, t } = await screen();
    press(/Add a step/);
    const adding = sheet();
    match(adding.told, /People who share Koi pond.*Kenji\|is asked first/);
    doesNotMatch(adding.told, /Ana/);
    ok(adding.told.includes(t("chain.ways_note")));
    named(adding, /Chrome|This device/).click();
    same([sheets.at(-1).lead, sheets.at(-1).body.length > 0], [t("chain.ways_note"), true], "Telegram is told at once");
    named(sheet(), /Remove/).click();
    named(adding, /Kenji/).click();
    await rested();
    same([rows().length, sent()], [2, undefined], "not before its minutes are chosen");
    equal(sheets.at(-1).title, "Kenji");
    named(sheet(), /^5 min/).click();
    await soon();
    same(rows().length, 3, "at once");
    await settled();
    same(sent(), { steps: [{ after: 5, person: "43" }, { after: 10, person: "42" }] });
    match(rows()[1], /5 min.*Kenji.*not in their quiet hours/);
    const { length } = from.asked;
    sheets.at(-1).onClose();
    await settled();
    equal(from.asked.length, length, "and joins once");
    end();
});

Deno.test("a new step joins as it is when its sheet is closed, and not where it is removed first", async () => {
    const { press, sheet, sheets, named, sent, end } = await screen();
    press(/Add a step/);
    named(sheet(), /Kenji/).click();
    named(sheet(), /Remove from the chain/).click();
    await rested();
    equal(sent(), undefined);
    press(/Add a step/);
    named(sheet(), /Kenji/).click();
    sheets.at(-1).onClose();
    await settled();
    same(sent(), { steps: [{ after: 10, person: "42" }, { after: 20, person: "43" }] });
    end();
});

Deno.test("stepped minutes are saved once they rest, typed ones once the field or the sheet is left, none beyond their bounds", async () => {
    const { press, sheet, named, sent, sheets, from, end, t } = await screen();
    press(/Ana/);
    const body = sheet();
    const [input] = body.querySelectorAll("input");
    const type = (/** @type {string} */ text) => {
        input.value = text;
        input.dispatchEvent(new Event("input"));
    };
    named(body, /Five minutes later/).click();
    named(body, /Five minutes later/).click();
    equal(input.value, "20");
    equal(sent(), undefined);
    await rested();
    same(sent(), { steps: [{ after: 20, person: "42" }] });
    type("500");
    ok(body.told.includes(t("chain.bounds", { least: 1, most: 240 })));
    equal(input.getAttribute("aria-invalid"), "true");
    input.dispatchEvent(new Event("change"));
    await rested();
    equal(input.value, "20", "what is none is not kept");
    type("4");
    await rested();
    same(sent(), { steps: [{ after: 20, person: "42" }] }, "half typed");
    type("40");
    input.dispatchEvent(new Event("change"));
    await rested();
    same(sent(), { steps: [{ after: 40, person: "42" }] });
    type("50");
    type("500");
    sheets.at(-1).onClose();
    await settled();
    same(sent(), { steps: [{ after: 40, person: "42" }] }, "on the way to what is none");
    type("45");
    doesNotMatch(body.told, /From 1 to 240/);
    sheets.at(-1).onClose();
    await settled();
    same(sent(), { steps: [{ after: 45, person: "42" }] });
    const { length } = from.asked;
    sheets.at(-1).onClose();
    await rested();
    equal(from.asked.length, length, "what is saved is not sent again");
    end();
});

Deno.test("a step is removed; without any the chain is empty", async () => {
    const { press, sheet, named, sent, rows, end } = await screen();
    press(/Ana/);
    named(sheet(), /Remove from the chain/).click();
    await soon();
    equal(rows().length, 1);
    await settled();
    same(sent(), { steps: [] });
    end();
});

Deno.test("what is refused is told, and the chain that holds is shown again", async () => {
    const { press, sheet, named, rows, from, toasts, end } = await screen();
    from.state.fault = new Problem(422, { title: "Not so." }, null);
    press(/Ana/);
    named(sheet(), /^30 min/).click();
    await soon();
    match(rows()[1], /^30 min/);
    await settled();
    match(rows()[1], /^10 min/);
    same(toasts, ["Not so."]);
    end();
});

Deno.test("a chain that was changed elsewhere meanwhile is shown instead of being overwritten, and can be changed then", async () => {
    const { press, sheet, named, rows, from, sent, toasts, t, end } = await screen();
    from.state.chain = { ...from.state.chain, steps: [step({ after: 20, person: kenji })] };
    press(/Ana/);
    named(sheet(), /^30 min/).click();
    await settled();
    same([toasts, sent()], [[t("common.changedElsewhere")], undefined]);
    match(rows()[1], /^20 min.*Kenji/);
    press(/Kenji/);
    named(sheet(), /^30 min/).click();
    await settled();
    same(sent(), { steps: [{ after: 30, person: "43" }] });
    press(/Kenji/);
    named(sheet(), /^1 h/).click();
    await settled();
    same(sent(), { steps: [{ after: 60, person: "43" }] }, "one change upon another");
    end();
});

Deno.test("where nobody else shares the device an owner is led to inviting, and a watcher reads who can", async () => {
    for (const role of ["owner", "watcher"]) {
        const { press, sheet, named, visited, end, t } = await screen({ steps: [], people: [] }, { role });
        press(/Add a step/);
        const body = sheet();
        equal(body.told.includes(t("chain.alone_watcher")), role === "watcher");
        const invite = named(body, /Invite somebody/);
        equal(invite !== undefined, role === "owner");
        invite?.click();
        same(visited, role === "owner" ? ["/devices/koi"] : []);
        end();
    }
});

Deno.test("a chain of eight steps takes no other", async () => {
    const steps = Array.from({ length: 8 }, (_, index) => step({ after: 10 + index, person: { id: String(index), name: `Person ${index}` } }));
    const { root, named, end, t } = await screen({ steps });
    equal(named(root, /Add a step/).parentElement.parentElement.hidden, true);
    equal(root.querySelectorAll("p").find((/** @type {any} */ one) => one.told === t("chain.full", { count: 8 })).hidden, false);
    end();
});

Deno.test("a rehearsal asks for the next night, and says who would not be told and why", async () => {
    const { press, sheet, from, sheets, end } = await screen({ steps: [step(), step({ after: 20, person: kenji, agreed: "no", outlook: "notAgreed" })] });
    press(/Rehearse without ringing/);
    match(sheet().told, /Loading/);
    await settled();
    const [method, path, { query }] = from.asked.at(-1);
    same([method, path], ["GET", "/devices/koi/chain/rehearsal"]);
    match(query.at, /T03:00:00\.000Z$/);
    ok(Date.parse(query.at) > Date.now());
    equal(sheets.at(-1).title, "Tonight at 03:00");
    const body = sheet();
    match(body.told, /You\|Chrome, Telegram.*Ana\|told.*Kenji\|not told: has not agreed/);
    same(body.shapes.slice(0, 3), ["fine", "fine", "snoozed"]);
    equal(from.asked.some(([method]) => method === "PUT"), false);
    end();
});

Deno.test("a rehearsal in quiet hours says until when all waits but what is critical, also where the ways come late", async () => {
    const { press, sheet, from, end, t } = await screen({}, { noWays: true });
    const night = new Date();
    night.setUTCDate(night.getUTCDate() + (night.getUTCHours() >= 3 ? 1 : 0));
    from.state.waitsUntil = `${night.toISOString().slice(0, 10)}T07:00:00Z`;
    from.state.ways = ways;
    press(/Rehearse without ringing/);
    await settled();
    const { told } = sheet();
    match(told, /Waits until 07:00, and calls nobody before\.\|+A critical value goes at once:\|.*You\|Chrome, Telegram/);
    equal(sheet().querySelectorAll("p").find((/** @type {any} */ one) => one.told === t("common.loading")).hidden, true);
    end();
});

Deno.test("what was changed elsewhere is read again", async () => {
    const { from, store, rows, end } = await screen();
    from.state.chain = { ...from.state.chain, steps: [] };
    store.callNews.value += 1;
    await settled();
    equal(rows().length, 1);
    end();
});

Deno.test("without a connection the chain that was seen is shown with its age, or that it cannot be read", async () => {
    const { kept, end } = await screen();
    end();
    const again = await screen({}, { kept, fault: new NoAnswer(true) });
    match(again.root.told, /As seen .*Ana/);
    again.end();
    const never = await screen({}, { fault: new NoAnswer(true) });
    equal(never.root.querySelector(".problem").told.length > 0, true);
    equal(never.root.querySelector(".chain").parentElement.hidden, true);
    never.end();
});
