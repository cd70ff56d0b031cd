/** A sample that was changed here and elsewhere: what both say, side by side, and a choice for each of it. */

import { createButton } from "../../components/button/button.js";
import { createProblem } from "../../components/page/page.js";
import { createShape } from "../../components/shape/shape.js";
import { h, set } from "../../page/dom.js";
import { contentIn, contentOf } from "../../water/field/draft.js";
import { merged } from "../../water/field/conflict.js";
import { partName, partText } from "../../water/field/text.js";

/** @typedef {import("../../water/field/draft.js").Draft} Draft */
/** @typedef {import("../../water/field/draft.js").Sample} Sample */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/field/field.js").FieldWork} field
 * @param {Draft} draft
 * @param {() => void} settled
 */
export function createConflict(context, field, draft, settled) {
    const { t, format } = context;
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const list = h("ul", { class: "field-both" });
    const lead = h("p", { class: "quiet" }, t("field.conflict_coming"));
    const button = createButton({ text: t("field.conflict_keep"), kind: "primary", isLarge: true, press: keep });
    const element = h("section", { class: "field-conflict surface" }, h("h2", { class: "name" }, createShape("fault"), " ", t("field.conflict")), lead, problem.element, list, button.element);
    /** @type {Sample | null} */
    let theirs = null;
    /** @type {Record<string, 'mine' | 'theirs'>} */
    let chosen = {};
    button.element.hidden = true;

    async function read() {
        problem.show("");
        try {
            theirs = await field.samples.one(draft.id);
            chosen = {};
            show();
        } catch (error) {
            problem.show(context.explain(error, "read"));
        }
    }

    function show() {
        if (!theirs) return;
        const name = theirs.author?.isMe ? t("field.other_phone") : theirs.author?.name ?? t("journal.nobody");
        const when = theirs.changedAt ? format.at(Date.parse(theirs.changedAt)) : "";
        lead.textContent = theirs.state === "withdrawn" ? t("field.conflict_withdrawn", { name }) : t("field.conflict_text", { name, at: when });
        // What was withdrawn says nothing any more that could be chosen.
        const open = theirs.state === "withdrawn" ? [] : merged(draft.base?.content ?? null, contentOf(draft), contentIn(theirs)).open;
        list.replaceChildren(...open.map(({ part, mine, theirs: other }) => {
            const options = /** @type {const} */ ([["mine", t("field.mine"), mine], ["theirs", name, other]]);
            const buttons = options.map(([which, who, said]) =>
                h(
                    "button",
                    { class: "choice field-side", type: "button", "aria-pressed": "false", onclick: () => choose(part, which, buttons) },
                    h("span", { class: "choice-text" }, h("span", { class: "small quiet" }, who), h("span", null, partText(context, part, said, draft.protocol))),
                )
            );
            return h("li", null, h("p", { class: "hand-name" }, partName(context, part, draft.protocol)), h("div", { class: "field-sides", role: "group" }, buttons));
        }));
        set(button.element, "hidden", false);
        button.setEnabled(open.length === 0);
    }

    /** @param {string} part @param {'mine' | 'theirs'} which @param {HTMLElement[]} buttons */
    function choose(part, which, buttons) {
        chosen = { ...chosen, [part]: which };
        buttons.forEach((one, index) => set(one, "aria-pressed", String((index === 0) === (which === "mine"))));
        button.setEnabled(Object.keys(chosen).length === list.childElementCount);
    }

    async function keep() {
        if (!theirs) return;
        const open = await field.settle(draft.id, theirs, chosen);
        if (open.length === 0) settled();
    }

    void read();
    return { element };
}
