/** A code in place of the challenge, for receivers that cannot answer one and show people what they are sent. */

import { createButton } from "../../components/button/button.js";
import { createProblem } from "../../components/page/page.js";
import { h, set } from "../../page/dom.js";
import { isProblem } from "../../words/problem.js";
import { typeCode } from "./code.js";

/** @typedef {import("./form.js").Form & {url: string}} Webhook */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} act
 * @param {() => void} act.leave Makes room for the sheet that asks for the code.
 * @param {(registered: {secret: string}) => void} act.registered
 */
export function createCodeOffer(context, { leave, registered }) {
    const { t, api } = context;
    const problem = createProblem();
    /** @type {Webhook | null} */
    let offered = null;
    const button = createButton({ text: t("notifications.send_code"), busyText: t("notifications.sending_code"), press: send });
    const element = h(
        "div",
        { class: "webhook-code", hidden: true },
        h("p", { class: "small quiet" }, t("notifications.code_offer")),
        problem.element,
        button.element,
    );

    async function send() {
        const webhook = offered;
        if (!webhook) return;
        problem.show("");
        try {
            const { data } = await api.post("/webhook-codes", webhook);
            leave();
            typeCode(context, {
                name: t("notifications.webhook"),
                place: new URL(webhook.url).host,
                register: (code) => api.post("/coded-webhooks", { proof: data.proof, code }, { once: true }),
                done: registered,
            });
        } catch (error) {
            const fault = isProblem(error) ? error.faultOf("template") : null;
            problem.show(fault?.detail ?? context.explain(error));
        }
    }

    /** @param {Webhook | null} webhook The one that did not answer; null: none. */
    function show(webhook) {
        offered = webhook;
        problem.show("");
        set(element, "hidden", webhook === null);
    }

    return { element, show };
}
