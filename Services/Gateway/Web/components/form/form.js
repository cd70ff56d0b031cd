/**
 * A form of fields with one button. What is wrong with a field is told beside it, anything else below them; what was typed stays.
 */

import { h } from "../../page/dom.js";
import { isProblem } from "../../words/problem.js";
import { createButton } from "../button/button.js";
import { createProblem } from "../page/page.js";

/** @typedef {{name: string, what: string, todo?: string}} FieldFault */

/**
 * @typedef {object} FormModel
 * @property {{name: string, field: import("../field/field.js").Field}[]} fields By the names that the service gives them.
 * @property {Node[]} [hidden] What only password managers read.
 * @property {string} text
 * @property {string} busyText
 * @property {import("../button/button.js").ButtonModel["kind"]} [kind]
 * @property {boolean} [isLarge]
 * @property {() => Promise<unknown>} submit
 * @property {(problem: import("../../words/problem.js").Problem) => FieldFault | null} [faultOf] The field that a problem is about,
 *     where the service does not name one.
 */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {FormModel} model
 */
export function createForm(context, { fields, hidden = [], text, busyText, kind = "primary", isLarge = false, submit, faultOf }) {
    const problem = createProblem();
    const button = createButton({ text, busyText, kind, isLarge, isSubmit: true });
    const form = h(
        "form",
        { class: "form", novalidate: true },
        ...hidden,
        ...fields.map(({ field }) => field.element),
        problem.element,
        button.element,
    );

    /** @param {unknown} error @returns {FieldFault | null} */
    function found(error) {
        if (!isProblem(error)) return null;
        for (const { name } of fields) {
            const fault = error.faultOf(name);
            if (fault) return { name, what: fault.detail };
        }
        return faultOf?.(error) ?? null;
    }

    /** @param {unknown} error */
    function tell(error) {
        const fault = found(error);
        const field = fields.find(({ name }) => name === fault?.name)?.field;
        if (!fault || !field) return problem.show(context.explain(error));
        field.setFault({ what: fault.what, todo: fault.todo });
        field.focus();
    }

    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (button.isBusy) return;
        problem.show("");
        button.setBusy(true);
        try {
            await submit();
        } catch (error) {
            tell(error);
        } finally {
            button.setBusy(false);
        }
    });
    return form;
}
