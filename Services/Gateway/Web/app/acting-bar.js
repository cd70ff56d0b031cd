/**
 * The strip above every screen that says as which project this window acts, and what other administrators change of it meanwhile: the stream
 * of events is the person's own.
 */

import { h } from "../page/dom.js";
import { act } from "./acting.js";

/** The project's devices and limits are read again so often, in milliseconds, and when the window is seen again. */
const renewal = 180_000;

/**
 * @param {HTMLElement} shell
 * @param {import("./context.js").Context} context
 * @param {import("./acting.js").Acting} acting
 */
export function showActing(shell, { t, store }, { name }) {
    const text = t("projects.acting", { name });
    const end = h("button", { class: "button button-text", type: "button", onclick: () => act(null) }, t("projects.act_end"));
    shell.before(h("aside", { class: "acting", "aria-label": text }, h("p", null, text), end));
    const renew = () => {
        // What is not to be had now is asked for again later.
        if (!document.hidden) store.refresh(["devices", "parameters"]).catch(() => {});
    };
    setInterval(renew, renewal);
    document.addEventListener("visibilitychange", renew);
}
