/** Before the browser's question: what an alert looks like, and what is promised. On an iPhone: how to get there. */

import { h } from "../../page/dom.js";
import { createButton } from "../button/button.js";
import { createShape } from "../shape/shape.js";
import { createMark, createSymbol } from "../symbol/symbol.js";

/** @typedef {import("../../app/context.js").Context} Context */

/**
 * @param {Context} context
 * @param {object} act
 * @param {() => Promise<void>} act.on
 * @param {() => void} [act.later]
 */
export function createPromises({ t, format }, { on, later }) {
    const promises = [
        [createShape("low"), t("notifications.once"), t("notifications.once_text")],
        [createSymbol("clock"), t("notifications.again"), t("notifications.again_text")],
        [createShape("fine"), t("notifications.over"), t("notifications.over_text")],
    ];
    return h(
        "section",
        { class: "promises surface" },
        h(
            "div",
            { class: "promises-phone", "aria-hidden": "true" },
            h("p", { class: "promises-clock" }, format.clock(Date.now())),
            h(
                "div",
                { class: "promises-alert" },
                createMark(),
                h(
                    "div",
                    null,
                    h("p", { class: "promises-title" }, t("water.dissolved_oxygen_low"), h("span", { class: "small" }, t("notifications.now"))),
                    h("p", null, t("notifications.example", { value: format.number(6.9, 1), limit: format.number(7, 1) })),
                ),
            ),
        ),
        h("h2", { class: "title" }, t("notifications.here")),
        h("ul", { class: "promises-list" }, ...promises.map(([icon, strong, text]) =>
            h("li", null, h("span", { class: "start-icon" }, icon), h("span", null, h("strong", null, strong), " ", h("span", { class: "quiet" }, text))))),
        createButton({ text: t("notifications.turnOn"), busyText: t("notifications.turningOn"), kind: "primary", press: on }).element,
        later ? createButton({ text: t("notifications.later"), kind: "text", press: later }).element : null,
    );
}

/** @param {Context} context */
export function createSteps({ t }) {
    const steps = [
        [createSymbol("share"), t("notifications.step1"), t("notifications.step1_text")],
        [createSymbol("addBox"), t("notifications.step2"), t("notifications.step2_text")],
        [createMark(), t("notifications.step3"), t("notifications.step3_text")],
    ];
    return h(
        "section",
        { class: "promises surface" },
        h("h2", { class: "title" }, t("notifications.first")),
        h("p", { class: "quiet" }, t("notifications.first_text")),
        h("ol", { class: "promises-list" }, ...steps.map(([icon, strong, text]) =>
            h(
                "li",
                null,
                h("span", { class: "promises-step" }, icon),
                h("span", null, h("strong", null, strong), h("span", { class: "quiet promises-how" }, text)),
            ))),
    );
}
