/** What a person changes, and what is known of it meanwhile. */

import { deepStrictEqual as same, rejects } from "node:assert/strict";
import { createChanges } from "../../Services/Gateway/Web/app/changes.js";
import { Problem } from "../../Services/Gateway/Web/words/problem.js";

/** A list of two parameters and settings as the service keeps them, with a tag that it asks for. */
function world() {
    /** @type {{name: string}[]} */
    let items = [{ name: "ph" }, { name: "salinity" }];
    let version = 1;
    let isRefused = false;
    /** @type {string[]} */
    const asked = [];
    /** @type {any} */
    const known = {
        parameters: { value: new Map() },
        changed: (/** @type {() => Promise<unknown>} */ change) => change(),
        setList: (/** @type {string} */ device, /** @type {any} */ list) => known.parameters.value.set(device, list),
        settings: { value: null },
        settingsTag: null,
        write() {},
        listOf: (/** @type {string} */ device) => known.parameters.value.get(device)?.items ?? [],
    };
    const tag = () => `"v${version}"`;
    /** @type {any} */
    const api = {
        get(/** @type {string} */ path) {
            asked.push(`GET ${path}`);
            return Promise.resolve({ data: items, tag: tag() });
        },
        put(/** @type {string} */ path, /** @type {{order: string[]}} */ { order }, /** @type {any} */ options) {
            asked.push(`PUT ${path} ${options?.ifMatch}`);
            if (!options?.ifMatch) return Promise.reject(new Problem(428, {}, null));
            if (options.ifMatch !== tag()) return Promise.reject(new Problem(412, {}, null));
            if (isRefused) return Promise.reject(new Problem(429, {}, 1));
            version += 1;
            items = order.map((name) => ({ name }));
            return Promise.resolve({ data: items, tag: tag() });
        },
    };
    api.patch = (/** @type {string} */ path, /** @type {any} */ change, /** @type {any} */ options) => {
        asked.push(`PATCH ${path} ${options?.ifMatch}`);
        if (!options?.ifMatch) return Promise.reject(new Problem(428, {}, null));
        version += 1;
        return Promise.resolve({ data: change, tag: tag() });
    };
    known.setList("tank", { items, tag: tag() });
    return {
        known,
        asked,
        changes: createChanges({ api, known }),
        list: () => known.parameters.value.get("tank"),
        forget: () => known.setList("tank", { items, tag: null }),
        changeElsewhere: () => version += 1,
        refuse: () => isRefused = true,
    };
}

const path = "/devices/tank/parameters";

Deno.test("another order is asked for with the tag of the list, and the next one with the tag that came back", async () => {
    const { changes, asked, list } = world();
    await changes.reorder("tank", ["salinity", "ph"]);
    same(list(), { items: [{ name: "salinity" }, { name: "ph" }], tag: '"v2"' });
    await changes.reorder("tank", ["ph", "salinity"]);
    same(asked, [`PUT ${path}/order "v1"`, `PUT ${path}/order "v2"`]);
});

Deno.test("a list that was changed elsewhere, or whose tag is not known, is asked for once more", async () => {
    const { changes, asked, list, changeElsewhere, forget } = world();
    changeElsewhere();
    await changes.reorder("tank", ["salinity", "ph"]);
    forget();
    await changes.reorder("tank", ["ph", "salinity"]);
    same(list().items, [{ name: "ph" }, { name: "salinity" }]);
    same(asked, [
        `PUT ${path}/order "v1"`,
        `GET ${path}`,
        `PUT ${path}/order "v2"`,
        `GET ${path}`,
        `PUT ${path}/order "v3"`,
    ]);
});

Deno.test("settings that were kept on this device can be changed before they are read", async () => {
    const { changes, asked, known } = world();
    await changes.changeSettings({ language: "es" });
    await changes.changeSettings({ language: "ja" });
    same(asked, ["GET /settings", 'PATCH /settings "v1"', 'PATCH /settings "v2"']);
    same(known.settings.value, { language: "ja" });
});

Deno.test("an order that is refused goes back", async () => {
    const { changes, list, refuse } = world();
    refuse();
    await rejects(changes.reorder("tank", ["salinity", "ph"]));
    same(list(), { items: [{ name: "ph" }, { name: "salinity" }], tag: '"v1"' });
});
