/** What is read from the service, and what the stream tells meanwhile. */

import { deepStrictEqual as same } from "node:assert/strict";
import { Problem } from "../../Services/Gateway/Web/words/problem.js";
import { at, begun, device, later, row, world } from "./held-service.js";

Deno.test("the first reading of a device that comes while everything is read is not lost", async () => {
    const { known, refresh, tell, answer, value } = world();
    const reading = refresh();
    await begun();
    tell("reading", { device: "tank", time: at, values: { temperature: 21.4 } });
    await answer();
    await reading;
    same(value("temperature"), 21.4);
    same(known.devices.value, [device]);
});

Deno.test("of a list and an event the later reading counts", async () => {
    for (const [listed, told, expected] of [[at, later, 2], [later, at, 1]]) {
        const { refresh, store, tell, answer, value } = world();
        store([row(1, String(listed))]);
        const reading = refresh();
        await begun();
        tell("reading", { device: "tank", time: told, values: { temperature: 2 } });
        await answer();
        await reading;
        same(value("temperature"), expected);
    }
});

Deno.test("a device that falls silent, and an episode that opens, while everything is read", async () => {
    const { known, refresh, store, tell, answer } = world();
    store([row(1, at)]);
    const reading = refresh();
    await begun();
    tell("device", { device: "tank", online: false, since: later });
    tell("episode", { device: "tank", parameter: "temperature", state: "open", side: "low", since: later });
    await answer();
    await reading;
    same(known.devices.value[0].silentSince, later);
    same(known.latest.value.get("tank").get("temperature"), { value: 1, time: at, side: "low", since: later });
});

Deno.test("what was told before is not told again over what is read later", async () => {
    const { known, refresh, tell, answer } = world();
    tell("device", { device: "tank", online: false, since: at });
    let reading = refresh();
    await answer();
    await reading;
    tell("device", { device: "tank", online: false, since: at });
    reading = refresh();
    await answer();
    await reading;
    same(known.devices.value, [device]);
});

Deno.test("a question while everything is read, and more events than are kept, are answered by reading once more", async () => {
    const { refresh, reads, tell, answer, alertNews } = world();
    const reading = refresh();
    await begun();
    tell("resync", {});
    tell("alert", {});
    await answer();
    await reading;
    same(reads.count, 2);
    same(alertNews.value, 1);
    const other = refresh();
    await begun();
    for (let number = 0; number < 1_001; number += 1) tell("reading", { device: "tank", time: at, values: {} });
    await answer();
    await other;
    same(reads.count, 4);
});

Deno.test("what the stream asks for is read until it succeeded, later when the service says so", async () => {
    const { known, tell, answer, failing, pauses } = world();
    failing.set("/settings", new Problem(429, {}, 7));
    tell("resync", {});
    tell("resync", {});
    await answer();
    same(pauses, [7_000]);
    same(known.devices.value, [device]);
});

Deno.test("whoever asks while a reading fails gets one that began afterwards", async () => {
    const { known, refresh, answer, failing } = world();
    failing.set("/settings", new Problem(503, {}, null));
    const first = refresh();
    await begun();
    const second = refresh();
    failing.clear();
    await answer();
    await Promise.all([first, second]);
    same(known.devices.value, [device]);
});

Deno.test("a device that is unlinked while everything is read is left out", async () => {
    const { known, refresh, answer, lists } = world();
    lists.splice(0, 1, { device: "pond", tag: '"v2"', parameters: [] });
    const reading = refresh();
    await answer();
    await reading;
    same(known.devices.value, []);
});

Deno.test("a service that lists parameters by device alone is asked so", async () => {
    const { known, refresh, answer, failing } = world();
    failing.set("/parameters", new Problem(404, {}, null));
    const reading = refresh();
    await answer();
    await reading;
    same(known.devices.value, [device]);
    same(known.parameters.value, new Map([["tank", { items: [{ name: "ph" }], tag: null }]]));
    // One that is unlinked in between is left out.
    failing.set("/devices/tank/parameters", new Problem(404, {}, null));
    const next = refresh();
    await answer();
    await next;
    same(known.devices.value, []);
});

for (const path of ["/parameters", "/devices"]) {
    Deno.test(`another problem of ${path} is one of the reading`, async () => {
        const { refresh, answer, failing } = world();
        failing.set("/parameters", new Problem(404, {}, null));
        failing.set(path, new Problem(503, {}, null));
        const results = Promise.allSettled([refresh()]);
        await answer();
        same((await results).map(({ status }) => status), ["rejected"]);
    });
}

Deno.test("what the person changes while everything is read is not overwritten", async () => {
    const { known, refresh, reads, answer } = world();
    const reading = refresh();
    await begun();
    known.settings.value = { colourScheme: "light" };
    known.changes += 2;
    await answer();
    await reading;
    same(reads.count, 2);
});

