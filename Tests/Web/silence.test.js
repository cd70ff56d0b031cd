/** A device of which nothing is heard, as an alert: what belongs together, whether it goes on, and what the screens say of it. */

import { deepStrictEqual as same, doesNotMatch, match, strictEqual as equal } from "node:assert/strict";
import { episodeKey, episodesOf } from "../../Services/Gateway/Web/water/alerts.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { wordsOf } from "../../Services/Gateway/Web/lang/index.js";
import { mount as mountAlert } from "../../Services/Gateway/Web/screens/alert/alert.js";
import { silence as kind } from "../../Services/Gateway/Web/kinds/silence.js";
import { mount as mountAlerts } from "../../Services/Gateway/Web/screens/alerts/alerts.js";
import { openPage } from "./page.js";
import { createStore } from "./store.js";
import { isOpen, kindOf } from "../../Services/Gateway/Web/kinds/index.js";
import { en, es, ja } from "./languages.js";

/** @param {import("../../Services/Gateway/Web/water/alerts.js").Alert} alert */
const shapeOf = (alert) => kindOf(alert).shape(alert);

/**
 * @param {import("../../Services/Gateway/Web/words/format.js").Voice} voice
 * @param {import("../../Services/Gateway/Web/water/alerts.js").Episode} episode
 * @param {number} now
 */
const silenceTold = (voice, episode, now) => kind.told(voice, episode, { now, isNow: episode.until === null });

/** @typedef {import("../../Services/Gateway/Web/water/alerts.js").Alert} Alert */

const catalogues = { en, ja, es };
const since = "2026-05-01T12:00:00Z";
const now = Date.parse("2026-05-01T13:00:00Z");
const minute = 60_000;

/**
 * @param {string} id
 * @param {Alert['purpose']} purpose
 * @param {string} time
 * @param {Partial<Alert>} [more]
 * @returns {Alert & {reasons: any[], deliveries: any[]}}
 */
function silence(id, purpose, time, more = {}) {
    return {
        id,
        kind: "silence",
        purpose,
        state: "delivered",
        title: `${purpose} ${id}`,
        text: `The message ${id}.`,
        decidedAt: `2026-05-01T${time}Z`,
        eventTime: `2026-05-01T${time}Z`,
        since,
        acceptedAt: null,
        device: { id: "pond", name: "Koi pond" },
        parameter: null,
        side: null,
        unit: null,
        value: null,
        worst: null,
        limit: null,
        checkProbe: false,
        deliveries: [],
        ...more,
        reasons: more.reasons ?? [],
    };
}

const range = {
    ...silence("r", "alarm", "12:00:01", { parameter: "ph", side: "low", unit: "pH", value: 6, worst: 5.5, limit: 7 }),
    kind: /** @type {const} */ ("range"),
};

/**
 * @param {number | null} heard After the beginning of the silence.
 * @param {object} [more] What else is known of its gauge.
 * @returns {any}
 */
function tank(heard, more) {
    const time = heard === null ? null : Date.parse(since) + heard;
    const gauge = { name: "ph", unit: "pH", value: time && 6, time, side: null, since: null, range: {}, ...more };
    return { id: "pond", name: "Koi pond", online: true, silentSince: null, gauges: [gauge] };
}

Deno.test("a silence is a stretch of its own, beside a range alert of the same moment", () => {
    const all = [silence("3", "recovery", "13:00:00"), silence("2", "reminder", "12:30:00"), range, silence("1", "alarm", "12:05:00")];
    same(episodesOf(all).map(({ first, alerts }) => [first.id, alerts.length]), [["1", 3], ["r", 1]]);
    equal(episodeKey(all[0]), episodeKey(all[3]));
    equal(episodesOf(all)[0].until, Date.parse("2026-05-01T13:00:00Z"));
});

Deno.test("it goes on until the device is heard again", () => {
    const [episode] = episodesOf([silence("1", "alarm", "12:05:00")]);
    equal(isOpen(episode, [tank(0)]), true);
    equal(isOpen(episode, [tank(5 * minute)]), true, "a device's clock may be ahead");
    equal(isOpen(episode, [tank(5 * minute + 1)]), false);
    equal(isOpen(episode, [tank(null)]), false, "linked anew, nothing heard yet");
    equal(isOpen(episode, []), false, "removed");
    equal(isOpen({ ...episode, until: now }, [tank(0)]), false);
});

