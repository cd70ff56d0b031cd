/** Asks to be allowed to alert on this device, where the reason for it is seen; not again once it was answered. */

import { h } from "../../page/dom.js";
import { createPromises } from "./promises.js";

/**
 * Alerts on this device.
 * @typedef {object} Pushing
 * @property {(api: Context["api"]) => Promise<{state: string}>} standingOf
 * @property {(api: Context["api"]) => Promise<string>} turnOn
 */

/** @typedef {import("../../app/context.js").Context} Context */

/**
 * @param {Context} context
 * @param {object} parts
 * @param {Pushing} parts.push
 * @param {() => void} [parts.answered]
 */
export function createOffer(context, { push, answered = () => {} }) {
    const { t, api, store, preferences } = context;
    const element = h("div", { class: "promises-offer" });
    let hasEnded = false;

    async function show() {
        if (preferences.has("push-asked") || !(store.devices.value?.length ?? 0)) return;
        try {
            const { state } = await push.standingOf(api);
            if (hasEnded || state !== "off") return;
        } catch {
            return; // asked another time
        }
        element.replaceChildren(createPromises(context, { on: turnOn, later: close }));
    }

    async function turnOn() {
        try {
            if (await push.turnOn(api) !== "dismissed") close();
        } catch (error) {
            context.toast({ text: error instanceof DOMException ? t("notifications.noService") : context.explain(error) });
        }
    }

    function close() {
        preferences.mark("push-asked", true);
        element.replaceChildren();
        answered();
    }

    show();
    return {
        element,
        end() {
            hasEnded = true;
        },
    };
}