Deno.test("the next person does not wait for what was read for the former one", async () => {
    const { known, refresh, reads, answer } = world();
    const former = refresh();
    await begun();
    known.generation += 1;
    const next = refresh();
    await answer();
    await Promise.all([former, next]);
    same(reads.count, 2);
    same(known.devices.value, [device]);
});

Deno.test("what is snoozed is read with everything else, and an acknowledgement ends with its episode", async () => {
    const { known, refresh, store, snooze, tell, answer } = world();
    const acknowledged = { device: "tank", kind: "range", parameter: "temperature", side: "low", until: later, acknowledged: true };
    const snoozed = { ...acknowledged, parameter: "ph", acknowledged: false };
    const silent = { ...acknowledged, kind: "silence", side: null };
    store([{ ...row(1, at), state: "low", since: at }]);
    snooze([acknowledged, snoozed, silent]);
    const reading = refresh();
    await answer();
    await reading;
    same(known.snoozes.value, [acknowledged, snoozed, silent]);
    // The same episode told again changes nothing; another one, or its end, does.
    tell("episode", { device: "tank", parameter: "temperature", state: "open", side: "low", since: at });
    same(known.snoozes.value.length, 3);
    tell("episode", { device: "tank", parameter: "temperature", state: "closed" });
    same(known.snoozes.value, [snoozed, silent]);
});

Deno.test("what goes on beside values moves no value: its device is read again, and its acknowledgement ends with it", async () => {
    const { known, refresh, store, snooze, tell, answer, asked } = world();
    const outside = { device: "tank", kind: "range", parameter: "temperature", side: "low", until: later, acknowledged: true };
    const fast = { ...outside, kind: "rate", side: null };
    store([{ ...row(1, at), state: "low", since: at }]);
    snooze([outside, fast]);
    const reading = refresh();
    await answer();
    await reading;
    const before = known.latest.value.get("tank").get("temperature");
    same([before.side, before.since], ["low", at]);
    asked.length = 0;
    tell("trouble", { device: "tank", kind: "rate", parameter: "temperature", state: "open", since: later });
    same(known.snoozes.value, [outside, fast]);
    tell("trouble", { device: "tank", kind: "rate", parameter: "temperature", state: "closed" });
    same(known.latest.value.get("tank").get("temperature"), before);
    same(known.snoozes.value, [outside]);
    await answer();
    same(asked, []);
    for (const [kind, parameter] of [["silence", null], ["fault", "temperature"]]) {
        for (const state of ["open", "closed"]) {
            // What is over was known.
            known.changeDevice("tank", state === "open" ? {} : { silentSince: later, brokenProbes: [{ parameter: "temperature", since: later }] });
            asked.length = 0;
            tell("trouble", { device: "tank", kind, parameter, state, ...state === "open" ? { since: later } : {} });
            await answer();
            same([kind, state, asked.filter((path) => path === "/devices" || path === "/account")], [kind, state, ["/devices"]]);
        }
    }
});

Deno.test("whoever only waits for what is read asks for nothing more", async () => {
    const { known, read, refresh, reads, answer, failing } = world();
    const first = refresh();
    await begun();
    const second = read();
    await answer();
    await Promise.all([first, second]);
    same(reads.count, 1);
    const third = read();
    await answer();
    await third;
    same(reads.count, 2);
    failing.set("/settings", new Problem(503, {}, null));
    const results = Promise.allSettled([refresh(), read()]);
    await answer();
    same((await results).map(({ status }) => status), ["rejected", "rejected"]);
    same(known.devices.value, [device]);
});

Deno.test("when everything is read again, what has not changed is what it was", async () => {
    const { known, refresh, store, snooze, lists, answer } = world();
    lists.push({ device: "reef", tag: '"v1"', parameters: [] });
    /** @param {number} value */
    const values = (value) => [row(1, at), { ...row(value, at), device: "reef" }];
    const read = async () => {
        const reading = refresh();
        await answer();
        await reading;
        const { parameters, latest, devices, snoozes } = known;
        const of = (/** @type {string} */ id) => [parameters.value.get(id), latest.value.get(id)];
        return { tank: [...of("tank"), devices.value[0], snoozes.value], reef: of("reef") };
    };
    store(values(2));
    snooze([{ device: "tank" }]);
    const first = await read();
    store(values(3));
    snooze([{ device: "tank" }]);
    lists.splice(1, 1, { device: "reef", tag: '"v2"', parameters: [] });
    lists.splice(0, 1, { ...lists[0], parameters: [] });
    const second = await read();
    same(second.tank.map((part, index) => part === first.tank[index]), [true, true, true, true]);
    same(second.reef.map((part, index) => part === first.reef[index]), [false, false]);
    same([second.reef[0].tag, second.reef[1].get("temperature").value], ['"v2"', 3]);
});

