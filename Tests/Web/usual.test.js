/** What is usually done for a tank, where nothing is planned yet. */

import { deepStrictEqual as same, strictEqual as equal } from "node:assert/strict";
import { createDue } from "../../Services/Gateway/Web/screens/care/due.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { proposals } from "../../Services/Gateway/Web/water/care.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { NoAnswer } from "../../Services/Gateway/Web/words/problem.js";
import { openPage } from "./page.js";

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const fitting = [
    { id: "feed", name: "Feed", activity: "feed", rhythm: { every: "day", interval: 1 }, at: "08:00" },
    { id: "water-change", name: "Water change", activity: "waterChange", rhythm: { afterDone: 7 }, at: "18:00" },
];

/** The list of somebody who has planned nothing. @param {{version?: number, fault?: unknown}} service */
async function list({ version = 0, fault }) {
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
        store: { devices: signal([{}]), current: signal({ id: "koi", name: "Koi pond" }), connection: signal({ state: "live" }) },
        api: {
            get: (/** @type {string} */ path, /** @type {any} */ more) => {
                asked.push([path, more?.query]);
                if (fault) return Promise.reject(fault);
                return Promise.resolve({ data: path.endsWith("/questionnaire") ? { version } : fitting });
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
    return { due, rows, asked, planned };
}

Deno.test("what is usual follows what is said of a tank, with its rhythm and its time of day", async () => {
    const { due, rows, asked, planned } = await list({ version: 3 });
    same(rows(), ["Feed", "Water change"]);
    same(asked, [["/devices/koi/questionnaire", undefined], ["/reminder-proposals", { device: "koi" }]]);
    due.element.querySelectorAll("button")[0].click();
    same(planned.map(({ device, name, activity, rhythm, at }) => [device, name, activity, rhythm, at]), [["koi", "Feed", "feed", { every: "day", interval: 1 }, "08:00"]]);
});

Deno.test("where nothing is said of a tank, or can be asked, it is what most keepers do", async () => {
    for (const service of [{ version: 0 }, { fault: new NoAnswer(true) }]) {
        const { due, rows, asked } = await list(service);
        equal(rows().length, proposals.length);
        same(asked.length, 1);
        due.update(Date.now());
        await settled();
        same(asked.length, 1, "asked once");
    }
});