Deno.test("a parameter's silence is not the device's, and goes on until the parameter comes", () => {
    const [episode] = episodesOf([silence("1", "alarm", "12:05:00", { parameter: "ph", checkProbe: true })]);
    const others = { ...tank(0).gauges[0], name: "temperature", time: now };
    const beside = (/** @type {number | null} */ heard) => {
        const known = tank(heard);
        return { ...known, gauges: [...known.gauges, others] };
    };
    equal(isOpen(episode, [beside(0)]), true);
    equal(isOpen(episode, [beside(6 * minute)]), false);
    equal(isOpen(episode, [beside(null)]), false);
    const keys = [range, silence("1", "alarm", "12:05:00", { parameter: "ph" }), silence("2", "alarm", "12:05:00")].map(episodeKey);
    equal(new Set(keys).size, 3, "the same moment, three stretches");
});

Deno.test("what was kept without a kind is as it was", () => {
    const { kind: _kind, ...old } = range;
    const [episode] = episodesOf([old]);
    equal(isOpen(episode, [tank(0, { side: "low", since: Date.parse(since) })]), true);
    equal(isOpen(episode, [tank(0)]), false);
    equal(shapeOf(old), "low");
});

Deno.test("the reasons tell the end where nobody was told of it", () => {
    const recovered = { reason: "recovered", eventTime: "2026-05-01T12:40:00Z", decidedAt: "", notification: "none", value: null };
    const [episode] = episodesOf([silence("1", "alarm", "12:05:00", { reasons: [recovered] })]);
    equal(episode.until, Date.parse("2026-05-01T12:40:00Z"));
});

Deno.test("what fell silent with others says so, and of whose", () => {
    const t = wordsOf("en", en);
    const voice = { t, format: createFormat("en", "UTC", t) };
    const facts = (/** @type {any} */ outage) => {
        const [episode] = episodesOf([silence("1", "alarm", "12:05:00", { outage })]);
        return silenceTold(voice, episode, now).facts.map(([name, value]) => `${name}: ${value}`).join("; ");
    };
    match(facts({ project: "Koi farm", devices: 12, missing: 0 }), /At once: with others of 12 devices of Koi farm/);
    match(facts({ project: null, devices: 3, missing: 0 }), /At once: with others of 3 devices$/);
    doesNotMatch(facts(null), /At once/);
});

Deno.test("the shape is that of silence, or the side", () => {
    same([shapeOf(silence("1", "alarm", "12:05:00")), shapeOf(range), shapeOf({ ...range, side: null })], ["silent", "low", "live"]);
});

for (const [language, catalogue] of Object.entries(catalogues)) {
    Deno.test(`${language} tells when it was heard, and what to check`, () => {
        const t = wordsOf(language, catalogue);
        const context = { t, format: createFormat(language, "UTC", t) };
        const alarm = silence("1", "alarm", "12:05:00", { checkProbe: true });
        const cutOff = silence("2", "reminder", "12:30:00");
        const recovery = silence("3", "recovery", "13:00:00");
        const told = (/** @type {Alert[]} */ ...alerts) => silenceTold(context, episodesOf(alerts)[0], now);
        equal(told(alarm).action, t("alerts.silence_connectedAction"));
        equal(told(cutOff, alarm).action, t("alerts.silence_cutOffAction"));
        equal(told(recovery, alarm).detail, `Koi pond · ${t("alerts.silence_connected")}`);
        same(told(recovery), { ...told(recovery), detail: "Koi pond", action: "" });
        same(told(recovery, alarm).facts.map(([, time]) => time), ["12:00", "12:05", "13:00"]);
        const probe = silence("4", "alarm", "12:05:00", { parameter: "ph", checkProbe: true });
        equal(told(probe).action, t("water.ph_probe"));
        equal(told(probe).name, t("water.ph_silent"));
        equal(told(probe).detail, `Koi pond · ${t("alerts.silence_others")}`);
        same(told(cutOff).facts.map(([, time]) => time), ["12:00"]);
    });
}

