/** Inviting somebody: what was measured before they join is shown to nobody unless the owner says so. */

import { deepStrictEqual as same, equal, ok } from "node:assert/strict";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { invite } from "../../Services/Gateway/Web/screens/device/invite.js";
import { openPage } from "./page.js";

const link = "https://water.example/join#aqw_1";

/** @param {string} language @param {(path: string, body: any) => Promise<any>} post */
async function openInvitation(language, post) {
    openPage();
    const t = await loadWords(/** @type {any} */ (language));
    let changes = 0;
    /** @type {any} */
    let body = null;
    const context = {
        t,
        api: { post },
        explain: () => "It failed",
        sheet: (/** @type {any} */ model) => [body] = model.body,
    };
    invite(/** @type {any} */ (context), /** @type {any} */ ({ id: "pond-1", name: "Koi pond" }), () => changes++);
    const make = body.having("class", "button-primary")[0];
    const toggle = body.having("role", "switch")[0];
    return { t, body, make, toggle, changes: () => changes };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

for (const language of ["en", "ja", "es"]) {
    Deno.test(`${language}: readings since the alarm are shown only where that is chosen`, async () => {
        // By itself it is since they joined, of which a version before knows nothing.
        for (const [presses, sent] of [{}, { readings: "sinceAlarm" }, {}].entries()) {
            /** @type {any[]} */
            const asked = [];
            const { t, body, make, toggle, changes } = await openInvitation(language, (path, given) => {
                asked.push([path, given]);
                return Promise.resolve({ data: { link } });
            });
            equal(toggle.getAttribute("aria-label"), t("sharing.alarm"));
            equal(toggle.getAttribute("aria-checked"), "false");
            for (let press = 0; press < presses; press++) toggle.click();
            make.click();
            await settled();
            same(asked, [["/devices/pond-1/invitations", sent]]);
            ok(body.told.includes(link) && !body.contains(toggle));
            equal(changes(), 1);
        }
    });
}

Deno.test("what failed is told, and can be tried again", async () => {
    const { body, make, toggle, changes } = await openInvitation("en", () => Promise.reject(new Error()));
    toggle.click();
    make.click();
    await settled();
    ok(body.told.includes("It failed") && body.contains(toggle) && !body.told.includes(link));
    equal(changes(), 0);
});
