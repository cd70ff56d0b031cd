/**
 * The frames of most screens: a headline above the line, a bar with a way back, and what strangers see.
 */

import { h, set } from "../../page/dom.js";
import { createIcon } from "../shape/shape.js";
import { createShape } from "../shape/shape.js";

/** @typedef {import("../../app/context.js").Context} Context */

/**
 * A screen of a tab: a headline with a sentence, and water below.
 * @param {object} model
 * @param {string} model.title
 * @param {string} [model.lead]
 * @param {Node | null} [model.action] At the right of the headline.
 * @param {Node | null} [model.top] A way back, where something leads to the screen.
 */
export function createTabPage({ title, lead = "", action = null, top = null }) {
    const headline = h("h1", { class: "headline", tabindex: "-1" }, title);
    const text = h("p", { class: "quiet" }, lead);
    const body = h("div", { class: "water page-water" });
    const air = h("header", { class: "air page-air" }, top ? h("div", { class: "page-top" }, top) : null, h("div", { class: "page-head" }, headline, action), text);
    return { parts: [air, body], air, headline, lead: text, body };
}

/**
 * A screen that something leads to: a bar with a way back, and water below.
 * @param {Context} context
 * @param {object} model
 * @param {string} model.title
 * @param {string} [model.subtitle]
 * @param {string} model.back Where the way back leads when the person came from elsewhere.
 * @param {Node | null} [model.action]
 */
export function createSubPage(context, { title, subtitle = "", back, action = null }) {
    const heading = h("h1", { tabindex: "-1" }, title);
    const below = h("p", { hidden: subtitle === "" }, subtitle);
    const body = h("div", { class: "water page-water" });
    const bar = h(
        "header",
        { class: "air page-bar" },
        h(
            "div",
            { class: "screen-bar" },
            createBack(context, back),
            h("div", { class: "screen-bar-name" }, heading, below),
            action ?? h("span"),
        ),
    );
    return {
        parts: [bar, body],
        heading,
        body,
        /** @param {string} text */
        setSubtitle(text) {
            below.textContent = text;
            set(below, "hidden", text === "");
        },
    };
}

/**
 * A screen that needs nobody to be signed in: a headline over a still line, and one narrow column of water.
 * @param {object} model
 * @param {Element} model.top The mark, or a way back.
 * @param {string} model.title
 * @param {string} [model.lead]
 */
export function createStartPage({ top, title, lead = "" }) {
    const headline = h("h1", { class: "headline", tabindex: "-1" }, title);
    const text = h("p", { class: "quiet" }, lead);
    const body = h("div", { class: "column" });
    const air = h("div", { class: "air start-air" }, h("div", { class: "column" }, top, headline, text));
    return { parts: [air, h("div", { class: "water start-water" }, body)], headline, lead: text, body };
}

/**
 * @param {Context} context
 * @param {string} otherwise
 */
export function createBack({ t, back }, otherwise) {
    return h(
        "button",
        { class: "icon-button back", type: "button", "aria-label": t("common.back"), onclick: () => back(otherwise) },
        createIcon("back"),
    );
}

/**
 * A place for what went wrong, in words.
 * @param {{text: string, press: () => void}} [again] A button below the words.
 */
export function createProblem(again) {
    const element = h("div", { class: "problem", role: "alert" });
    return {
        element,
        /** @param {string} text Empty: nothing. */
        show(text) {
            element.replaceChildren(
                ...(text === "" ? [] : [
                    createShape("fault"),
                    h("p", null, text),
                    again ? h("button", { class: "button", type: "button", onclick: again.press }, again.text) : null,
                ]).filter((part) => part !== null),
            );
        },
    };
}

/**
 * What a screen says where there is nothing to list, and what leads on.
 * @param {string} text
 * @param {{text: string, href: string, isPrimary?: boolean}} [link]
 */
export function createEmpty(text, link) {
    return h(
        "div",
        { class: "empty" },
        h("p", { class: "quiet" }, text),
        link ? h("a", { class: link.isPrimary ? "button button-primary" : "button", href: link.href }, link.text) : null,
    );
}
