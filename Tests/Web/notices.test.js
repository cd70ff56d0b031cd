/** What the home screen tells besides its sentence: "and 2 more" leads to them; a device that was never heard is not fine. */

import { deepStrictEqual as same, doesNotMatch, equal, ok } from "node:assert/strict";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { headlineOf } from "../../Services/Gateway/Web/water/headline.js";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { chooseDevice } from "../../Services/Gateway/Web/screens/home/menus.js";
import { deviceModel } from "../../Services/Gateway/Web/components/device-card/device-model.js";
import { createNotices } from "../../Services/Gateway/Web/screens/home/notices.js";
import { told } from "../../Services/Gateway/Web/screens/home/sentences.js";
import { openPage } from "./page.js";

const now = Date.now();
const names = ["temperature", "ph", "dissolved_oxygen", "ammonia", "nitrate", "nitrite"];

/** @param {string} id @param {number} outside How many parameters are. @returns {any} */
const tank = (id, outside) => ({
    id,
    name: id,
    online: true,
    silentSince: null,
    unreadable: null,
    gauges: names.map((name, index) => ({
        name,
        unit: "ppm",
        colour: "#5882B8",
        range: { minimum: 7, maximum: 9, least: 0, greatest: 20, decimals: 1 },
        value: index < outside ? 6 - index / 10 : 8,
        time: now - 8_000,
        side: index < outside ? "low" : null,
        since: index < outside ? now - 60_000 : null,
        snoozed: null,
        brokenSince: null,
        isFlat: false,
    })),
});

/** @param {string} language @param {any} [store] @returns {Promise<any>} */
async function contextIn(language, store = {}) {
    const t = await loadWords(/** @type {any} */ (language));
    return { t, format: createFormat(language, "UTC", t), preferences: { noted: () => "" }, store };
}

for (const language of ["en", "ja", "es"]) {
    Deno.test(`${language}: "and 3 more" leads to these, and to the first of them`, async () => {
        const { document } = openPage();
        const context = await contextIn(language);
        const notices = createNotices(context);
        const element = /** @type {any} */ (notices.element);
        /** @param {any} one */
        const show = (one) => notices.update(one, headlineOf(one, { state: "live", seenAt: now }, now), now, { first: [], last: [] });
        const rows = () => element.querySelectorAll("a").map((/** @type {any} */ row) => row.getAttribute("href"));
        const more = () => element.querySelector(".home-notices-more");
        const koi = tank("koi", 6);
        show(koi);
        equal(rows().length, 2);
        equal(more().textContent, context.t("home.notices", { count: 3 }));
        const before = element.querySelectorAll("a");
        // Deno has no HTMLElement: whatever can have the focus is one.
        Object.assign(globalThis, { HTMLElement: before[0].constructor });
        more().click();
        equal(rows().length, 5, "each of the others has its row");
        equal(new Set(rows()).size, 5);
        equal(more(), null);
        equal(document.activeElement, element.querySelectorAll("a")[2]);
        same(element.querySelectorAll("a").slice(0, 2), before);
        // A reading does not close it; another tank begins anew.
        show({ ...koi });
        equal(rows().length, 5);
        show(tank("reef", 6));
        equal(rows().length, 2);
        // One more alone has its row: a line that says so would take its place.
        show(tank("pond", 4));
        same([rows().length, more()], [3, null]);
    });

    Deno.test(`${language}: a device that was never heard is not fine, wherever it is told`, async () => {
        const { make } = openPage();
        const heard = tank("koi", 0);
        const never = { ...heard, id: "new", name: "new", gauges: heard.gauges.map((/** @type {any} */ gauge) => ({ ...gauge, value: null, time: null })) };
        for (const one of [never, { ...never, gauges: [] }]) {
            /** @type {any} */
            let sheet = null;
            const context = await contextIn(language, { devices: { value: [] }, tanks: { value: [heard, one] }, current: { value: heard } });
            context.sheet = (/** @type {any} */ model) => (sheet = model, { close() {} });
            const { t } = context;
            const headline = headlineOf(one, { state: "live", seenAt: now }, now);
            const words = told(context, headline, { now, seriesOf: () => null, overall: null });
            const model = deviceModel(context, one, now, false);
            same([headline.kind, headline.fine, words.headline], ["waiting", 0, t("home.waiting")]);
            same([model.shape, model.state, model.isWaiting], [null, t("home.state_waiting"), true]);
            ok(model.label.includes(t("home.state_waiting")));
            doesNotMatch([words.headline, model.label].join(" "), new RegExp(t("home.state_fine")));
            chooseDevice(context);
            const menu = make("div");
            menu.append(...sheet.body);
            const [, fine, waiting] = menu.querySelectorAll(".menu-row-shape"); // behind all tanks
            same([fine.shapes, waiting.shapes], [["fine"], []]);
        }
    });
}
