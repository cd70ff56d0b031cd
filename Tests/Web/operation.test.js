/** Rows for operators, in each language. */

import { deepStrictEqual as same, ok, strictEqual as equal } from "node:assert/strict";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { accountRow, deviceRow, doctorRows, presentRows, rejectRows, sentRows, standingRows } from "../../Services/Gateway/Web/screens/operation/rows.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";

const now = Date.parse("2026-05-01T12:00:00Z");
const nothing = { count: 0, since: null };
/** @type {import("../../Services/Gateway/Web/screens/operation/rows.js").Operation} */
const well = {
    away: [],
    readings: nothing,
    alerts: nothing,
    deliveries: nothing,
    devices: { live: 4, silent: 0, unheard: 0, unlinked: 1 },
    people: 3,
    unreached: 0,
    projects: 0,
    rejects: [],
    sent: [],
    lookedAt: null,
    findings: [],
};

/** The services, reasons and channels of the service's own sources. @param {string} path @param {RegExp} names */
async function namesIn(path, names) {
    const text = await Deno.readTextFile(new URL(`../../${path}`, import.meta.url));
    return [...text.matchAll(names)].flatMap(([, list]) => list.split(", "));
}

for (const language of /** @type {const} */ (["en", "ja", "es", "de"])) {
    Deno.test(`services, reasons and channels have words in ${language}`, async () => {
        const t = await loadWords(language);
        const voice = { t, format: createFormat(language, "UTC", t) };
        const reasons = (await namesIn("Services/Ingestor/Library/Payload/RejectReason.swift", /^ {4}case (\w+(?:, \w+)*)$/gm));
        ok(reasons.length >= 14, `${reasons}`);
        const rejects = reasons.map((reason) => ({ reason, count: 2 }));
        for (const [index, row] of rejectRows({ ...well, rejects }, voice).entries()) ok(row.name !== reasons[index], reasons[index]);
        const channels = (await namesIn("Shared/WaterQuality/Identity/Endpoint.swift", /^ {8}case (\w+(?:, \w+)*)$/gm)).filter((name) => !["standard", "cloudEvents", "alertmanager", "template"].includes(name));
        ok(channels.includes("webPush") && channels.length >= 13, `${channels}`);
        const sent = channels.map((channel) => ({ channel, state: "accepted", count: 2 }));
        for (const [index, row] of sentRows({ ...well, sent }, voice).entries()) ok(row.name !== channels[index] || row.name === "ntfy", channels[index]);
        const away = ["ingestor", "rules", "notifier"];
        const rows = presentRows({ ...well, away }, voice, now).slice(0, 3);
        equal(new Set(rows.map(({ name }) => name)).size, 3);
        for (const [index, { name }] of rows.entries()) ok(name !== away[index]);
    });
}

Deno.test("what waits says since when, and a count that was broken off says so", async () => {
    const t = await loadWords("en");
    const voice = { t, format: createFormat("en", "UTC", t) };
    const at = (/** @type {number} */ seconds) => new Date(now - seconds * 1000).toISOString();
    const busy = { ...well, readings: { count: 3, since: at(5) }, alerts: { count: 100_000, since: at(3600) }, deliveries: { count: 4, since: null } };
    const [connected, readings, alerts, deliveries] = presentRows(busy, voice, now);
    equal(connected.mark, "fine");
    ok(readings.value === "3" && readings.detail?.includes("5"), readings.detail);
    ok(alerts.value?.includes("or more"), alerts.value);
    equal(deliveries.detail, "");
    // A clock that is behind the service's.
    ok(presentRows({ ...well, readings: { count: 1, since: at(-60) } }, voice, now)[1].detail?.includes("0"));
});

Deno.test("the doctor's faults come first, in its language, and the rest is counted", async () => {
    const t = await loadWords("de");
    const voice = { t, format: createFormat("de", "UTC", t) };
    const findings = ["ok", "notice", "ok", "wrong", "skipped", "later"].map((status, index) => ({ topic: "disk", status, finding: `${index}`, mend: status === "wrong" ? "Mend it." : null }));
    const rows = doctorRows({ ...well, lookedAt: "2026-05-01T12:00:00Z", findings }, voice, now);
    same(rows.map(({ name }) => name), [t("operation.doctor_wrong", { count: 1 }), "disk: 3", "disk: 1", t("operation.doctor_ok", { count: 2 }), t("operation.doctor_skipped", { count: 1 })]);
    same([rows[1].lang, rows[1].more, rows[1].mark], ["en", ["Mend it."], "fault"]);
    equal(doctorRows(well, voice, now).length, 1);
});

Deno.test("a doctor that looked long ago says nothing of the present", async () => {
    const t = await loadWords("en");
    const voice = { t, format: createFormat("en", "UTC", t) };
    const looked = { ...well, lookedAt: "2026-05-01T12:00:00Z", findings: [{ topic: "disk", status: "ok", finding: "room", mend: null }] };
    equal(doctorRows(looked, voice, now + 23 * 3_600_000)[0].mark, "fine");
    const old = doctorRows(looked, voice, now + 25 * 3_600_000);
    same(old.map(({ name, mark }) => [name, mark]), [[t("operation.doctor_old"), "due"], [t("operation.doctor_ok", { count: 1 }), undefined]]);
});

Deno.test("accounts and devices say what they have, and nothing of what they have not", async () => {
    const t = await loadWords("en");
    const voice = { t, format: createFormat("en", "UTC", t) };
    const account = { email: "ada@example.org", createdAt: "2026-05-01T12:00:00Z", seenAt: null, sessions: 0, devices: 1, projects: 0, isReached: true, isOperator: false };
    const row = accountRow(account, voice);
    ok(row.detail?.includes("not here lately"), row.detail);
    same(row.more, ["1 device"]);
    const device = { id: "pond-1", standing: /** @type {const} */ ("unlinked"), heardAt: null, isOnline: null, family: null, version: null, owner: null, isOfProject: false, rejected: 0 };
    same(deviceRow(device, voice), { name: "pond-1", detail: "Linked to nobody", more: [], mark: undefined });
    ok(deviceRow({ ...device, owner: "ada@example.org", isOfProject: true, version: "3" }, voice).more?.[0].includes("3 · project of ada@example.org"));
    same(standingRows(well, voice).map(({ value }) => value), ["4", "0", "0", "1"]);
});
