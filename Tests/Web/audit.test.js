/** What was changed, in each language. */

import { deepStrictEqual as same, notStrictEqual as differs, ok, strictEqual as equal } from "node:assert/strict";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { daysOf, linesOf, sentenceOf } from "../../Services/Gateway/Web/components/changes/entries.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";

const source = await Deno.readTextFile(new URL("../../Shared/WaterQuality/Audit/AuditAction.swift", import.meta.url));
/** As the service names them. */
const actions = [...source.matchAll(/= "(\w+\.\w+)"/g)].map(([, action]) => action);
const actors = ["account", "token", "operator", "device", "system", "stranger"];

/** @param {Partial<import("../../Services/Gateway/Web/components/changes/entries.js").Entry>} parts */
const entry = (parts) => ({
    id: 1,
    at: "2026-05-01T12:00:00Z",
    action: "limit.change",
    outcome: "done",
    times: 1,
    actor: "account",
    isOwn: true,
    actorName: null,
    device: "pond-1",
    parameter: "temperature",
    unit: "C",
    subject: "Koi",
    clientName: "Safari",
    network: null,
    changes: [],
    ...parts,
});

for (const language of /** @type {const} */ (["en", "ja", "es", "de"])) {
    Deno.test(`every act has a sentence of its own in ${language}, and everybody who acts a name`, async () => {
        const t = await loadWords(language);
        const voice = { t, format: createFormat(language, "UTC", t) };
        ok(actions.length > 40);
        const sentences = actions.map((action) => sentenceOf(entry({ action }), t));
        equal(new Set(sentences).size, actions.length);
        actions.forEach((action, index) => ok(!sentences[index].startsWith(action), action));
        const who = actors.map((actor) => linesOf(entry({ actor, isOwn: false, actorName: actor === "token" ? "Home" : null }), voice)[0]);
        equal(new Set(who).size, actors.length);
        for (const actor of actors) ok(!who.some((line) => line.endsWith(`· ${actor}`)), actor);
    });
}

Deno.test("an entry says when, by whom, from where, and each value before and after in its unit", async () => {
    const t = await loadWords("en");
    const voice = { t, format: createFormat("en", "UTC", t) };
    const changes = [{ field: "maximum", before: 20, after: 22.5 }, { field: "criticalMaximum", before: 30, after: null }, { field: "secretField", before: 1, after: 2 }];
    const [when, ...lines] = linesOf(entry({ network: "203.0.113.0/24", changes }), voice);
    ok(when.endsWith("you · 203.0.113.0/24"), when);
    same(lines.map((line) => line.replaceAll("\u00A0", " ")), ["Maximum: 20 °C → 22.5 °C", "Critical maximum: 30 °C → none"]);
    same(linesOf(entry({ action: "work.begin", changes: [{ field: "until", before: null, after: "2026-05-01T13:00:00+00:00" }] }), voice).length, 2);
    const part = [{ field: "role", before: "administrator", after: "keeper" }, { field: "devices", before: null, after: 21 }];
    const [, role, devices] = linesOf(entry({ action: "project.changePart", changes: part }), voice);
    ok(role.includes(t("projects.role_administrator")) && role.includes(t("projects.role_keeper")) && devices.includes("21"));
    ok(linesOf(entry({ outcome: "refused", times: 100 }), voice)[1].includes("100"));
    ok(linesOf(entry({ isOwn: false, actorName: "former-1234abcd" }), voice)[0].includes("closed"));
    ok(linesOf(entry({ isOwn: false, actorName: "Ben" }), voice)[0].includes("Ben"));
});

Deno.test("an act, a field and an actor that only a newer service knows are told as they are", async () => {
    const t = await loadWords("en");
    const voice = { t, format: createFormat("en", "UTC", t) };
    equal(sentenceOf(entry({ action: "moon.land" }), t), "moon.land · Koi");
    ok(linesOf(entry({ actor: "martian" }), voice)[0].includes("martian"));
    differs(sentenceOf(entry({ parameter: "99" }), t), sentenceOf(entry({}), t));
});

Deno.test("entries stand below the day on which they were, where the person lives", () => {
    const times = ["2026-05-02T23:30:00Z", "2026-05-02T08:00:00Z", "2026-05-01T12:00:00Z"];
    const entries = times.map((at, index) => entry({ id: 3 - index, at }));
    same(daysOf(entries, "UTC").map(({ day, entries }) => [day, entries.length]), [["2026-05-02", 2], ["2026-05-01", 1]]);
    same(daysOf(entries, "Asia/Tokyo").map(({ entries }) => entries.length), [1, 1, 1]);
});

Deno.test("operators are told whose account it was, and not the names that are others'", async () => {
    const t = await loadWords("en");
    const voice = { t, format: createFormat("en", "UTC", t) };
    const theirs = { isOwn: false, account: "ben@example.org", actorName: "ada@example.org", subject: null, parameter: null };
    ok(sentenceOf(entry({ ...theirs, action: "endpoint.add", device: null }), t).endsWith("…"));
    ok(sentenceOf(entry(theirs), t).startsWith("pond-1"));
    const [when, account] = linesOf(entry({ ...theirs, actor: "operator" }), voice);
    ok(when.endsWith(`${t("audit.by_operator")} · ada@example.org`), when);
    equal(account, t("audit.of_account", { name: "ben@example.org" }));
    equal(linesOf(entry({ ...theirs, actorName: "ben@example.org" }), voice).length, 1);
    ok(linesOf(entry({ ...theirs, actor: "token", actorName: "CI" }), voice)[0].endsWith(t("audit.by_tokenOf", { name: "CI" })));
});
