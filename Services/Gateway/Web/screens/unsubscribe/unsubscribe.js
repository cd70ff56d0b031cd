/** The end of alerts by mail to an address, for whoever has the link of such a mail. Nothing ends before the button is pressed. */

import { followLink, linkToken } from "../../app/link-token.js";
import { focusHeading } from "../../app/router.js";
import { createButton } from "../../components/button/button.js";
import { createProblem, createStartPage } from "../../components/page/page.js";
import { createMark } from "../../components/symbol/symbol.js";
import { h } from "../../page/dom.js";
import { isProblem } from "../../words/problem.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api } = context;
    context.title(t("unsubscribe.title"));
    const token = linkToken();
    const page = createStartPage({ top: createMark(), title: t("unsubscribe.ask"), lead: t("unsubscribe.ask_text") });
    const problem = createProblem();
    const button = createButton({
        text: t("unsubscribe.stop"),
        busyText: t("unsubscribe.stopping"),
        kind: "primary",
        isLarge: true,
        press: stop,
    });

    async function stop() {
        problem.show("");
        try {
            await api.post(`/unsubscriptions/${encodeURIComponent(token)}`, {}, { anonymous: true });
            end(t("unsubscribe.done"), t("unsubscribe.done_text"));
        } catch (error) {
            if (isProblem(error) && error.code === "not-found") end(t("unsubscribe.title"), t("unsubscribe.unknown"));
            else problem.show(context.explain(error));
        }
    }

    /**
     * @param {string} headline
     * @param {string} lead
     */
    function end(headline, lead) {
        page.headline.textContent = headline;
        page.lead.textContent = lead;
        page.body.replaceChildren(
            h("a", { class: "button button-large", href: "/settings/notifications" }, t("unsubscribe.notifications")),
        );
        focusHeading(root);
    }

    page.body.append(problem.element, button.element);
    root.replaceChildren(...page.parts);
    if (token === "") end(t("unsubscribe.title"), t("common.incomplete"));
    return { unmount: followLink(context.remount) };
}
