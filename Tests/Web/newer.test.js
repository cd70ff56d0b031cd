/** An app that is older than its service: parameters, codes and roles that it does not know are told as they are, and fail no screen. */

import { deepStrictEqual as same, doesNotMatch, equal, match } from "node:assert/strict";
import { createStore as createWholeStore } from "../../Services/Gateway/Web/app/store.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { mount as mountAccount } from "../../Services/Gateway/Web/screens/account/account.js";
import { openSession } from "../../Services/Gateway/Web/screens/account/events.js";
import { mount as mountAlert } from "../../Services/Gateway/Web/screens/alert/alert.js";
import { mount as mountAlerts } from "../../Services/Gateway/Web/screens/alerts/alerts.js";
import { createProbes } from "../../Services/Gateway/Web/screens/device/probes.js";
import { mount as mountDevices } from "../../Services/Gateway/Web/screens/devices/devices.js";
import { mount as mountDetails } from "../../Services/Gateway/Web/screens/home/details/details.js";
import { cardModel } from "../../Services/Gateway/Web/screens/home/models.js";
import { mount as mountParameter } from "../../Services/Gateway/Web/screens/parameter/parameter.js";
import { mount as mountSettings } from "../../Services/Gateway/Web/screens/settings/settings.js";
import { tankOf } from "../../Services/Gateway/Web/water/tanks.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { languages } from "./languages.js";
import { openPage } from "./page.js";
import { alarmOf, createStore } from "./store.js";

const now = Date.now();
const since = new Date(now - 600_000).toISOString();
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/** @param {string} name @returns {any} */
const parameterOf = (name) => ({
    name,
    unit: "ppm",
    units: ["ppm"],
    minimum: 1,
    maximum: 2,
    least: 0,
    greatest: 5,
    decimals: 1,
    scale: { unit: "ppm", decimals: 1, factor: 1, offset: 0, table: null },
    hasMinimum: true,
    colour: "#5882B8",
    position: 1,
    version: 1,
});
/** @param {any} [more] @returns {any} */
const deviceOf = (more) => ({ id: "koi", name: "Koi", role: "owner", online: true, silentSince: null, lastReadingAt: since, ...more });

/**
 * @param {string} language
 * @param {object} [parts]
 * @param {any[]} [parts.devices]
 * @param {any[]} [parts.parameters] Of each.
 * @param {Record<string, any>} [parts.answers] By their paths.
 */
async function world(language, { devices = [deviceOf()], parameters = [parameterOf("lithium"), parameterOf("ph")], answers = {} } = {}) {
    const { make } = openPage();
    const t = await loadWords(language);
    const latest = new Map(parameters.map(({ name }) => [name, { value: 0.5, time: since, side: /** @type {const} */ ("low"), since }]));
    const tanks = devices.map((device) => tankOf(device, parameters, latest));
    const api = {
        get: (/** @type {string} */ path) => Promise.resolve({ data: answers[path] ?? (path === "/calls" ? [] : { items: [], steps: [], results: [] }), tag: null }),
        all: () => Promise.resolve([]),
    };
    const known = signal(/** @type {any[] | undefined} */ (devices));
    const of = (/** @type {string} */ id, /** @type {string} */ name) => known.value?.some((one) => one.id === id) && parameters.find((one) => one.name === name);
    const store = createStore({
        api,
        tanks,
        more: {
            account: signal(null),
            settings: signal(null),
            devices: known,
            parameters: signal(new Map(devices.map(({ id }) => [id, { items: parameters, tag: null }]))),
            latest: signal(new Map(devices.map(({ id }) => [id, latest]))),
            current: signal(tanks[0]),
            deviceOf: (/** @type {string} */ id) => known.value?.find((one) => one.id === id) ?? null,
            parameterOf: (/** @type {string} */ id, /** @type {string} */ name) => of(id, name) || null,
            hasParameter: (/** @type {string} */ id, /** @type {string} */ name) => known.value && Boolean(of(id, name)),
        },
    });
    /** @type {any[]} */
    const sheets = [];
    const titles = [""];
    /** @type {any} */
    const context = {
        t,
        api,
        store,
        format: createFormat(language, "UTC", t),
        title: (/** @type {string} */ title) => titles.push(title),
        explain: (/** @type {unknown} */ error) => {
            throw error;
        },
        sheet: (/** @type {any} */ model) => (sheets.push(model), { close() {} }),
        navigate() {},
        preferences: { has: () => true, seenEvent: 0 },
    };
    return { t, context, store, root: make("main"), make, sheets, title: () => titles.at(-1) };
}

