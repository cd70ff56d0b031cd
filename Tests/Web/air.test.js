/** Whatever is pressed above the line acts on what stands there at that moment. */

import { deepStrictEqual as same, ok } from "node:assert/strict";
import { headlineOf } from "../../Services/Gateway/Web/water/headline.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { createAbove } from "../../Services/Gateway/Web/screens/home/above.js";
import { openPage } from "./page.js";

const now = Date.parse("2026-11-23T10:00:00Z");
const names = ["temperature", "ph", "dissolved_oxygen"];

/** @param {number} seed @returns {() => number} Numbers from 0 to 1, the same for the same seed. */
function random(seed) {
    return () => {
        seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
        return seed / 2 ** 32;
    };
}

/** @param {string} device @param {string} parameter @param {any} side */
const answerOf = (device, parameter, side) => ({
    ...{ device, kind: "range", parameter, side, name: "Ana", isYou: false, solvedAt: null },
    ...{ since: new Date(now - 60_000).toISOString(), until: new Date(now + 3_540_000).toISOString() },
});

/** @param {any} tank @param {number} index @param {any} change @param {any} [answer] In the place of all others. */
const withGauge = (tank, index, change, answer = null) => ({
    ...tank,
    answers: answer ? [answer] : [],
    gauges: tank.gauges.map((/** @type {any} */ gauge, /** @type {number} */ at) => at === index ? { ...gauge, ...change } : gauge),
});

/** @param {string} id */
const fine = (id) => ({
    id,
    name: id,
    online: true,
    silentSince: null,
    unreadable: null,
    gauges: names.map((name) => ({
        name,
        unit: name === "temperature" ? "°C" : name === "ph" ? "pH" : "ppm",
        colour: "#5882B8",
        range: { minimum: 7, maximum: 9, least: 0, greatest: 20, decimals: 1 },
        value: 8,
        time: now - 8000,
        side: null,
        since: null,
        snoozed: null,
        brokenSince: null,
        isFlat: false,
    })),
});

Deno.test("each button above the line asks for what the line says, after whatever stood there before", async () => {
    openPage();
    const t = await loadWords("en");
    /** @type {any[]} */
    const asked = [];
    /** @type {any} */
    let sheet = null;
    /** @type {any} */
    const context = {
        t,
        format: createFormat("en", "UTC", t),
        toast: () => {},
        sheet: (/** @type {any} */ model) => (sheet = model, { close() {} }),
        store: {
            tanks: { value: [] },
            connection: { value: { state: "live", seenAt: now } },
            choose: (/** @type {string} */ id) => asked.push(["choose", id]),
            told: { open: { value: [] } }, account: { value: null },
            answer: (/** @type {any} */ subject, /** @type {any} */ reply) => (asked.push(["answer", subject, reply]), Promise.resolve({ onIt: null })),
            snooze: (/** @type {any} */ subject, /** @type {any} */ length) => (asked.push(["snooze", subject, length]), Promise.resolve(true)),
        },
    };
    for (let seed = 1; seed <= 20; seed += 1) {
        const next = random(seed);
        let isWide = false;
        const above = createAbove(context, { more() {}, again() {}, hasDetails: () => isWide });
        let tanks = ["koi", "reef", "quarantine"].map(fine);
        for (let step = 0; step < 60; step += 1) {
            const chosen = Math.floor(next() * tanks.length);
            const index = Math.floor(next() * names.length);
            const [side, isSnoozed] = [[null, "low", "high"][Math.floor(next() * 3)], next() < 0.3];
            const who = next() < 0.5 ? null : next() < 0.5 ? "you" : "Ana";
            tanks = tanks.map((tank, at) =>
                at === chosen
                    ? withGauge(tank, index, {
                        side,
                        value: side === "low" ? 6 - next() : side === "high" ? 10 + next() : 8,
                        since: side && now - 60_000,
                        snoozed: side && isSnoozed ? { until: now + 600_000, isAcknowledged: false } : null,
                    }, who && { ...answerOf(tank.id, names[index], side), isYou: who === "you" })
                    : tank
            );
            isWide = next() < 0.7;
            context.store.tanks.value = tanks;
            const tank = tanks[chosen];
            const headline = headlineOf(tank, context.store.connection.value, now);
            above.update(tank, headline, { now, trouble: "", seriesOf: () => null, overall: null });
            const gauge = headline.finding?.gauge;
            /** @type {any} */
            const row = above.air.element.querySelector(".air-buttons");
            const where = `seed ${seed}, step ${step}: ${tank.id} ${gauge?.name} ${gauge?.side}`;
            const { answered = null, isSnoozed: isQuiet = false } = headline.finding ?? {};
            const replies = isQuiet || !gauge?.side ? [] : answered === null ? ["onIt"] : answered.isYou ? ["solved", "cannot"] : [];
            const snoozes = gauge?.snoozed || !answered?.isYou ? 1 : 0;
            const links = answered === null && !isWide ? 1 : 0;
            same(row.children.length, gauge?.side ? replies.length + snoozes + links : 0, where);
            same(above.air.element.querySelector(".on-it")?.hasAttribute("hidden"), answered === null, where);
            for (const button of row.children) {
                asked.length = 0;
                sheet = null;
                if (button.localName === "a") {
                    same(button.getAttribute("href"), `/p/${tank.id}/${gauge?.name}`, where);
                    continue;
                }
                button.click();
                // Whoever snoozes is asked for how long.
                sheet?.body[0].querySelector("button").click();
                await Promise.resolve();
                const subject = { device: tank.id, kind: "range", parameter: gauge?.name, side: gauge?.side };
                const reply = replies.find((one) => t(`answers.${one}`) === button.textContent);
                same(asked, [reply ? ["answer", subject, reply] : ["snooze", subject, gauge?.snoozed ? null : { minutes: 30 }]], where);
                if (reply) replies.splice(replies.indexOf(reply), 1);
            }
            same(replies, [], where);
            for (const chip of above.air.element.querySelectorAll(".air-chip")) {
                asked.length = 0;
                /** @type {HTMLElement} */ (chip).click();
                same(asked, [["choose", chip.getAttribute("data-device")]]);
            }
        }
    }
});

