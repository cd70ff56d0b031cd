/** One alert, for whoever has its link: what is the matter, and what to answer. */

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
        path: "/answers",
        title: context.t("alerts.one"),
        app: { text: (t) => t("alerts.all"), href: "/alerts" },
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
