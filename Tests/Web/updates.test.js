/** A window notices from its beginning that another version takes over. */

import { deepStrictEqual as same } from "node:assert/strict";
import { createUpdates } from "../../Services/Gateway/Web/app/updates.js";

/** @param {object | null} controller Which worker serves the window. */
function open(controller) {
    const workers = Object.assign(new EventTarget(), { controller });
    Object.defineProperty(navigator, "serviceWorker", { value: workers, configurable: true });
    /** @type {any} */
    const parts = { toast: () => () => {}, words: () => () => "", leave() {} };
    const updates = createUpdates(parts);
    updates.follow();
    return { updates, takeOver: () => workers.dispatchEvent(new Event("controllerchange")) };
}

Deno.test("another version that takes over before anything was read or registered is noticed", () => {
    const { updates, takeOver } = open({});
    same(updates.isOutdated, false);
    takeOver();
    same(updates.isOutdated, true);
});

Deno.test("the first worker is no other version, the one after it is", () => {
    const { updates, takeOver } = open(null);
    takeOver();
    same(updates.isOutdated, false);
    takeOver();
    same(updates.isOutdated, true);
});

Deno.test("the app follows before it waits for anything of the service", async () => {
    const main = await Deno.readTextFile(new URL("../../Services/Gateway/Web/app/main.js", import.meta.url));
    const order = ["updates.follow()", "await session.start()", "await session.read()", "await updates.register()"].map((step) => main.indexOf(step));
    same(order.includes(-1), false);
    same(order, [...order].sort((one, other) => one - other));
});