// MARK: The screens

/**
 * Mounts a screen, and gives what it shows once everything is read.
 * @param {(root: any, context: any, params: any) => {unmount: () => void}} mount
 * @param {object} parts
 * @param {Alert[]} parts.alerts
 * @param {number} [parts.heard] After the beginning of the silence.
 * @param {object} [parts.gauge] What else is known of the device's gauge.
 * @param {Record<string, any>} [parts.kept] What was kept for when there is no connection, which is then.
 * @param {import("../../Services/Gateway/Web/water/snoozes.js").Snooze[]} [parts.snoozes]
 */
async function shown(mount, { alerts, heard = 0, gauge, kept, snoozes = [] }) {
    /** @type {any[]} */
    const asked = [];
    /** @type {string[]} */
    const went = [];
    const { make } = openPage();
    const t = wordsOf("en", en);
    const api = {
        get: (/** @type {string} */ path, /** @type {any} */ options) => {
            asked.push(path, options?.query?.parameter);
            if (kept) return Promise.reject(new Error("no connection"));
            const one = alerts.find(({ id }) => path === `/alerts/${id}`);
            return Promise.resolve({ data: one ?? { items: alerts, next: null } });
        },
    };
    const store = createStore({
        api,
        tanks: [tank(heard, gauge)],
        snoozes,
        kept,
        more: {
            deviceOf: (/** @type {string} */ id) => id === "pond" ? {} : null,
            choose: (/** @type {string} */ id) => went.push(id),
        },
    });
    const root = make("main");
    const screen = mount(root, {
        t,
        api,
        store,
        format: createFormat("en", "UTC", t),
        title() {},
        explain: () => "",
        navigate: (/** @type {string} */ path) => went.push(path),
        preferences: { has: () => true },
    }, { alert: alerts[0].id });
    await new Promise((end) => setTimeout(end));
    screen.unmount();
    doesNotMatch(root.told, /undefined|null|NaN|[{}]/);
    return { root, asked, went };
}

Deno.test("the list shows what goes on without red, and what is over", async () => {
    const alerts = [silence("1", "alarm", "12:05:00", { checkProbe: true })];
    const { root } = await shown(mountAlerts, { alerts });
    match(root.told, /1 alert open.*Now.*No readings\|Koi pond · connected.*since/);
    same([root.shapes, root.having("class", "alerts-open").length], [["silent"], 0]);
    equal(root.having("href", "/alerts/1").length, 1);
    const over = await shown(mountAlerts, { alerts: [silence("2", "recovery", "13:00:00"), ...alerts], heard: 60 * minute });
    match(over.root.told, /All quiet.*No readings\|Koi pond · connected\|.*12:00–13:00 · 1 h/);
    same(over.root.shapes, ["fine"]);
});

Deno.test("the list shows water out of range in red, beside the silence of the same device", async () => {
    const gauge = { side: "low", since: Date.parse(since) };
    const { root } = await shown(mountAlerts, { alerts: [silence("1", "alarm", "12:05:00"), range], gauge });
    match(root.told, /2 alerts open.*No readings\|Koi pond · not connected.*pH is low\|Koi pond · 6.0, your minimum 7.0/);
    same([root.shapes, root.having("class", "alerts-open").length], [["silent", "low"], 1]);
});