Deno.test("a trouble that is known is not read again, however often the stream begins", async () => {
    const broken = { parameter: "temperature", since: at, flatAt: null };
    const silence = { device: "tank", kind: "silence", parameter: null, state: "open", since: at };
    const fault = { device: "tank", kind: "fault", parameter: "temperature", state: "open", since: at };
    /** @param {object} more Of the device. @param {any} trouble */
    const asked = async (more, trouble) => {
        const { asked, known, tell, answer } = await caughtUp();
        known.changeDevice("tank", more);
        tell("trouble", trouble);
        await answer();
        return asked.includes("/devices");
    };
    same(await asked({ online: null, silentSince: at }, silence), false);
    // The same time, written otherwise.
    same(await asked({ silentSince: "2026-11-23T10:00:00.000Z" }, silence), false);
    same(await asked({ online: null, silentSince: later }, silence), true);
    same(await asked({ online: false, silentSince: later }, silence), false, "when the connection ended");
    same(await asked({}, silence), true);
    same(await asked({ brokenProbes: [broken] }, fault), false);
    same(await asked({ brokenProbes: [{ ...broken, since: later }] }, fault), true);
    same(await asked({ brokenProbes: [broken] }, { ...fault, parameter: "ph" }), true);
    same(await asked({ brokenProbes: [broken] }, { ...fault, state: "closed" }), true);
    same(await asked({ silentSince: at }, { ...silence, state: "closed" }), true);
    for (const over of [silence, fault]) same(await asked({}, { ...over, state: "closed" }), false, "what was not known is over");
    // Its values say it.
    for (const state of ["open", "closed"]) same(await asked({}, { ...silence, parameter: "ph", state }), false);
    same(await asked({}, { ...fault, device: "unheard-of" }), true);
});

Deno.test("what is over while answers are on their way is read once more: they may still have it", async () => {
    const { tell, answer, asked, own, known } = await caughtUp();
    own([{ ...device, brokenProbes: [{ parameter: "temperature", since: at }] }]);
    tell("resync", { parts: ["devices"] });
    await begun();
    own([device]);
    tell("trouble", { device: "tank", kind: "fault", parameter: "temperature", state: "closed" });
    await answer();
    same(asked.filter((path) => path === "/devices").length, 2);
    same(known.devices.value, [device]);
});

Deno.test("while the kinds of alerts have not come, whatever is told is read again", async () => {
    for (const [name, kind] of [["alert", "range"], ["alert", "fault"], ["trouble", "fault"], ["trouble", "rate"]]) {
        const { tell, answer, asked } = await caughtUp(null);
        tell(name, { device: "tank", kind, parameter: "ph", state: "open", since: at });
        await answer();
        same([name, kind, asked.includes("/devices")], [name, kind, true]);
    }
});

Deno.test("kinds that have not come are asked for again with the next screen", async () => {
    const main = await Deno.readTextFile(new URL("../../Services/Gateway/Web/app/main.js", import.meta.url));
    const show = main.slice(main.indexOf("async function show("), main.indexOf("function hasInvitation("));
    same(show.includes("loadKinds()"), true);
});

/**
 * A world that knows everything, and has asked for nothing since.
 * @param {Parameters<typeof world>} kinds
 */
async function caughtUp(...kinds) {
    const made = world(...kinds);
    const reading = made.refresh();
    await made.answer();
    await reading;
    made.asked.length = 0;
    return made;
}

Deno.test("a part that was changed elsewhere is read by itself", async () => {
    const { known, tell, answer, asked, lists, snooze, answerBy } = await caughtUp();
    lists[0] = { device: "tank", tag: '"v2"', parameters: [] };
    tell("resync", { parts: ["parameters"] });
    await answer();
    same(asked, ["/parameters"]);
    same(known.parameters.value.get("tank").tag, '"v2"');
    same(known.devices.value, [device]);
    asked.length = 0;
    snooze([{ device: "tank", parameter: "ph" }]);
    answerBy([{ device: "tank", parameter: "ph", name: "Ana" }]);
    tell("resync", { parts: ["snoozes"] });
    await answer();
    same(asked, ["/snoozes", "/answers"]);
    same([known.snoozes.value.length, known.answers.value.length], [1, 1]);
    asked.length = 0;
    tell("resync", { parts: ["settings"] });
    await answer();
    same(asked, ["/account", "/settings"]);
    asked.length = 0;
    tell("resync", { parts: ["devices"] });
    await answer();
    same(asked.toSorted(), ["/answers", "/devices", "/parameters", "/readings/latest", "/snoozes"]);
});