/** @param {any[]} tanks */
async function aboveOf(tanks) {
    openPage();
    const t = await loadWords("en");
    /** @type {any} */
    const context = { t, format: createFormat("en", "UTC", t), store: { tanks: { value: tanks }, told: { open: { value: [] } }, account: { value: null }, connection: { value: { state: "live", seenAt: now } }, choose() {} } };
    const above = createAbove(context, { more() {}, again() {}, hasDetails: () => false });
    return {
        air: /** @type {any} */ (above.air.element),
        /** @param {any[]} next @param {number} at */
        update(next, at) {
            context.store.tanks.value = next;
            above.update(next[0], headlineOf(next[0], context.store.connection.value, at), { now: at, trouble: "", seriesOf: () => null, overall: null });
        },
    };
}

Deno.test("a second, or a reading of one tank, makes nothing of the other tanks anew", async () => {
    /** @type {string[]} */
    const looked = [];
    const watched = (/** @type {any} */ tank) => Object.defineProperty({ ...tank }, "gauges", { get: () => (looked.push(tank.id), tank.gauges) });
    const tanks = Array.from({ length: 200 }, (_, index) => watched(fine(`tank ${index}`)));
    const { update, air } = await aboveOf(tanks);
    update(tanks, now);
    const chips = air.querySelectorAll(".air-chip");
    same(chips.length, 200);
    for (const [what, next, at, concerned] of /** @type {const} */ ([
        ["a second", tanks, now + 1_000, ["tank 0"]],
        ["a reading", tanks.with(7, watched(withGauge(fine("tank 7"), 0, { value: 8.2 }))), now + 2_000, ["tank 0", "tank 7"]],
    ])) {
        looked.length = 0;
        update(next, at);
        same([...new Set(looked)].sort(), concerned, what);
    }
    // What falls silent by the passing of time alone is seen all the same.
    update(tanks, now + 3_600_000);
    ok(air.querySelectorAll(".air-chip").every((/** @type {any} */ chip) => chip.shapes.includes("silent")));
    same(air.querySelectorAll(".air-chip"), chips);
});

Deno.test("another tank that is snoozed has its mark, and does not call", async () => {
    const outside = (/** @type {any} */ snoozed) => withGauge(fine("reef"), 1, { side: "low", value: 6, since: now - 60_000, snoozed });
    const { update, air } = await aboveOf([]);
    const elsewhere = () => air.querySelector(".air-elsewhere");
    const chip = () => air.querySelectorAll(".air-chip")[1];
    update([fine("koi"), outside(null)], now);
    same([elsewhere().hidden, chip().shapes], [false, ["low"]]);
    update([fine("koi"), outside({ until: now + 3_600_000, isAcknowledged: false })], now);
    same([elsewhere().hidden, chip().shapes], [true, ["snoozed"]]);
    ok(chip().getAttribute("aria-label").includes("until 11:00"));
});
