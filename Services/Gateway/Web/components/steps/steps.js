/**
 * What happened one after the other, along a line: each with its time, its shape and its words.
 */

import { stepShape } from "../../kinds/index.js";
import { h } from "../../page/dom.js";
import { inDays } from "../../water/why.js";
import { createShape } from "../shape/shape.js";

/** @typedef {import("../../water/why.js").Explanation} Explanation */
/** @typedef {import("../../water/why.js").Step} Step */

/**
 * @param {import("../../words/format.js").Voice} context
 * @param {Explanation} explanation
 * @param {number} now
 * @param {string} [here] The id of the alert that is on the screen, to which no step leads.
 */
export function createSteps({ t, format }, { steps, complete }, now, here) {
    const days = inDays(steps, (time) => format.day(time, now), now);
    return h(
        "div",
        null,
        complete ? null : h("p", { class: "small quiet" }, t("why.cut")),
        ...days.flatMap(({ name, steps }) => [
            name === "" ? null : h("h3", { class: "steps-day small quiet" }, name),
            h("ol", { class: "told told-marked surface" }, ...steps.map((step) => createStep(step))),
        ]),
    );

    /** @param {Step} step */
    function createStep(step) {
        const leads = step.alert !== null && step.alert !== here;
        return h(
            "li",
            null,
            h("span", { class: "told-time" }, format.clock(Date.parse(step.time))),
            h("span", { class: "told-mark told-quiet" }, createShape(stepShape(step))),
            h(
                "p",
                null,
                leads ? h("a", { href: `/alerts/${encodeURIComponent(step.alert ?? "")}` }, step.text) : step.text,
            ),
        );
    }
}
