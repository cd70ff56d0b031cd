/** The limits that follow, a row each: what and why, what they would have told, and all that are chosen taken over at once. */

import { createTrials } from "../../app/trials.js";
import { createButton } from "../../components/button/button.js";
import { createRow } from "../../components/list-row/list-row.js";
import { createProblem } from "../../components/page/page.js";
import { h, set } from "../../page/dom.js";
import { changesOf, choicesOf, reasonsOf } from "../../water/questions.js";
import { rangeText } from "../../water/range-text.js";
import { toldOf } from "../../water/told-limits.js";
import { isProblem } from "../../words/problem.js";
import { openLimit } from "./limit-sheet.js";
import { clashText, noteOf } from "./reasons.js";

/** @typedef {import("../../water/questions.js").Choice} Choice */
/** @typedef {import("../../water/told-limits.js").Told} Told */
/** @typedef {import("../../water/headline.js").ShapeName} ShapeName */

/** A dash: nobody knows what the limits would have told. @type {ShapeName} */
const unknown = "snoozed";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {{device: string, proposals: readonly import("../../water/questions.js").Proposal[]}} model
 */
export function createLimits(context, { device, proposals }) {
    const { t, store } = context;
    let choices = choicesOf(proposals);
    const trials = proposals.map(({ parameter }) => createTrials(context, { device, name: parameter }));
    /** @type {(string | null)[]} */
    const told = proposals.map(() => null);
    /** What they would have told, as a shape. */
    const shapes = proposals.map(() => unknown);
    const rows = choices.map((choice, index) =>
        createRow({ name: t(`water.${choice.proposal.parameter}_full`), value: "", detail: "", more: [], shape: unknown, press: () => open(index) })
    );
    const problem = createProblem();
    const use = createButton({ text: "", busyText: t("common.saving"), kind: "primary", isLarge: true, press: take });
    const own = h("a", { class: "button", href: `/settings#${encodeURIComponent(device)}` }, t("questions.own"));
    /** The version of the limits that the proposals were laid beside. @type {string | null} */
    let tag = store.parameters.value.get(device)?.tag ?? null;

    /** @param {number} index */
    function show(index) {
        const { proposal, minimum, maximum, isChosen } = choices[index];
        const { reasons, isConvention } = reasonsOf(proposal);
        const names = reasons.map(({ name, sources }) => `${name} · ${sources.join(", ")}`);
        rows[index].update({
            shape: isChosen ? shapes[index] : unknown,
            value: rangeText(context, { minimum, maximum, decimals: proposal.decimals, unit: proposal.unit }),
            detail: names.join(" · "),
            more: [
                ...isConvention ? [t("devices.preset_convention")] : [],
                ...proposal.clash ? [clashText(context, proposal)] : [],
                ...proposal.followsSeason ? [t("questions.season")] : [],
                noteOf(context, choices[index]),
                ...isChosen && told[index] ? [/** @type {string} */ (told[index])] : [],
            ].filter((line) => line !== ""),
        });
    }

    function showButton() {
        const count = changesOf(choices).length;
        use.setText(t("questions.use", { count }));
        use.setEnabled(count > 0);
        set(use.element, "hidden", proposals.length === 0);
    }

    /** @param {number} index */
    function open(index) {
        openLimit(context, {
            device,
            choice: choices[index],
            parameter: store.parameters.value.get(device)?.items.find(({ name }) => name === choices[index].proposal.parameter) ?? null,
            trials: trials[index],
            onChoose(next) {
                choices = choices.map((one, at) => at === index ? next : one);
                told[index] = null;
                shapes[index] = unknown;
                show(index);
                showButton();
                void look(index);
            },
        });
    }

    /**
     * What the limits of a row would have told; without a probe there is nothing to try them on.
     * @param {number} index
     */
    async function look(index) {
        const { proposal, minimum, maximum, isChosen } = choices[index];
        if (proposal.measured === false || !isChosen) return;
        const asked = choices[index];
        const answer = await trials[index].ask(
            { minimum: minimum ?? "none", maximum: maximum ?? "none", days: 30, times: 1 },
            () => choices[index] === asked,
        ).catch(() => null);
        if (!answer || choices[index] !== asked) return;
        const said = toldOf(context, answer);
        told[index] = sentenceOf(said);
        shapes[index] = answer.tooNew || !said ? unknown : answer.results[0].alarms > 0 ? said.side ?? "fault" : "fine";
        show(index);
    }

    /** @param {Told | null} said */
    const sentenceOf = (said) => said && [said.sentence.join(""), ...said.more].join(" ");

    async function take() {
        problem.show("");
        const changes = changesOf(choices);
        if (changes.length === 0) return;
        try {
            await store.changeLimits(device, changes, tag);
            context.toast({ text: t("questions.done", { count: changes.length }) });
            store.choose(device);
            await context.navigate("/");
        } catch (error) {
            const isOther = isProblem(error) && error.status === 412;
            problem.show(isOther ? t("devices.preset_changed") : context.explain(error));
        }
    }

    async function begin() {
        await store.readParameters(device).catch(() => {});
        tag = store.parameters.value.get(device)?.tag ?? tag;
        for (const index of rows.keys()) void look(index);
    }

    rows.forEach((_, index) => show(index));
    showButton();
    void begin();
    return {
        parts: [
            proposals.length > 0 ? h("ul", { class: "rows surface" }, rows.map(({ element }) => element)) : h("span"),
            problem.element,
            h("div", { class: "questions-end" }, use.element, own),
        ],
        end() {
            for (const trial of trials) trial.end();
        },
    };
}
