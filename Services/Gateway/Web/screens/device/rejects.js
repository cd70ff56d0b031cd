/** What the device sent and could not be read: for its owner, a row for each kind, with a sample behind it. */

import { createRow } from "../../components/list-row/list-row.js";
import { h, set } from "../../page/dom.js";
import { adviceText, countText, reasonText, seenKey } from "../../water/rejects.js";

/** @typedef {import("../../water/rejects.js").Reject} Reject */

/** Somebody who sets a device up looks here while they try. */
const interval = 30_000;

/**
 * Nothing shows for a device whose messages can all be read.
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../water/tanks.js").Device} device
 */
export function createRejects(context, device) {
    const { t, api, format, preferences } = context;
    const list = h("ul", { class: "rows surface" });
    const element = h(
        "section",
        { class: "rejects", hidden: true },
        h("h2", { class: "section-head" }, t("rejects.title")),
        list,
        h("p", { class: "rows-note" }, t("rejects.note")),
    );
    let shown = "";
    let hasEnded = false;

    async function read() {
        try {
            const { data } = await api.get(`/devices/${encodeURIComponent(device.id)}/rejects`);
            if (!hasEnded) show(data);
        } catch {
            // What is known stays, with its times.
        }
    }

    /** @param {Reject[]} rejects */
    function show(rejects) {
        set(element, "hidden", rejects.length === 0);
        const first = rejects.map(({ firstAt }) => firstAt).sort((one, other) => Date.parse(one) - Date.parse(other)).at(-1);
        if (first) preferences.note(seenKey(device.id), first);
        const key = JSON.stringify(rejects);
        // A finger or a keyboard may be on a row.
        if (key === shown) return;
        shown = key;
        list.replaceChildren(...rejects.map((reject) =>
            createRow({
                name: reasonText(context, reject),
                detail: countText(context, reject, Date.now()),
                press: () => showSample(reject),
            }).element
        ));
    }

    /** @param {Reject} reject */
    function showSample(reject) {
        const { sample, topic, detail, lastAt } = reject;
        const reason = reasonText(context, reject);
        context.sheet({
            title: reason.charAt(0).toLocaleUpperCase(format.locale) + reason.slice(1),
            lead: adviceText(context, reject),
            body: [
                h("p", { class: "small quiet" }, t("rejects.last", { at: format.at(Date.parse(lastAt)) })),
                sample === "" ? null : h("p", { class: "reject-sample", dir: "ltr" }, sample),
                h("p", { class: "small quiet reject-topic", dir: "ltr" }, topic),
                h("p", { class: "small quiet", lang: "en" }, detail),
            ],
        });
    }

    read();
    const timer = setInterval(() => {
        if (!document.hidden) read();
    }, interval);
    return {
        element,
        remove() {
            hasEnded = true;
            clearInterval(timer);
        },
    };
}
