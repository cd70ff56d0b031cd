/** Whoever asks too early for what takes the service long asks again, when it says so. */

import { rejects, strictEqual as equal } from "node:assert/strict";
import { inTurn } from "../../Services/Gateway/Web/app/turns.js";
import { Problem } from "../../Services/Gateway/Web/words/problem.js";

/**
 * @param {number[]} statuses Of the answers before the good one.
 */
function service(statuses) {
    let asked = 0;
    return {
        ask: () => {
            const status = statuses[asked];
            asked += 1;
            return status === undefined ? Promise.resolve("told") : Promise.reject(new Problem(status, {}, 0));
        },
        get asked() {
            return asked;
        },
    };
}

Deno.test("what is not one's turn yet is asked again", async () => {
    const busy = service([429, 429]);
    equal(await inTurn(busy.ask), "told");
    equal(busy.asked, 3);
});

Deno.test("another refusal, and the fourth of the same, are the answer", async () => {
    const refused = service([404]);
    await rejects(inTurn(refused.ask), { status: 404 });
    equal(refused.asked, 1);
    const busy = service([429, 429, 429, 429]);
    await rejects(inTurn(busy.ask), { status: 429 });
    equal(busy.asked, 4);
});

Deno.test("nobody asks again for a screen that is gone", async () => {
    const busy = service([429]);
    await rejects(inTurn(busy.ask, AbortSignal.abort()), { name: "AbortError" });
    equal(busy.asked, 1);
});
