/** A sample that the service has no more: it is sent anew with what is on this device, or thrown away. */

import { DraftsFull } from "../../app/field/drafts.js";
import { createButton } from "../../components/button/button.js";
import { createProblem } from "../../components/page/page.js";
import { createShape } from "../../components/shape/shape.js";
import { h, set } from "../../page/dom.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {{renew: () => Promise<void>, discard: () => Promise<void>, leave: () => void}} does
 */
export function createGone({ t, confirm }, { renew, discard, leave }) {
    const problem = createProblem();
    const send = createButton({ text: t("field.gone_send"), busyText: t("field.sending"), kind: "primary", press: sendAnew });
    const away = createButton({ text: t("field.gone_discard"), press: throwAway });
    const element = h(
        "section",
        { class: "field-gone surface", hidden: true },
        h("h2", { class: "name", role: "status" }, createShape("fault"), " ", t("field.gone_title")),
        h("p", { class: "quiet" }, t("field.gone_text")),
        problem.element,
        h("div", { class: "buttons" }, send.element, away.element),
    );

    async function sendAnew() {
        problem.show("");
        try {
            await renew();
            leave();
        } catch (error) {
            problem.show(error instanceof DraftsFull ? t("field.full") : t("field.unkept"));
        }
    }

    async function throwAway() {
        const isSure = await confirm({ title: t("field.discard_title"), text: t("field.discard_text"), action: t("field.discard"), isGrave: true });
        if (isSure) await discard();
    }

    return {
        element,
        /** @param {boolean} isShown */
        show: (isShown) => set(element, "hidden", !isShown),
    };
}
