/** What was changed elsewhere, read part by part, as the stream names it. */

import { deepStrictEqual as same } from "node:assert/strict";
import { Problem } from "../../Services/Gateway/Web/words/problem.js";
import { begun, caughtUp, device, world } from "./held-service.js";

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

Deno.test("what people wrote down is news of places, and of no device", async () => {
    const { known, tell, answer, asked } = await caughtUp();
    tell("resync", { parts: ["journal"] });
    await answer();
    same(asked, []);
    known.devices.value = [device, { ...device, id: "weir", kind: "site" }];
    tell("resync", { parts: ["journal"] });
    await answer();
    same(asked.toSorted(), ["/answers", "/devices", "/parameters", "/readings/latest", "/snoozes"]);
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

Deno.test("what people wrote down is told to the screens that read it, and nothing else is read for it", async () => {
    const { tell, answer, asked, callNews, journalNews } = await caughtUp();
    tell("resync", { parts: ["journal"] });
    await answer();
    same([asked, journalNews.value, callNews.value], [[], 1, 0]);
    tell("resync", {});
    same(journalNews.value, 2, "what is about everything is about it too");
});
