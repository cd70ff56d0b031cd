/** The choice of a language before anybody is signed in. */

import { languages } from "../../lang/languages.js";
import { h } from "../../page/dom.js";

/**
 * @param {import("../../app/context.js").Context} context
 */
export function createLanguageChoice({ t, speak }) {
    const codes = Object.keys(languages);
    return h(
        "ul",
        { class: "languages", "aria-label": t("start.language") },
        ...codes.map((code) =>
            h(
                "li",
                null,
                h("button", {
                    type: "button",
                    lang: code,
                    "aria-pressed": String(code === t.language),
                    onclick: () => speak(code),
                }, languages[code]),
            )
        ),
    );
}
