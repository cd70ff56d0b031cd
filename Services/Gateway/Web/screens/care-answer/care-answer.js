/** What one message asked to be done, for whoever has its link: what became of it, and what to answer. */

import { followLink, linkToken } from "../../app/link-token.js";
import { createLinkPage } from "../../components/link-page/link-page.js";
import { stateOf } from "./states.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const page = createLinkPage(root, context, {
        token: linkToken(),
        path: "/care-answers",
        title: context.t("care.title"),
        app: { text: (t) => t("care.answer_all"), href: "/care" },
        stateOf,
    });
    const end = followLink(context.remount);
    return {
        unmount() {
            page.end();
            end();
        },
    };
}
