/** Plans as the app knows them: read and kept, a picture asked for once, and what a change names. */

import { deepStrictEqual as same, rejects, strictEqual as equal } from "node:assert/strict";
import { createPlans } from "../../Services/Gateway/Web/app/plans.js";
import { Problem } from "../../Services/Gateway/Web/words/problem.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";

const plan = { id: "a b", project: null, name: "Hall", mayChange: true, picture: { type: "image/jpeg", width: 4, height: 3, tag: "t1" }, version: 3, places: [] };

/** @param {{isAway?: boolean, isGone?: boolean}} [options] */
function scene(options = {}) {
    /** @type {string[]} */
    const asked = [];
    /** @type {Map<string, any>} */
    const disk = new Map();
    /** @type {(method: string) => (path: string, ...rest: any[]) => Promise<any>} */
    const answering = (method) => (path, ...rest) => {
        asked.push(`${method} ${path} ${rest.at(-1)?.ifMatch ?? ""}`.trim());
        if (options.isAway) return Promise.reject(new TypeError("away"));
        if (options.isGone) return Promise.reject(new Problem(404, {}, null));
        return Promise.resolve({ data: path === "/plans" && method === "GET" ? [plan] : plan });
    };
    const api = {
        get: answering("GET"),
        post: answering("POST"),
        put: answering("PUT"),
        patch: answering("PATCH"),
        delete: answering("DELETE"),
        /** @param {string} path */
        open: (path) => {
            asked.push(`OPEN ${path}`);
            return options.isAway ? Promise.reject(new TypeError("away")) : Promise.resolve(new Response(new Blob(["jpeg"], { type: "image/jpeg" })));
        },
    };
    const account = signal(/** @type {any} */ ({ createdAt: "1" }));
    const keep = (/** @type {string} */ key, /** @type {unknown} */ value) => Promise.resolve(void disk.set(key, value));
    const store = { account, keep, keepPage: keep, kept: (/** @type {string} */ key) => Promise.resolve(disk.get(key)) };
    return { asked, disk, account, options, make: () => createPlans(/** @type {any} */ ({ api, store })) };
}

Deno.test("plans and their pictures are there again without a connection", async () => {
    const { asked, options, make } = scene();
    const first = make();
    await first.read();
    await first.placed(plan.id);
    equal(await (await first.picture(plan)).text(), "jpeg");
    await first.picture(plan);
    same(asked, ["GET /plans", "GET /plans/a%20b", "OPEN /plans/a%20b/picture"]);
    await new Promise((later) => setTimeout(later));
    options.isAway = true;
    const second = make();
    await second.read();
    equal(second.listed.value.told?.[0].name, "Hall");
    equal((await second.placed(plan.id)).version, 3);
    equal(await (await second.picture(plan)).text(), "jpeg");
    await rejects(second.placed("other"));
    await rejects(second.picture({ ...plan, picture: { ...plan.picture, tag: "t2" } }));
});

Deno.test("a plan that is gone is not shown as it was", async () => {
    const { options, make } = scene();
    const plans = make();
    equal((await plans.placed(plan.id)).name, "Hall");
    options.isGone = true;
    await rejects(plans.placed(plan.id), Problem);
});

Deno.test("a change names the version that is known, and takes its place in the list", async () => {
    const { asked, make } = scene();
    const plans = make();
    await plans.read();
    await plans.place(plan, []);
    await plans.rename(plan, "Barn");
    await plans.setPicture(plan, null);
    await plans.setPicture(plan, { type: "image/jpeg", bytes: new ArrayBuffer(1), width: 1, height: 1 });
    same(asked.slice(1), [
        'PUT /plans/a%20b/places "v3"',
        'PATCH /plans/a%20b "v3"',
        'DELETE /plans/a%20b/picture "v3"',
        'PUT /plans/a%20b/picture "v3"',
    ]);
    equal(plans.listed.value.told?.length, 1);
    await plans.remove(plan);
    equal(plans.listed.value.told?.length, 0);
});

Deno.test("another account knows nothing of them", async () => {
    const { account, make } = scene();
    const plans = make();
    await plans.read();
    account.value = { createdAt: "2" };
    equal(plans.listed.value.told, null);
});
