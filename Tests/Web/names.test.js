/** People who share a device are told by their names; no screen shows another's email address. */

import { deepStrictEqual as same, doesNotMatch, match, strictEqual as equal } from "node:assert/strict";
import { loadWords } from "../../Services/Gateway/Web/lang/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { askForOwnName } from "../../Services/Gateway/Web/screens/account/name.js";
import { createSharing } from "../../Services/Gateway/Web/screens/device/sharing.js";
import { mount as mountJoin } from "../../Services/Gateway/Web/screens/join/join.js";
import { createFormat } from "../../Services/Gateway/Web/words/format.js";
import { Problem } from "../../Services/Gateway/Web/words/problem.js";
import { openPage } from "./page.js";

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/** @param {string} [language] @returns {Promise<any>} */
async function voiceOf(language = "en") {
    const t = await loadWords(language);
    return { t, format: createFormat(language, "UTC", t) };
}

for (const language of ["en", "de", "es", "ja"]) {
    Deno.test(`${language}: a watcher is listed, and removed, by name`, async () => {
        openPage();
        /** @type {string[]} */
        const titles = [];
        const context = {
            ...await voiceOf(language),
            api: { get: (/** @type {string} */ path) => Promise.resolve({ data: path.endsWith("/watchers") ? [{ id: "1", name: "Ana", since: "2026-11-01T00:00:00Z" }] : [] }) },
            confirm: (/** @type {any} */ { title }) => (titles.push(title), Promise.resolve(false)),
        };
        /** @type {any} */
        const { element } = createSharing(/** @type {any} */ (context), /** @type {any} */ ({ id: "koi", name: "Koi" }));
        await settled();
        match(element.told, /Ana\|/);
        doesNotMatch(element.told, /undefined|@/);
        element.querySelectorAll("button")[0].click();
        equal(titles.length, 1);
        match(titles[0], /Ana/);
        doesNotMatch(titles[0], /[{}]/);
    });

    Deno.test(`${language}: whoever is invited is told under which name they are seen`, async () => {
        for (const name of ["Mika", undefined]) {
            const { make } = openPage();
            Object.defineProperty(globalThis, "location", { value: new URL("https://water.example/join#aqw_1"), configurable: true });
            const { t, format } = await voiceOf(language);
            const root = make("main");
            const account = signal(/** @type {any} */ (null));
            const { unmount } = mountJoin(root, /** @type {any} */ ({
                t,
                format,
                title() {},
                api: { post: () => Promise.resolve({ data: { deviceName: "Koi", state: "open" } }) },
                session: { state: { value: "in" } },
                store: { account },
            }));
            await settled();
            const [note] = root.having("class", "start-note");
            equal(note.textContent, t("join.seen"), "while that is not known yet");
            account.value = { email: "mika@example.org", name };
            await settled();
            equal(note.textContent, name ? t("join.seenAs", { name }) : t("join.seen"));
            doesNotMatch(note.textContent, /example\.org/);
            unmount();
        }
    });
}

/** @param {any} store */
async function openName(store) {
    const { document } = openPage();
    /** @type {any} */
    let sheet = null;
    let closed = 0;
    askForOwnName(/** @type {any} */ ({
        ...await voiceOf(),
        store,
        explain: (/** @type {Error} */ error) => `explained: ${error.name}`,
        sheet: (/** @type {any} */ model) => (sheet = model, { close: () => closed += 1 }),
    }));
    const [form] = sheet.body;
    return {
        form,
        document,
        input: form.querySelector("input"),
        closed: () => closed,
        async send() {
            form.dispatchEvent(new Event("submit", { cancelable: true }));
            await settled();
        },
    };
}

Deno.test("the person's own name is changed, is read again as it holds, and left empty it is the service's", async () => {
    /** @type {any[]} */
    const asked = [];
    const store = {
        settings: { value: { name: "Mika" } },
        account: { value: { name: "Mika" } },
        changeSettings: (/** @type {any} */ change) => Promise.resolve(void asked.push(change)),
        refresh: (/** @type {any} */ parts) => Promise.resolve(void asked.push(parts)),
    };
    const { input, send, closed } = await openName(store);
    equal(input.getAttribute("maxlength"), "40");
    input.value = "  Mika K.  ";
    await send();
    same([asked, closed()], [[{ name: "Mika K." }, ["settings"]], 1]);
    asked.length = 0;
    const again = await openName(store);
    again.input.value = "   ";
    await again.send();
    same(asked, [{ name: null }, ["settings"]]);
});

Deno.test("a name that was changed elsewhere meanwhile is said to be", async () => {
    let reads = 0;
    const { form, input, send, closed } = await openName({
        settings: { value: { name: null } },
        account: { value: { name: "mika" } },
        changeSettings: () => Promise.reject(new Problem(412, {}, null)),
        readSettings: () => Promise.resolve(void (reads += 1)),
    });
    equal(input.getAttribute("placeholder"), "mika");
    input.value = "Mika";
    await send();
    same([reads, closed()], [1, 0]);
    match(form.told, /explained: ChangedElsewhere/);
});
