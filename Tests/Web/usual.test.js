/** What is usually done for a tank, where nothing is planned yet. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { createDue } from "../../Services/Gateway/Web/screens/care/due.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { NoAnswer } from "../../Services/Gateway/Web/words/problem.js";
import { openPage } from "./page.js";

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const fitting = [
    { id: "feed", name: "Feed", activity: "feed", rhythm: { every: "day", interval: 1 }, at: "08:00" },
    { id: "water-change", name: "Water change", activity: "waterChange", rhythm: { afterDone: 7 }, at: "18:00" },
];

/** The list of somebody who has planned nothing. @param {{fault?: unknown, kept?: unknown}} service */
async function list({ fault, kept = null }) {
    /** @type {Map<string, unknown>} */
    const keeping = new Map([["usual koi", kept]]);
    openPage();
    /** @type {any[]} */
    const asked = [];
    /** @type {any[]} */
    const planned = [];
    const care = { shown: signal({ zone: "UTC", reminders: [], occurrences: [] }), known: signal({ trouble: null }), waiting: signal([]) };
    const t = await loadWords("en");
    const context = /** @type {any} */ ({
        t,
        format: createFormat("en", "UTC", t),
        store: {
            devices: signal([{}]), current: signal({ id: "koi", name: "Koi pond" }), connection: signal({ state: "live" }),
            keep: (/** @type {string} */ part, /** @type {unknown} */ value) => keeping.set(part, value),
            kept: (/** @type {string} */ part) => Promise.resolve(keeping.get(part) ?? null),
        },
        api: {
            get: (/** @type {string} */ path, /** @type {any} */ more) => {
                asked.push([path, more?.query]);
                if (fault) return Promise.reject(fault);
                return Promise.resolve({ data: fitting });
            },
        },
    });
    const due = createDue(context, /** @type {any} */ (care), /** @type {any} */ ({ save: (/** @type {any} */ reminder) => planned.push(reminder) }));
    const { element } = /** @type {{element: any}} */ (due);
    const rows = () => element.having("class", "row-name").map((/** @type {any} */ row) => row.told);
    due.update(Date.now());
    same(rows(), [], "not before it is known what is said of the tank");
    await settled();
    due.update(Date.now());
    return { due, rows, asked, planned, keeping };
}

Deno.test("what is usual is the service's word, with its rhythm and its time of day, and is kept", async () => {
    const { due, rows, asked, planned, keeping } = await list({});
    same(rows(), ["Feed", "Water change"]);
    same(asked, [["/reminder-proposals", { device: "koi" }]]);
    same(keeping.get("usual koi"), fitting);
    due.element.querySelectorAll("button")[0].click();
    same(planned.map(({ device, name, activity, rhythm, at }) => [device, name, activity, rhythm, at]), [["koi", "Feed", "feed", { every: "day", interval: 1 }, "08:00"]]);
});

Deno.test("where nobody can be asked it is what was kept, or nothing", async () => {
    for (const [kept, expected] of [[fitting.slice(1), ["Water change"]], [null, []]]) {
        const { due, rows, asked } = await list({ fault: new NoAnswer(true), kept });
        same(rows(), expected);
        due.update(Date.now());
        await settled();
        equal(asked.length, 1, "asked once");
    }
});
