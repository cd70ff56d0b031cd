/** What began and ended while alerts were held back is told once it is over: it never goes on, and nobody is asked to answer it. */

import { deepStrictEqual as same, doesNotMatch, match, ok, strictEqual as equal } from "node:assert/strict";
import { isOpen, kindOf, openOf, stepShape } from "../../Services/Gateway/Web/kinds/index.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { createSteps } from "../../Services/Gateway/Web/components/steps/steps.js";
import { mount as mountAlert } from "../../Services/Gateway/Web/screens/alert/alert.js";
import { reasons, sent } from "../../Services/Gateway/Web/screens/alert/told.js";
import { mount as mountAlerts } from "../../Services/Gateway/Web/screens/alerts/alerts.js";
import { createAlertLink } from "../../Services/Gateway/Web/screens/home/details/alert-link.js";
import { marksOf } from "../../Services/Gateway/Web/screens/home/details/graph-model.js";
import { toldOf } from "../../Services/Gateway/Web/screens/home/details/reading.js";
import { episodesOf } from "../../Services/Gateway/Web/water/alerts.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { languages } from "./languages.js";
import { openPage } from "./page.js";
import { alarmOf, createStore } from "./store.js";

const now = Date.now();
const hour = 3_600_000;
const text = (/** @type {number} */ time) => new Date(time).toISOString();
const [began, ended, told] = [6, 4, 1].map((hours) => text(now - hours * hour));
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/** @param {any} [more] */
const past = (more = {}) => alarmOf("1", "koi", began, { purpose: "past", title: "pH was low", text: "It was 6.4 at worst.", eventTime: ended, decidedAt: told, ...more });

/** The water as if it still were, which an answer of before may say. @type {any} */
const tank = {
    ...{ id: "koi", name: "Koi pond", online: true, silentSince: null },
    gauges: [{
        ...{ name: "ph", unit: "pH", colour: "#5882B8", value: 8, time: now, side: "low", since: Date.parse(began) },
        ...{ range: { minimum: 7, maximum: 9, least: 0, greatest: 14, decimals: 1 }, critical: { minimum: null, maximum: null }, snoozed: null },
    }],
};

Deno.test("its episode is over at the time of its end, of every kind, whatever the water is said to be", async () => {
    const t = await loadWords("en");
    for (const kind of ["range", "silence", "fault", "rate", "ahead", "turbidity"]) {
        const alert = past(kind === "range" ? {} : { kind, side: null, ...kind === "silence" ? { parameter: null } : {} });
        const [episode] = episodesOf([alert]);
        same([episode.first.id, episode.since, episode.until], ["1", Date.parse(began), Date.parse(ended)], kind);
        equal(isOpen(episode, [tank], now), false, kind);
        equal(openOf([episode], [{ ...tank, gauges: [] }], [], now).length, 0, kind);
        // Its words are known: it is told as its kind is.
        equal(kindOf(alert, t).name, kind === "turbidity" ? "" : kind);
    }
});

for (const language of Object.keys(languages)) {
    Deno.test(`${language}: in the list, and on its page, it is something that was, with nothing to press`, async () => {
        const t = await loadWords(language);
        const format = createFormat(language, "UTC", t);
        for (const mount of [mountAlerts, mountAlert]) {
            const { make } = openPage();
            const api = {
                get: (/** @type {string} */ path) =>
                    Promise.resolve({ data: path === "/alerts/1" ? past() : path.endsWith("/series") ? { unit: "pH", points: [], step: 60, gap: 900 } : { items: [past()], next: null, steps: [] } }),
            };
            const still = { ...tank, gauges: [{ ...tank.gauges[0], side: null, since: null }] };
            const store = createStore({ api, tanks: [still], more: { deviceOf: () => ({ role: "owner" }) } });
            const root = make("main");
            const mounted = mount(root, /** @type {any} */ ({ t, api, store, format, title() {}, explain: String, preferences: { has: () => true } }), { alert: "1" });
            await settled();
            ok(root.told.includes(t("water.ph_lowShort")), root.told);
            doesNotMatch(root.told, new RegExp(`${t("snooze.shortly")}|${t("answers.onIt")}`));
            same([root.having("class", "alerts-open").length, root.having("class", "on-it").length], [0, 0]);
            ok(root.shapes.includes("fine") && !root.shapes.includes("low"), root.shapes.join());
            mounted.unmount();
        }
    });

    Deno.test(`${language}: that it was told afterwards, and why something waited, has words`, async () => {
        openPage();
        const t = await loadWords(language);
        const voice = { t, format: createFormat(language, "UTC", t) };
        const [, list] = sent(voice, [past()], []);
        ok(/** @type {any} */ (list).told.includes(t("alerts.purpose_past")));
        const reason = (/** @type {string} */ notification) => ({ eventTime: began, decidedAt: began, reason: "opened", notification, value: 6.5 });
        const [, why] = reasons(voice, past({ reasons: [reason("quietHours"), reason("tooMany")] }));
        for (const outcome of ["quietHours", "tooMany"]) ok(/** @type {any} */ (why).told.includes(t(`alerts.notification_${outcome}`)));
    });
}

Deno.test("it has the words of what was", async () => {
    const t = await loadWords("en");
    const voice = { t, format: createFormat("en", "UTC", t) };
    const [episode] = episodesOf([past()]);
    const { name, detail } = kindOf(episode.first, t).told(voice, episode, { now, isNow: false });
    same([name, detail], ["pH low", "koi · 6.4, your minimum 7.0"]);
});

Deno.test("a step at which quiet hours held the message back is marked as what was not to be heard", async () => {
    const step = { time: began, what: "opened", side: /** @type {const} */ ("low"), alert: null, text: "Held back." };
    same(["quietHours", "snoozed", "offShift", "tooMany", "alerted"].map((notification) => stepShape({ ...step, notification })), ["snoozed", "snoozed", "snoozed", "low", "low"]);
    openPage();
    const t = await loadWords("en");
    const steps = createSteps({ t, format: createFormat("en", "UTC", t) }, { steps: [{ ...step, notification: "quietHours" }], complete: true }, now);
    match(/** @type {any} */ (steps).told, /Held back\./);
});

Deno.test("beside the graph it is the latest that was told, and no mark of an alarm that rang at night", async () => {
    openPage();
    const t = await loadWords("en");
    const format = createFormat("en", "UTC", t);
    const link = createAlertLink(/** @type {any} */ ({ t, format }));
    const all = [past(), alarmOf("0", "koi", text(now - 48 * hour))].map(toldOf);
    link.update(all, now);
    const element = /** @type {any} */ (link.element);
    same([element.getAttribute("href"), element.told.startsWith(`Alert ${format.at(Date.parse(told), now)}.`)], ["/alerts/1", true]);
    equal(marksOf(/** @type {any} */ ({ told: all, span: { length: 7 * 24 * hour } })).length, 1);
});
