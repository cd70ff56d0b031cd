/** Tests of one tank that have not reached the service: how far each has come, and what can be done about one that was refused. */

import { createButton } from "../../components/button/button.js";
import { unkeptText } from "../../components/entry/not-kept.js";
import { createShape } from "../../components/shape/shape.js";
import { h, set } from "../../page/dom.js";
import { handText } from "../../water/by-hand.js";
import { listed } from "../../words/sentence.js";

/** @typedef {import("../../water/hand-tests.js").Kept} Kept */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/hand-keeping.js").HandKeeping} keeping
 * @param {string} device
 */
export function createWaiting(context, keeping, device) {
    const { t, format, store } = context;
    const list = h("ul", { class: "hand-findings" });
    const element = h("section", { hidden: true }, h("h2", { class: "name" }, t("byHand.unsent")), list);
    /** What the list is made of. */
    let made = "";

    /** @param {Kept} kept */
    function row(kept) {
        const { test, state, refusal } = kept;
        const values = test.values.map((value) =>
            `${t(`water.${value.parameter}_full`)} ${handText(context, value, store.parameterOf(device, value.parameter))}`
        );
        const detail = refusal === null ? t(`journal.${state}`) : t("journal.refused_text", { problem: refusal.detail || refusal.title });
        const doubts = refusal?.code === "please-confirm";
        return h(
            "li",
            { class: "hand-finding", "data-state": state },
            createShape(refusal === null ? "pending" : "fault"),
            h(
                "div",
                null,
                h("p", null, listed(context, values)),
                h("p", { class: "small quiet" }, `${format.moment(Date.parse(test.at))} · ${doubts ? t("byHand.ask") : detail}`),
                refusal === null ? null : h(
                    "div",
                    { class: "buttons" },
                    doubts ? action("byHand.sure", () => keeping.confirm(kept)) : action("common.retry", () => keeping.retry(kept)),
                    action("journal.give_up", () => keeping.giveUp(kept)),
                ),
            ),
        );
    }

    /**
     * @param {string} text
     * @param {() => Promise<unknown>} run
     */
    const action = (text, run) =>
        createButton({ text: t(text), press: () => void run().catch((error) => context.toast({ text: unkeptText(context, error) })) }).element;

    return {
        element,
        /** @param {string} current The test that the screen itself shows. */
        update(current) {
            const kept = keeping.waiting.value.filter((one) => one.device === device && one.test.id !== current);
            const next = JSON.stringify(kept.map(({ test, state, refusal }) => [test, state, refusal]));
            if (next === made) return;
            made = next;
            set(element, "hidden", kept.length === 0);
            list.replaceChildren(...kept.map(row));
        },
    };
}
