/** The limits that follow, a row each: what and why, what they would have told, and all that are chosen taken over at once. */

import { createTrials } from "../../app/trials.js";
import { createButton } from "../../components/button/button.js";
import { createProblem } from "../../components/page/page.js";
import { h, set } from "../../page/dom.js";
import { changesOf, choicesOf, differenceOf, reasonsOf } from "../../water/questions.js";
import { rangeText } from "../../water/range-text.js";
import { toldOf } from "../../water/told-limits.js";
import { isProblem } from "../../words/problem.js";
import { joined } from "../../words/sentence.js";
import { createLimitRow } from "./limit-row.js";
import { openLimit } from "./limit-sheet.js";
import { clashText, freeText, notesOf, sourcesText, toldText } from "./reasons.js";

/** @typedef {import("../../water/questions.js").Choice} Choice */
/** @typedef {import("../../water/headline.js").ShapeName} ShapeName */

/** A dash: nobody knows what the limits would have told. @type {ShapeName} */
const unknown = "snoozed";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {string} model.device
 * @param {import("../../water/questions.js").Told} model.told
 * @param {readonly import("../../water/questions.js").Species[]} model.species
 * @param {() => Promise<void>} model.onStale Limits were changed elsewhere since these were proposed: nothing was set.
 */
export function createLimits(context, { device, told: { proposals, parametersTag, strangers }, species, onStale }) {
    const { t, store, api } = context;
    let choices = choicesOf(proposals);
    const trials = proposals.map(({ parameter }) => createTrials(context, { device, name: parameter }));
    /** @type {(string | null)[]} */
    const told = proposals.map(() => null);
    /** What they would have told, as a shape. */
    const shapes = proposals.map(() => unknown);
    const rows = choices.map((choice, index) =>
        createLimitRow({ name: t(`water.${choice.proposal.parameter}_full`), press: () => open(index) })
    );
    const problem = createProblem();
    const use = createButton({ text: "", busyText: t("common.saving"), kind: "primary", isLarge: true, press: take });
    const own = h("a", { class: "button", href: `/settings#${encodeURIComponent(device)}` }, t("questions.own"));
    const names = species.filter(({ id }) => strangers.includes(id)).map(({ name }) => name);
    const misplaced = names.length > 0 ? h("p", null, t("questions.strangers", { names: new Intl.ListFormat(t.language).format(names) })) : null;

    /** @param {number} index */
    function show(index) {
        const { proposal, minimum, maximum } = choices[index];
        const { reasons, isConvention } = reasonsOf(proposal);
        rows[index].update({
            range: rangeText(context, { minimum, maximum, decimals: proposal.decimals, unit: proposal.unit }),
            lines: [
                ...reasons.map((reason) => [reason.name, freeText(context, reason), sourcesText(context, reason.sources)].filter(Boolean).join(" · ")),
                ...isConvention ? [t("devices.preset_convention")] : [],
                joined(context, proposal.followsSeason ? t("questions.season") : "", ...notesOf(context, choices[index])),
            ].filter((line) => line !== ""),
            clash: clashText(context, proposal),
            told: told[index] ?? "",
            shape: shapes[index],
            isAlarming: !["fine", unknown].includes(shapes[index]),
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
        const { proposal, minimum, maximum } = choices[index];
        if (proposal.measured === false || differenceOf(choices[index]) === "same") return;
        const asked = choices[index];
        const answer = await trials[index].ask(
            { minimum: minimum ?? "none", maximum: maximum ?? "none", days: 30, times: 1 },
            () => choices[index] === asked,
        ).catch(() => null);
        if (!answer || choices[index] !== asked) return;
        const said = toldOf(context, answer);
        told[index] = said && toldText(context, answer, said);
        shapes[index] = answer.tooNew || !said ? unknown : answer.results[0].alarms > 0 ? said.side ?? "fault" : "fine";
        show(index);
    }

    async function take() {
        problem.show("");
        const changes = changesOf(choices);
        if (changes.length === 0) return;
        try {
            await api.patch(`/devices/${encodeURIComponent(device)}/parameters`, { changes }, { ifMatch: parametersTag });
            await store.readParameters(device).catch(() => {});
            context.toast({ text: t("questions.done", { count: changes.length }) });
            store.choose(device);
            await context.navigate("/");
        } catch (error) {
            if (isProblem(error) && error.status === 412) return onStale();
            problem.show(refusalOf(error, changes));
        }
    }

    /**
     * Of several limits it is said which one was refused.
     * @param {unknown} error
     * @param {readonly {parameter: string}[]} changes
     */
    function refusalOf(error, changes) {
        const fault = isProblem(error) ? error.faults[0] : undefined;
        const change = changes[Number(fault?.field.split("/")[1])];
        return fault && change ? `${t(`water.${change.parameter}_full`)}: ${fault.detail}` : context.explain(error);
    }

    async function begin() {
        await store.readParameters(device).catch(() => {});
        // One after another, as the service answers only few at once.
        for (const index of rows.keys()) await look(index);
    }

    rows.forEach((_, index) => show(index));
    showButton();
    void begin();
    return {
        parts: [
            misplaced,
            proposals.length > 0 ? h("ul", { class: "rows surface" }, rows.map(({ element }) => element)) : h("span"),
            problem.element,
            h("div", { class: "questions-end questions-use" }, use.element, own),
        ].filter((part) => part !== null),
        end() {
            for (const trial of trials) trial.end();
        },
    };
}
