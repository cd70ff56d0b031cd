/** A list of devices, typed or from a file: looked through before anything is made, and nothing is while anything in it is wrong. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createProblem } from "../../components/page/page.js";
import { h, set, setText } from "../../page/dom.js";
import { columns, longest, wishedOf } from "../../water/enrolment.js";
import { createBegin } from "./begin.js";
import { foundIn } from "./found.js";

/** The mark in place of letters in a file of another encoding. */
const unread = "\ufffd";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/enrolment.js").Enrolment} enrolment
 */
export function createListing(context, enrolment) {
    const { t } = context;
    /** Counts what was typed: what was found in an earlier text is not shown beside another. */
    let turn = 0;
    /** @type {import("../../water/enrolment.js").Looked | null} */
    let looked = null;
    const list = createField({ label: t("enrol.list"), name: "csv", value: `${columns.join(",")}\n`, rows: 8, onInput: forget });
    list.setHint(t("enrol.list_text", { needed: columns[0] }));
    const file = h("input", { hidden: true, type: "file", accept: ".csv,.txt,text/csv,text/plain", onchange: () => void takeFile() });
    const open = createButton({ text: t("enrol.file"), kind: "outlined", press: () => file.click() });
    const look = createButton({ text: t("enrol.look"), busyText: t("enrol.looking"), kind: "primary", press: lookThrough });
    const problem = createProblem();
    const found = h("div", { role: "region", "aria-label": t("enrol.found") });
    /** The gist of it for readers, who need not hear a thousand lines. */
    const gist = h("p", { class: "visually-hidden", role: "status" });
    const begin = createBegin(context, enrolment, () => looked && wishedOf(looked));
    set(begin.element, "hidden", true);

    function forget() {
        turn += 1;
        looked = null;
        problem.show("");
        found.replaceChildren();
        setText(gist, "");
        set(begin.element, "hidden", true);
    }

    async function takeFile() {
        const chosen = file.files?.[0];
        if (!chosen) return;
        const text = chosen.size > longest * 4 ? null : (await chosen.text()).replace(/^\ufeff/, "");
        // The same file may be chosen again, after it was mended.
        file.value = "";
        forget();
        if (text === null || text.length > longest) return problem.show(t("enrol.file_large"));
        if (text.includes(unread) || text.includes("\0")) return problem.show(t("enrol.file_letters"));
        list.value = text;
        look.element.focus();
    }

    async function lookThrough() {
        forget();
        const mine = turn;
        if (list.value.length > longest) return problem.show(t("enrol.file_large"));
        try {
            const answer = await enrolment.look(list.value);
            if (mine !== turn) return;
            looked = answer;
            const wished = wishedOf(answer);
            found.replaceChildren(...foundIn(context, answer));
            setText(gist, answer.faults.length > 0 ? t("enrol.faults", { count: answer.faults.length }) : t("enrol.found_new", { count: wished.length }));
            const mayBegin = answer.faults.length === 0 && wished.length > 0;
            set(begin.element, "hidden", !mayBegin);
            begin.show(wished.length);
        } catch (error) {
            if (mine === turn) problem.show(context.explain(error));
        }
    }

    return {
        element: h(
            "div",
            { class: "form" },
            h("div", { class: "surface form enrol-form" }, list.element, file, h("div", { class: "buttons" }, look.element, open.element)),
            problem.element,
            gist,
            found,
            begin.element,
        ),
    };
}
