/** Asks to be allowed to alert on this device, where the reason for it is seen; not again once it was answered. */

import * as push from "../../app/push.js";
import { h } from "../../page/dom.js";
import { createPromises } from "./promises.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {() => void} [answered]
 */
export function createOffer(context, answered = () => {}) {
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
