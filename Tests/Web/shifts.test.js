/** Shifts of a project: who is on until when, when nobody is, the week in rows, and which turns are swapped. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { createProjects } from "../../Services/Gateway/Web/app/projects.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { dayNamed, gapTexts, mayGiveBack, rowsOf, shiftText, standingText, swappable, turnText } from "../../Services/Gateway/Web/water/shifts.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";

const now = Date.parse("2026-11-30T10:00:00Z"); // a Monday
const at = (/** @type {number} */ hours) => new Date(now + hours * 3_600_000).toISOString();
const t = await loadWords("en");
const voice = { t, format: createFormat("en", "UTC", t) };

/** @param {number} since @param {number} until @param {string[]} members @param {string} [shift] @returns {any} */
const turn = (since, until, members, shift = "day") => ({ shift, day: at(since).slice(0, 10), since: at(since), until: at(until), members });
/** @param {any} [more] @returns {any} */
const rota = (more = {}) => ({
    timeZone: "UTC",
    shifts: [{ id: "day", name: "Day", days: ["monday", "tuesday"], from: "06:00", until: "14:00", members: ["1", "2"] }],
    covers: [],
    turns: [turn(-4, 4, ["1"]), turn(20, 28, ["2"])],
    gaps: [{ since: at(4), until: at(20) }],
    isReached: true,
    always: false,
    ...more,
});
/** @param {string} id @param {boolean} [isMe] @returns {any} */
const member = (id, isMe = false) => ({ id, name: `P${id}`, role: "keeper", since: "", until: null, isMe });
const nameOf = (/** @type {string} */ id) => `P${id}`;

Deno.test("who is on shift is said with when they go off, through turns that follow each other", () => {
    equal(standingText(voice, rota(), nameOf, now), "On shift: P1 until 14:00.");
    equal(standingText(voice, rota({ turns: [turn(-4, 4, ["1"]), turn(4, 6, ["1", "2"]), turn(7, 9, ["1"])] }), nameOf, now), "On shift: P1 until 16:00.");
    equal(standingText(voice, rota({ isReached: false }), nameOf, now), "On shift: P1 until 14:00. Nothing reaches them, so everybody is alerted.");
    equal(standingText(voice, rota({ turns: [turn(1, 2, ["1"])] }), nameOf, now), "Nobody is on shift now: everybody is alerted.");
    equal(standingText(voice, rota({ shifts: [], turns: [] }), nameOf, now), "No shifts: everybody is alerted at all times.");
});

Deno.test("a stretch without anybody says that all are told then, and none where there are no shifts", () => {
    same(gapTexts(voice, rota(), now), ["Nobody is on shift from 14:00 to Tue 06:00: everybody is alerted then."]);
    same(gapTexts(voice, rota({ gaps: [{ since: at(-9), until: at(-8) }] }), now), []);
    same(gapTexts(voice, rota({ shifts: [] }), now), []);
});

Deno.test("the week has a row for each who stands in a shift or takes one, one's own first", () => {
    const rows = rowsOf(rota({ turns: [turn(-4, 4, ["1"]), turn(20, 28, ["3"])] }), [member("1"), member("2", true), member("3"), member("4")], now);
    same(rows.map(({ member, turns }) => [member.id, turns.length]), [["2", 0], ["1", 1], ["3", 1]]);
    same(rows[1].parts, [{ from: 0, width: 4 / 168 }]);
    const [{ from, width }] = rows[2].parts;
    same([Math.round(from * 168), Math.round(width * 168)], [20, 8]);
    // What goes on beyond the week ends with it.
    same(rowsOf(rota({ turns: [turn(160, 176, ["1"])] }), [member("1")], now)[0].parts.map(({ from, width }) => Math.round((from + width) * 168)), [168]);
});

Deno.test("a shift is said by its days and times, a turn by its own", () => {
    equal(shiftText(voice, rota().shifts[0]), "Mon, Tue · 06:00–14:00");
    equal(shiftText(voice, { ...rota().shifts[0], days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] }), "06:00–14:00");
    same([turnText(voice, turn(-4, 4, []), now), turnText(voice, turn(20, 28, []), now)], ["06:00–14:00", "Tue 06:00–14:00"]);
    equal(dayNamed(voice, "2026-12-01"), "Tue, Dec 1");
});

Deno.test("turns are given or taken once, and given back by either of the two or for the project", () => {
    const cover = { shift: "day", day: at(20).slice(0, 10), from: "1", member: "2" };
    const found = swappable(rota({ covers: [cover], turns: [turn(-4, 4, ["1", "3"]), turn(20, 28, ["2", "3"])] }), member("3", true), now);
    same(found.map(({ turn, member }) => [turn.day, member]), [["2026-11-30", "3"], ["2026-12-01", "3"], ["2026-11-30", "1"]]);
    same(["1", "2", "3"].map((id) => mayGiveBack(cover, member(id), false)), [true, true, false]);
    equal(mayGiveBack(cover, member("3"), true), true);
});

Deno.test("shifts are shown as they were kept while nobody answers", async () => {
    let isAway = false;
    /** @type {Map<string, unknown>} */
    const disk = new Map();
    const store = {
        account: signal(/** @type {any} */ ({ createdAt: "1" })),
        keep: () => Promise.resolve(),
        kept: (/** @type {string} */ key) => Promise.resolve(disk.get(key)),
        keepPage: (/** @type {string} */ key, /** @type {unknown} */ value) => Promise.resolve(void disk.set(key, value)),
    };
    /** @type {unknown[]} */
    const sent = [];
    const api = {
        get: (/** @type {string} */ path) => isAway ? Promise.reject(new TypeError("away")) : Promise.resolve({ data: path.endsWith("/shifts") ? rota() : [], tag: '"v3"' }),
        put: (/** @type {unknown[]} */ ...asked) => Promise.resolve(sent.push(asked)),
    };
    const projects = createProjects({ api: /** @type {any} */ (api), store: /** @type {any} */ (store) });
    const first = await projects.shifts("7");
    same([first.isOld, first.tag, first.rota.shifts.length], [false, '"v3"', 1]);
    isAway = true;
    equal((await projects.shifts("7")).isOld, true);
    await projects.setShifts("7", [], '"v3"');
    await projects.cover("7", { shift: "day", day: "2026-12-01", from: "1", member: "2" });
    await projects.tellAlways("7", true);
    same(sent, [
        ["/projects/7/shifts", { shifts: [] }, { ifMatch: '"v3"' }],
        ["/projects/7/shifts/cover", { shift: "day", day: "2026-12-01", from: "1", member: "2" }],
        ["/projects/7/shifts/me", { always: true }],
    ]);
});
