/** The strip above every screen that says as which project this window acts. */

import { h } from "../page/dom.js";
import { act } from "./acting.js";

/**
 * @param {HTMLElement} shell
 * @param {import("./context.js").Context} context
 * @param {import("./acting.js").Acting} acting
 */
export function showActing(shell, { t }, { name }) {
    const text = t("projects.acting", { name });
    const end = h("button", { class: "button button-text", type: "button", onclick: () => act(null) }, t("projects.act_end"));
    shell.before(h("aside", { class: "acting", "aria-label": text }, h("p", null, text), end));
}
