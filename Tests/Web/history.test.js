/** When the series of the drawings are read. */

import { deepStrictEqual as same } from "node:assert/strict";
import { historyOf } from "../../Services/Gateway/Web/app/history.js";
import { signal } from "../../Services/Gateway/Web/app/signals.js";

/** @type {any} */
const tank = { id: "tank", gauges: ["ph", "temperature"].map((name) => ({ name, unit: "", time: 1, value: 7 })) };
const ann = { email: "ann@example.org" };

/**
 * @param {string} state Of the stream when the first screen comes.
 * @param {{email: string} | null} person Who is known then.
 */
function world(state, person) {
    const connection = signal({ state });
    const account = signal(person);
    /** @type {string[]} */
    const asked = [];
    const api = {
        get(/** @type {string} */ path) {
            asked.push(path.split("/")[4]);
            return Promise.resolve({ data: {} });
        },
    };
    const store = { connection, account, kept: () => Promise.resolve(undefined), keep() {}, deviceOf: () => null };
    const history = historyOf(/** @type {any} */ ({ api, store }));
    return {
        account,
        /** @param {string} state */
        tell: (state) => connection.value = { state },
        /** @returns {Promise<string[]>} What a screen that is drawn now asks for. */
        async draw() {
            asked.length = 0;
            await history.read(tank);
            return asked.sort();
        },
    };
}

const all = ["ph", "temperature"];

/**
 * @param {number} seconds
 * @param {() => Promise<void>} run
 */
async function later(seconds, run) {
    const now = Date.now;
    Date.now = () => now() + seconds * 1_000;
    try {
        await run();
    } finally {
        Date.now = now;
    }
}

Deno.test("a first visit reads them once: while the stream begins, and for whom it turns out to be", async () => {
    const { account, tell, draw } = world("connecting", null);
    account.value = ann;
    same(await draw(), all);
    tell("live");
    same(await draw(), []);
});

Deno.test("a visit to what was kept reads them once", async () => {
    const { account, draw } = world("connecting", ann);
    same(await draw(), all);
    account.value = { ...ann };
    same(await draw(), []);
});

Deno.test("a screen that comes while the stream lasts reads them once", async () => {
    const { tell, draw } = world("live", ann);
    same(await draw(), all);
    await later(60, async () => {
        tell("live");
        same(await draw(), []);
    });
});

Deno.test("a stream that took long to begin has missed what came meanwhile", async () => {
    const { tell, draw } = world("connecting", ann);
    same(await draw(), all);
    await later(20, async () => {
        same(await draw(), []);
        tell("live");
        same(await draw(), all);
    });
});

Deno.test("a pause of the stream has missed something", async () => {
    const { tell, draw } = world("live", ann);
    same(await draw(), all);
    await later(1, async () => {
        tell("connecting");
        tell("live");
        same(await draw(), all);
        tell("live");
        same(await draw(), []);
    });
});

Deno.test("what was read for one person is not another's", async () => {
    const { account, draw } = world("live", ann);
    same(await draw(), all);
    account.value = { email: "ben@example.org" };
    same(await draw(), all);
});
