/** What a stranger sees first: what this is, in one sentence and three promises. Its words and its drawings are in the page. */

import { first } from "../../app/begun.js";
import { createLanguageChoice } from "./language.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    context.title("");
    // What stands there already may be pressed at this moment: it stays.
    if (!root.hasChildNodes()) root.append(first().introduction?.(context.t.language) ?? "");
    root.querySelector(".start-water > .column")?.append(createLanguageChoice(context));
    return { unmount() {} };
}
