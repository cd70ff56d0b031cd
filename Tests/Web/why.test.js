/** What is asked for to be explained, and how it is told. */

import { stepShape as shapeOf } from "../../Services/Gateway/Web/kinds/index.js";
import { asked, inDays } from "../../Services/Gateway/Web/water/why.js";

const day = 86_400_000;
const now = Date.UTC(2026, 4, 4, 14, 5);

/**
 * @param {unknown} one
 * @param {unknown} other
 */
function assertSame(one, other) {
    const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
    if (a !== b) throw new Error(`${a} is not ${b}`);
}

/** @returns {import("../../Services/Gateway/Web/water/why.js").Step} */
function step(changes = {}) {
    return { time: new Date(now).toISOString(), what: "inRange", side: null, notification: "none", alert: null, text: "", ...changes };
}

Deno.test("no more than a week is asked for, and nothing of the time to come", () => {
    /** @param {number} from @param {number} to */
    const span = (from, to) => {
        const { from: start, until } = asked({ from: now + from, to: now + to }, now);
        return [Date.parse(start) - now, Date.parse(until) - now];
    };
    assertSame(span(-day, -day / 2), [-day, -day / 2]);
    assertSame(span(-day, day), [-day, 0]);
    assertSame(span(-30 * day, 0), [-7 * day, 0]);
    assertSame(span(day, 2 * day), [-1, 0]);
});

Deno.test("each step has its shape", () => {
    assertSame(shapeOf(step()), "fine");
    assertSame(shapeOf(step({ what: "opened", side: "low" })), "low");
    assertSame(shapeOf(step({ what: "ongoing", side: "high", notification: "throttled" })), "high");
    assertSame(shapeOf(step({ what: "ongoing", side: "high", notification: "snoozed" })), "snoozed");
    assertSame(shapeOf(step({ what: "ongoing" })), "live");
    assertSame(shapeOf(step({ what: "gap" })), "silent");
    assertSame(shapeOf(step({ what: "broken" })), "fault");
    assertSame(shapeOf(step({ what: "limits" })), "live");
});

Deno.test("days other than today are named", () => {
    /** @param {number} time */
    const nameOf = (time) => new Date(time).toISOString().slice(0, 10);
    /** @param {number} ago */
    const at = (ago) => step({ time: new Date(now - ago).toISOString() });
    assertSame(inDays([], nameOf, now), []);
    assertSame(inDays([at(2), at(1)], nameOf, now).map(({ name, steps }) => [name, steps.length]), [["", 2]]);
    assertSame(inDays([at(day)], nameOf, now).map(({ name }) => name), ["2026-05-03"]);
    assertSame(inDays([at(day), at(day - 1), at(1)], nameOf, now).map(({ name, steps }) => [name, steps.length]), [
        ["2026-05-03", 2],
        ["2026-05-04", 1],
    ]);
});
