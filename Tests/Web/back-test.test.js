/** What limits would have told: what is asked for, and how far an answer reaches. */

import { byLimits, placesToAsk, reachOf } from "../../Services/Gateway/Web/water/back-test.js";

/**
 * @param {unknown} one
 * @param {unknown} other
 */
function assertSame(one, other) {
    const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
    if (a !== b) throw new Error(`${a} is not ${b}`);
}

/**
 * @param {number} from
 * @param {number} to
 */
function range(from, to) {
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

Deno.test("at first all around the chosen value are asked for, and never more than the service takes", () => {
    assertSame(placesToAsk(50, 100, () => false), range(40, 60));
    assertSame(placesToAsk(50, 100, () => false).length <= 25, true);
});

Deno.test("at the ends there are fewer", () => {
    assertSame(placesToAsk(0, 100, () => false), range(0, 10));
    assertSame(placesToAsk(99, 100, () => false), range(89, 99));
    assertSame(placesToAsk(0, 3, () => false), [0, 1, 2]);
    assertSame(placesToAsk(0, 0, () => false), []);
});

Deno.test("nothing is asked for while all rows in sight are known", () => {
    const isKnown = (/** @type {number} */ place) => place >= 40 && place <= 60;
    assertSame(placesToAsk(58, 100, isKnown), []);
    assertSame(placesToAsk(42, 100, isKnown), []);
});

Deno.test("what is known is not asked for again", () => {
    const isKnown = (/** @type {number} */ place) => place >= 40 && place <= 60;
    assertSame(placesToAsk(59, 100, isKnown), range(61, 69));
    assertSame(placesToAsk(41, 100, isKnown), range(31, 39));
});

Deno.test("an answer reaches back whole days", () => {
    const until = "2026-05-31T12:00:00Z";
    assertSame(reachOf({ since: "2026-05-01T12:00:09Z", until, tooNew: false }), { days: 30, isTooNew: false });
    assertSame(reachOf({ since: "2026-05-27T02:00:00Z", until, tooNew: false }).days, 4);
    assertSame(reachOf({ since: "2026-05-30T11:00:00Z", until, tooNew: false }).days, 1);
    assertSame(reachOf({ since: null, until, tooNew: true }), { days: 1, isTooNew: true });
});

Deno.test("an alarm of the rate is none of the limits, nor is what is told ahead", () => {
    const [time, side] = ["2026-05-01T12:00:00Z", /** @type {const} */ ("high")];
    const times = [{ time, side, change: 3.1 }, { time, side, change: null }, { time, side }, { time, side, change: 0 }, { time, side, change: null, expectedAt: time }];
    assertSame(byLimits(times), [times[1], times[2]]);
});
