/** What a stranger sees first: what this is, in one sentence and three promises. */

import { h } from "../../app/dom.js";
import { createMark } from "../../components/symbol/symbol.js";
import { createShape } from "../../components/shape/shape.js";
import { createSymbol } from "../../components/symbol/symbol.js";
import { createLanguageChoice } from "../sign-in/language.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t } = context;
    context.title("");
    const promises = [
        [createShape("high"), t("start.promise_limits")],
        [createSymbol("alerts"), t("start.promise_alerts")],
        [createSymbol("devices"), t("start.promise_devices")],
    ];
    root.replaceChildren(
        h(
            "div",
            { class: "air start-air" },
            h(
                "div",
                { class: "column" },
                createMark(),
                h("h1", { class: "headline", tabindex: "-1" }, t("start.tagline")),
                h("p", { class: "quiet" }, t("start.what")),
            ),
        ),
        h(
            "div",
            { class: "water start-water" },
            h(
                "div",
                { class: "column" },
                h("ul", { class: "start-promises" }, ...promises.map(([icon, text]) =>
                    h("li", null, h("span", { class: "start-icon" }, icon), h("span", null, text)))),
                h("a", { class: "button button-primary button-large", href: "/sign-up" }, t("start.signUp")),
                h("a", { class: "button button-text button-large", href: "/sign-in" }, t("start.haveAccount")),
                createLanguageChoice(context),
            ),
        ),
    );
    return { unmount() {} };
}