/** @param {any} root */
const isPlain = (root) => doesNotMatch(root.told, /undefined|null|NaN|[{}]/);

for (const language of Object.keys(languages)) {
    Deno.test(`${language}: a parameter of a newer service is listed in the settings and on a card, by its bare name`, async () => {
        Object.assign(globalThis, { location: { hash: "" } });
        const { context, root, store } = await world(language);
        const settings = mountSettings(root, context);
        await settled();
        settings.unmount();
        equal(root.having("href", "/settings/koi/lithium")[0].told.includes("lithium"), true);
        isPlain(root);
        const [tank] = store.tanks.value;
        const card = cardModel(context, tank, tank.gauges[0], { now, isCutOff: false, seenAt: now, series: null, isCurrent: false, place: 1, count: 2 });
        equal(card.name, "lithium");
        match(card.label, /lithium/);
    });

    Deno.test(`${language}: an alert without words of its own is told in the service's, in the list and by itself, and is no test`, async () => {
        for (const more of [{ parameter: "lithium" }, { parameter: null }, { side: null }, { purpose: "handover" }]) {
            const alert = alarmOf("1", "koi", since, { title: "Lithium runs out", text: "0.5 ppm.", state: "queued", ...more });
            for (const mount of [mountAlerts, mountAlert]) {
                const { context, root, t } = await world(language, { answers: { "/alerts": { items: [alert], next: null }, "/alerts/1": alert } });
                const screen = mount(root, context, { alert: "1" });
                await settled();
                screen.unmount();
                match(root.told, /Lithium runs out/);
                equal(root.told.split("|").includes(t("alerts.test")), false);
                isPlain(root);
            }
        }
    });

    Deno.test(`${language}: an alert of no device is a test only where a person asked for it`, async () => {
        for (const [purpose, isTest] of [["alarm", false], ["test", true]]) {
            const alert = alarmOf("1", "koi", since, { title: "Too many devices", text: "One has no place.", purpose, device: null });
            const { context, root, t } = await world(language, { answers: { "/alerts/1": alert } });
            const screen = mountAlert(root, context, { alert: "1" });
            await settled();
            screen.unmount();
            equal(root.querySelector("h1").told.includes(isTest ? t("alerts.test") : "Too many devices"), true);
            equal(root.having("class", "alert-action")[0].told, isTest ? "" : "One has no place.");
        }
    });

    Deno.test(`${language}: codes without words are told as they are`, async () => {
        const delivery = { endpoint: 1, host: "ntfy.example", state: "bounced", endedAt: null, nextAttemptAt: null, attempts: [] };
        const sent = alarmOf("1", "koi", since, { purpose: "handover", deliveries: [delivery] });
        const waiting = alarmOf("1", "koi", since, { state: "queued" });
        const test = alarmOf("1", "koi", since, { state: "queued", purpose: "test", device: null, parameter: null, side: null });
        for (const [alert, texts] of /** @type {[any, string[]][]} */ ([[sent, ["handover", "ntfy.example: bounced"]], [waiting, ["queued"]], [test, ["queued"]]])) {
            const { context, root } = await world(language, { answers: { "/alerts/1": alert, "/alerts": { items: [alert], next: null } } });
            const screen = mountAlert(root, context, { alert: "1" });
            await settled();
            screen.unmount();
            same(texts.filter((text) => !root.told.split("|").includes(text)), []);
        }
        const listed = await world(language, { answers: { "/alerts": { items: [test], next: null } } });
        const list = mountAlerts(listed.root, listed.context);
        await settled();
        list.unmount();
        match(listed.root.told, /queued · /);
        const answers = {
            "/tokens": [{ id: "1", name: "Home", scope: "alarms", lastFour: "abcd", hasExpired: false }],
            "/sessions": [],
            "/account/events": { items: [] },
            "/sessions/s/made": [{ kind: "widget", name: "Clock" }],
        };
        const { context, root, sheets, make } = await world(language, { answers });
        const account = mountAccount(root, context);
        openSession(context, { session: "s", title: "" }, () => {});
        await settled();
        account.unmount();
        match(root.told, /alarms · …abcd/);
        const sheet = make("div");
        sheet.append(...sheets[0].body);
        match(sheet.told, /Clock\|widget/);
    });

    Deno.test(`${language}: whoever has a role of a newer service watches`, async () => {
        Object.assign(globalThis, { IntersectionObserver: class {
            observe() {}
            unobserve() {}
            disconnect() {}
        } });
        const devices = [deviceOf(), deviceOf({ id: "reef", name: "Reef", role: "caretaker" }), deviceOf({ id: "pond", name: "Pond", role: "watcher" })];
        const { context, root, t } = await world(language, { devices });
        const screen = mountDevices(root, context);
        const [own, shared] = root.having("class", "stack");
        same([own, shared].map((list) => list.having("data-device", "koi").length), [1, 0]);
        same(["reef", "pond"].map((id) => [own, shared].map((list) => list.having("data-device", id).length)), [[0, 1], [0, 1]]);
        equal(shared.told.split(t("devices.watch")).length, 3);
        screen.unmount();
        const probes = createProbes(context, devices[1]);
        probes.remove();
        const told = /** @type {any} */ (probes.element).told;
        equal(told.includes(t("probes.note_watcher")) && told.includes(t("probes.replaced_watcher")), true);
    });

    Deno.test(`${language}: a parameter is known by the list of its device, not by what there are words for`, async () => {
        Object.assign(globalThis, { matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) });
        for (const [name, title] of [["any", null], ["ph_lowAction", null], ["copper", null], ["lithium", "lithium"], ["ph", "pH"]]) {
            for (const [mount, unknown] of /** @type {const} */ ([[mountDetails, "details.unknown"], [mountParameter, "devices.unknown"]])) {
                const made = await world(language);
                const screen = mount(made.root, made.context, { device: "koi", parameter: String(name) });
                same([name, made.title()], [name, title ?? made.t(unknown)]);
                equal(made.root.querySelector("h1").textContent, made.title());
                // One that comes is there at once, and one that goes is gone.
                if (name === "ph") {
                    made.store.devices.value = [];
                    await settled();
                    equal(made.title(), made.t(unknown));
                    made.store.devices.value = [deviceOf()];
                    await settled();
                    equal(made.title(), "pH");
                }
                screen.unmount();
            }
        }
    });
}

Deno.test("the store knows what a device has once the devices are known", () => {
    /** @type {any} */
    const disk = { get: () => Promise.resolve(undefined), set: () => Promise.resolve(undefined), put: () => Promise.resolve(null) };
    const store = createWholeStore({ api: /** @type {any} */ ({}), disk, kinds: signal(null) });
    const found = () => ["ph", "any"].map((name) => store.hasParameter("koi", name));
    same(found(), [undefined, undefined]);
    store.parameters.value = new Map([["koi", { items: [parameterOf("ph")], tag: null }]]);
    store.devices.value = [deviceOf()];
    same(found(), [true, false]);
    same(store.hasParameter("reef", "ph"), false);
});
