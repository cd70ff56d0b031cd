/** What is said of a way: the word of the phone itself, or that of a server. */

import { match } from "node:assert/strict";
import { healthOf } from "../../Services/Gateway/Web/screens/notifications/endpoints.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";

Deno.test("the last proof of a phone is its own word, unless a later message brought none", async () => {
    const t = await loadWords("en");
    /** @type {any} */
    const context = { t, format: createFormat("en", "UTC", t) };
    /** @param {string | null} accepted @param {string | null} arrived */
    const health = (accepted, arrived) =>
        healthOf(context, /** @type {any} */ ({ state: "active", nothingSince: null, lastAcceptedAt: accepted, lastArrivedAt: arrived, lastArrivedAfterMilliseconds: 840 }));
    match(health("2026-11-29T14:02:00.1Z", "2026-11-29T14:02:00.840Z"), /^Arrived .*, after 0\.8 s$/);
    match(health("2026-11-29T15:00:00Z", "2026-11-29T14:02:00.840Z"), /^Last reached /);
    match(health("2026-11-29T15:00:00Z", null), /^Last reached /);
});