Deno.test("an alert of silence tells what happened, what to check and what was sent", async () => {
    const opened = { reason: "opened", eventTime: since, decidedAt: "", notification: "alerted", value: null };
    const alerts = [
        silence("1", "alarm", "12:05:00", { reasons: [opened] }),
        silence("2", "reminder", "12:35:00", { reasons: [opened] }),
        range,
    ];
    const { root, asked, went } = await shown(mountAlert, { alerts });
    match(root.told, /No readings\|Koi pond · since .*Check its power, then the Wi-Fi near it\./);
    match(root.told, /Last heard\|.*12:00\|Noticed\|.*12:05\|I'm on it\|Snooze 30 min\|Longer\|See its water\|Device/);
    match(root.told, /The message 1\..*The message 2\..*Why\|12:00\|Nothing was heard after that/);
    doesNotMatch(root.told, /The message r|limits/);
    same(root.shapes, ["silent", "silent", "silent"]);
    equal(root.having("class", "alert-air")[0].getAttribute("data-alarm"), null);
    equal(asked.some((path) => String(path).endsWith("/series")), false);
    equal(root.having("href", "/devices/pond").length, 1);
    root.having("class", "button").find((/** @type {any} */ button) => button.told.includes("See its water"))?.click();
    same(went, ["pond", "/"]);
});

Deno.test("an open alert that is snoozed says until when, or that the person knows of it", async () => {
    const alerts = [silence("1", "alarm", "12:05:00")];
    /** @type {import("../../Services/Gateway/Web/water/snoozes.js").Snooze} */
    const snooze = { device: "pond", kind: "silence", parameter: null, side: null, until: "2999-01-01T06:18:00Z", acknowledged: false };
    const { root } = await shown(mountAlert, { alerts, snoozes: [snooze] });
    match(root.told, /Snoozed until .*06:18\.\|Cancel snooze\|See its water/);
    doesNotMatch(root.told, /Snooze 30 min/);
    const known = await shown(mountAlert, { alerts, snoozes: [{ ...snooze, acknowledged: true }] });
    match(known.root.told, /You know of it: no reminder until it is over\.\|Cancel snooze/);
    for (const other of [{ ...snooze, parameter: "ph" }, { ...snooze, until: since }]) {
        match((await shown(mountAlert, { alerts, snoozes: [other] })).root.told, /Snooze 30 min/);
    }
});

Deno.test("an alert of a silent probe names it, and leads to its graph", async () => {
    const more = { parameter: "ph", checkProbe: true };
    const alerts = [silence("1", "alarm", "12:05:00", more), silence("2", "alarm", "12:05:00"), range];
    const { root, asked } = await shown(mountAlert, { alerts });
    match(root.told, /pH is silent\|Koi pond · since .*Check the pH probe/);
    doesNotMatch(root.told, /The message [2r]|limits|Wi-Fi/);
    equal(asked.some((path) => String(path).endsWith("/series")), false);
    equal(root.having("href", "/p/pond/ph").length, 1);
    const list = await shown(mountAlerts, { alerts });
    match(list.root.told, /pH is silent\|Koi pond · other readings arrive/);
});

Deno.test("a probe that another one answers for is to be chosen, not checked", async () => {
    const alerts = [silence("1", "alarm", "12:05:00", { parameter: "temperature", anotherProbe: true })];
    const list = await shown(mountAlerts, { alerts });
    match(list.root.told, /no readings\|Koi pond · another probe answers/);
    for (const language of Object.keys(catalogues)) {
        const t = wordsOf(language, catalogues[/** @type {keyof typeof catalogues} */ (language)]);
        const told = silenceTold({ t, format: createFormat(language, "UTC", t) }, episodesOf(alerts)[0], now);
        match(told.action, /choose the new one|新しいプローブ|elige la nueva/);
    }
});

Deno.test("a silence that is over tells when the device was heard again", async () => {
    const alerts = [silence("2", "recovery", "13:00:00"), silence("1", "alarm", "12:05:00")];
    const { root } = await shown(mountAlert, { alerts, heard: 60 * minute });
    match(root.told, /Koi pond · .*12:00–.*13:00 · 1 h\|.*Heard again\|.*13:00/);
    doesNotMatch(root.told, /Check its power/);
    same(root.shapes, ["fine", "silent", "fine"]);
});

Deno.test("what was kept without a kind is still shown", async () => {
    const { kind: _kind, ...old } = range;
    const list = await shown(mountAlerts, { alerts: [old], kept: { alerts: { items: [old], seenAt: now } } });
    match(list.root.told, /pH low\|Koi pond · 5.5, your minimum 7.0/);
    const one = await shown(mountAlert, { alerts: [old], kept: { "alert r": { shown: old, told: [old], drawn: null } } });
    match(one.root.told, /pH low\|Koi pond · .*Your minimum\|7.0\|Worst\|5.5\|/);
});
