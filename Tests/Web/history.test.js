/** When the series of the drawings are read. */

import { deepStrictEqual as same } from "node:assert/strict";
import { historyOf } from "../../Services/Gateway/Web/app/history.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";

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
        changes: history.changes,
        /** @returns {Promise<string[]>} What a screen that is drawn now asks for. */
        async draw(shown = tank) {
            asked.length = 0;
            await history.read(shown);
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

Deno.test("before the last values have come there is nothing to read, and everything once they have", async () => {
    const { draw } = world("live", ann);
    const unmeasured = { ...tank, gauges: tank.gauges.map((/** @type {any} */ gauge) => ({ ...gauge, time: null, value: null })) };
    same(await draw(unmeasured), []);
    same(await draw(), all);
});

Deno.test("who looks at a device while it turns out whose it is asks again", async () => {
    const { account, draw, changes } = world("live", null);
    const first = draw();
    const before = changes.value;
    account.value = ann;
    same(await first, []);
    await new Promise((resolve) => setTimeout(resolve, 5));
    same([changes.value > before, await draw()], [true, all]);
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

/** A service that answers when it is told to, for many devices. @param {number} count */
function many(count) {
    /** @type {{path: string, end: () => void}[]} */
    const open = [];
    const asked = { most: 0, all: 0 };
    const api = {
        get(/** @type {string} */ path) {
            return new Promise((resolve) => {
                open.push({ path, end: () => resolve({ data: {} }) });
                asked.all += 1;
                asked.most = Math.max(asked.most, open.length);
            });
        },
    };
    const store = { connection: signal({ state: "live" }), account: signal(ann), kept: () => Promise.resolve(undefined), keep() {}, deviceOf: () => null };
    const history = historyOf(/** @type {any} */ ({ api, store }));
    const tanks = Array.from({ length: count }, (_, index) => ({ ...tank, id: `tank-${index}` }));
    const settled = () => new Promise((end) => setTimeout(end, 5));
    return {
        history,
        tanks,
        open,
        asked,
        settled,
        async answerAll() {
            for (await settled(); open.length > 0; await settled()) open.splice(0).forEach(({ end }) => end());
        },
    };
}

Deno.test("of many devices few series are asked for at a time, each once, and all are read", async () => {
    const { history, tanks, asked, answerAll } = many(60);
    const reading = Promise.all(tanks.map((one) => history.read(one)));
    await answerAll();
    await reading;
    same(asked, { most: 3, all: 120 });
});

Deno.test("what nobody looks at any more is not asked for, and is read when somebody does", async () => {
    const { history, tanks, asked, settled, answerAll } = many(20);
    for (const one of tanks) history.read(one);
    // One that is left before it was waited for, and those that were.
    history.leave("tank-19");
    await settled();
    for (const { id } of tanks.slice(2)) history.leave(id);
    await answerAll();
    same(asked.all, 4);
    history.read(tanks[10]);
    history.read(tanks[0]);
    await answerAll();
    same(asked.all, 6);
});

Deno.test("whatever comes within a frame is told once, and of which device it was", async () => {
    const { history, tanks, open, settled } = many(1);
    /** @type {(() => void)[]} */
    const frames = [];
    const original = globalThis.requestAnimationFrame;
    Object.assign(globalThis, { requestAnimationFrame: (/** @type {() => void} */ run) => frames.push(run) });
    try {
        let told = 0;
        history.changes.subscribe(() => told += 1);
        history.read(tanks[0]);
        await settled();
        open.splice(0).forEach(({ end }) => end());
        await settled();
        same([told, frames.length, history.versionOf("tank-0"), history.versionOf("another")], [0, 1, 2, 0]);
        frames.splice(0).forEach((run) => run());
        same(told, 1);
    } finally {
        Object.assign(globalThis, { requestAnimationFrame: original });
    }
});
