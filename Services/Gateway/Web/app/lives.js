/** Lives of all devices of a person: read page by page when somebody looks, and anew every two minutes while they do. */

import { signal } from "../page/signals.js";

/** @typedef {import("../water/life.js").Life} Life */

/** The service notes lives every two minutes. */
const interval = 120_000;
/** The most pages: more devices than a person can have in one list. */
const mostPages = 50;

/** @param {Pick<import("./context.js").Context, "api" | "explain">} context */
export function createLives({ api, explain }) {
    /** undefined while they are not known. */
    const known = signal(/** @type {readonly Life[] | undefined} */ (undefined));
    const trouble = signal("");
    /** @type {ReturnType<typeof setInterval> | undefined} */
    let timer;
    let turn = 0;

    async function read() {
        const mine = ++turn;
        try {
            /** @type {Life[]} */
            const all = [];
            /** @type {string | null} */
            let cursor = null;
            for (let page = 0; page < mostPages; page += 1) {
                /** @type {{items: Life[], next: string | null}} */
                const data = (await api.get(`/device-lives?limit=200${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`)).data;
                all.push(...data.items);
                cursor = data.next;
                if (cursor === null) break;
            }
            if (mine !== turn) return;
            trouble.value = "";
            known.value = all;
        } catch (error) {
            // Lives that are known stay.
            if (mine === turn && known.value === undefined) trouble.value = explain(error, "read");
        }
    }

    return {
        known,
        trouble,
        read,
        begin() {
            read();
            timer ??= setInterval(() => {
                if (!document.hidden) read();
            }, interval);
        },
        end() {
            turn += 1;
            clearInterval(timer);
            timer = undefined;
        },
    };
}
