/** Everybody's changes, day by day, the newest first. For operators. */

import { createSubPage } from "../../components/page/page.js";
import { h } from "../../page/dom.js";
import { createChanges } from "../../components/changes/changes.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t } = context;
    context.title(t("operation.changes"));
    const page = createSubPage(context, { title: t("operation.changes"), back: "/settings/operation" });
    const changes = createChanges(context, { path: "/operation/audit" });
    page.body.append(h("p", { class: "quiet" }, t("operation.changes_note")), changes.element);
    root.replaceChildren(...page.parts);
    return { unmount: changes.remove };
}
