/**
 * What the parts of Care have in common above the line: the headline with a sentence, the way to each part, and what adds to it. In a large
 * window the parts stand beside each other, and what is added has words.
 */

import { h, set, setText } from "../../page/dom.js";
import { createIcon } from "../shape/shape.js";
import { createSymbol } from "../symbol/symbol.js";

/** @typedef {'due' | 'calendar' | 'journal'} CarePart */

/**
 * @typedef {object} CareAction
 * @property {string} text
 * @property {string} [href]
 * @property {() => void} [press]
 * @property {boolean} [isPrimary]
 */

/**
 * @typedef {object} CareHeadModel
 * @property {CarePart} part
 * @property {string} headline
 * @property {string} sentence
 * @property {string} label What the parts are called together, for readers.
 * @property {Record<CarePart, string>} names
 * @property {string} [over] Above the headline in a large window.
 * @property {CareAction | null} [add] What `+` adds to the part.
 * @property {readonly (CareAction & {icon: import("../shape/shape.js").IconName})[]} [steps] The way to what comes before and after.
 * @property {readonly CareAction[]} [actions] What can be added in a large window, in its place.
 */

/** @type {readonly [CarePart, string][]} */
const parts = [["due", "/care"], ["calendar", "/care/calendar"], ["journal", "/care/journal"]];

export function createCareHead() {
    const over = h("p", { class: "care-over quiet" });
    const headline = h("h1", { class: "headline", tabindex: "-1" });
    const sentence = h("p", { class: "quiet" });
    const add = h("span", { class: "care-add" });
    const steps = h("span", { class: "care-steps" });
    const actions = h("div", { class: "care-actions" });
    const links = parts.map(([, href]) => h("a", { href }));
    const nav = h("nav", { class: "segmented care-parts" }, ...links);
    const element = h(
        "header",
        { class: "air page-air care-air" },
        h("div", { class: "page-head care-head" }, h("div", null, over, headline), steps, add, actions),
        sentence,
        nav,
    );
    /** What the buttons do now. @type {{add: CareAction | null, steps: NonNullable<CareHeadModel["steps"]>, actions: readonly CareAction[]}} */
    let present = { add: null, steps: [], actions: [] };

    /**
     * @param {HTMLElement} place
     * @param {string} made What the present control is made of.
     * @param {() => HTMLElement[]} make
     */
    function renew(place, made, make) {
        if (place.getAttribute("data-made") === made) return;
        place.setAttribute("data-made", made);
        place.replaceChildren(...make());
    }

    /**
     * @param {CareAction} action
     * @param {Record<string, unknown>} props
     * @param {() => CareAction | null | undefined} now
     * @param {...(Node | string)} children
     */
    const control = ({ href }, props, now, ...children) =>
        href === undefined
            ? h("button", { ...props, type: "button", onclick: () => now()?.press?.() }, ...children)
            : h("a", { ...props, href }, ...children);

    return {
        element,
        headline,
        /** @param {CareHeadModel} model */
        update(model) {
            present = { add: model.add ?? null, steps: model.steps ?? [], actions: model.actions ?? [] };
            setText(over, model.over ?? "");
            set(over, "hidden", !model.over);
            setText(headline, model.headline);
            setText(sentence, model.sentence);
            set(nav, "aria-label", model.label);
            parts.forEach(([part], index) => {
                setText(links[index], model.names[part]);
                set(links[index], "aria-current", part === model.part ? "page" : null);
            });
            renew(add, JSON.stringify(present.add), () => {
                const made = present.add;
                if (!made) return [];
                return [control(made, { class: "icon-button", "aria-label": made.text }, () => present.add, createSymbol("plus"))];
            });
            renew(steps, JSON.stringify(present.steps), () =>
                present.steps.map((step, index) => control(step, { class: "icon-button", "aria-label": step.text }, () => present.steps[index], createIcon(step.icon))));
            renew(actions, JSON.stringify(present.actions), () =>
                present.actions.map((action, index) =>
                    control(action, { class: action.isPrimary ? "button button-primary" : "button" }, () => present.actions[index], action.text)
                ));
        },
    };
}