Deno.test("what people wrote down is told to the screens that read it, and nothing else is read for it", async () => {
    const { tell, answer, asked, callNews, journalNews } = await caughtUp();
    tell("resync", { parts: ["journal"] });
    await answer();
    same([asked, journalNews.value, callNews.value], [[], 1, 0]);
    tell("resync", {});
    same(journalNews.value, 2, "what is about everything is about it too");
});

Deno.test("chains and what people agreed to are told to the screens that read them, and nothing else is read for them", async () => {
    const { tell, answer, asked, callNews } = await caughtUp();
    tell("resync", { parts: ["calls"] });
    await answer();
    same([asked, callNews.value], [[], 1]);
    tell("resync", { parts: ["calls", "settings"] });
    await answer();
    same([asked, callNews.value], [["/account", "/settings"], 2]);
    tell("resync", { parts: ["settings"] });
    same(callNews.value, 2);
    for (const data of [{}, { parts: ["calls", "something-new"] }]) tell("resync", data);
    tell("ready", {});
    same(callNews.value, 5, "what is about everything is about them too");
    await answer();
});

Deno.test("what the tanks need is told to the screens that read it, and nothing else is read for it", async () => {
    const { tell, answer, asked, careNews } = await caughtUp();
    tell("resync", { parts: ["care"] });
    await answer();
    same([asked, careNews.value], [[], 1]);
    tell("resync", { parts: ["settings"] });
    await answer();
    same(careNews.value, 1);
    tell("ready", {});
    await answer();
    same(careNews.value, 2, "what is about everything is about them too");
});

Deno.test("an event that names no part, or one that is not known here, is about everything", async () => {
    for (const data of [{}, { parts: [] }, { parts: ["parameters", "something-new"] }, { parts: "snoozes" }, null]) {
        const { tell, answer, asked } = await caughtUp();
        tell("resync", data);
        await answer();
        same(asked.length, 7);
    }
});

Deno.test("a part that changes while another is read is read too", async () => {
    const { tell, answer, asked, read } = await caughtUp();
    tell("resync", { parts: ["snoozes"] });
    await begun();
    tell("resync", { parts: ["parameters"] });
    await answer();
    same(asked, ["/snoozes", "/answers", "/parameters", "/snoozes", "/answers"]);
    // Whoever waits for everything is not content with a part.
    asked.length = 0;
    tell("resync", { parts: ["snoozes"] });
    await begun();
    const reading = read();
    await answer();
    await reading;
    same(asked.length, 9);
});

Deno.test("a part that could not be read is owed, with what is asked for meanwhile", async () => {
    const { tell, answer, asked, failing, pauses } = await caughtUp();
    failing.set("/parameters", new Problem(503, {}, 3));
    tell("resync", { parts: ["parameters"] });
    tell("resync", { parts: ["snoozes"] });
    await answer();
    same(pauses, [3_000]);
    same(asked.filter((path) => path === "/parameters").length > 1, true);
    same(asked.includes("/snoozes"), true);
    same(asked.some((path) => ["/account", "/devices", "/readings/latest"].includes(path)), false);
});

Deno.test("who knows nothing yet reads everything, whatever has changed", async () => {
    const { tell, answer, asked } = world();
    tell("resync", { parts: ["snoozes"] });
    await answer();
    same(asked.length, 7);
});

Deno.test("a service of an earlier version, which knows of no answers, is read all the same", async () => {
    const { known, refresh, answer, failing } = world();
    failing.set("/answers", new Problem(404, { code: "not-found" }, null));
    known.answers.value = [{ device: "tank", parameter: "ph", name: "Ana" }];
    const reading = refresh();
    await answer();
    await reading;
    same([known.devices.value, known.answers.value], [[device], []]);
});

Deno.test("an answer ends with its episode, as the stream tells it", async () => {
    const { known, tell } = await caughtUp();
    const of = (/** @type {any} */ more) => ({ device: "tank", kind: "range", parameter: "temperature", side: "low", name: "Ana", ...more });
    const [own, other, silent] = [of({}), of({ parameter: "ph" }), of({ kind: "silence", parameter: null, side: null })];
    known.answers.value = [own, other, silent];
    known.latest.value = new Map([["tank", new Map([["temperature", { value: 1, time: at, side: "low", since: at }]])]]);
    tell("episode", { device: "tank", parameter: "temperature", state: "open", side: "low", since: at });
    same(known.answers.value, [own, other, silent]);
    tell("episode", { device: "tank", parameter: "temperature", state: "closed" });
    same(known.answers.value, [other, silent]);
    tell("trouble", { device: "tank", kind: "silence", parameter: null, state: "closed" });
    same(known.answers.value, [other]);
});
