/** A rehearsal: who would be told of an alarm in the night, and who not, and why. Nothing rings. */

import { chainsOf } from "../../app/chains.js";
import { createProblem } from "../../components/page/page.js";
import { createShape } from "../../components/shape/shape.js";
import { wordOf } from "../../lang/index.js";
import { h } from "../../page/dom.js";
import { isBroken, nameOfStep, nextHour } from "../../water/chain.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/chain.js").Rehearsal} Rehearsal */
/** @typedef {import("../../water/chain.js").Rehearsed} Rehearsed */

/** The hour at which nobody answers. */
const night = 3;

/**
 * @param {Context} context
 * @param {object} about
 * @param {string} about.id The device's id.
 * @param {() => {text: string, isNone: boolean}} about.you The endpoints that are told at once, in words.
 */
export function openRehearsal(context, { id, you }) {
    const { t, api, format } = context;
    const at = nextHour(Date.now(), night, format.zone);
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const loading = h("p", { class: "small quiet", role: "status" }, t("common.loading"));
    const waits = h("div", { class: "chain-waits", "aria-live": "polite" });
    const list = h("ol", { class: "told told-marked chain-rehearsal", "aria-live": "polite" });

    /**
     * @param {number} time
     * @param {string} name
     * @param {string} detail
     * @param {import("../../components/shape/shape.js").ShapeName} shape
     */
    function line(time, name, detail, shape) {
        return h(
            "li",
            null,
            h("span", { class: "told-time" }, format.clock(time)),
            h("span", { class: "told-mark told-quiet" }, createShape(shape)),
            h("div", null, h("p", { class: "told-what" }, name), h("p", { class: "small quiet" }, detail)),
        );
    }

    async function read() {
        problem.show("");
        loading.hidden = false;
        try {
            const { ways } = chainsOf(context);
            const [{ data }] = await Promise.all([
                api.get(`/devices/${encodeURIComponent(id)}/chain/rehearsal`, { query: { at: new Date(at).toISOString() } }),
                ways.known.value === null ? ways.read() : null,
            ]);
            tell(data, ways.known.value);
        } catch (error) {
            problem.show(context.explain(error, "read"));
        }
        loading.hidden = true;
    }

    /**
     * @param {Rehearsal} rehearsal
     * @param {readonly import("../../water/chain.js").Way[] | null} ways
     */
    function tell({ waitsUntil, steps }, ways) {
        const { text, isNone } = you();
        waits.replaceChildren(...waitsUntil === null ? [] : [
            h("p", null, t("chain.waits", { time: format.placed(Date.parse(waitsUntil), at) })),
            h("p", null, t("chain.waits_critical")),
        ]);
        list.replaceChildren(
            line(at, t("chain.you"), text, isNone ? "fault" : "fine"),
            ...steps.map((step) => line(Date.parse(step.at), nameOfStep(context, step, ways), wordOf(t, "chain.outcome", step.outlook), shapeOf(step))),
        );
    }

    const clock = t("language.at", { moment: format.placedTimeOfDay(night * 60) });
    context.sheet({ title: t("chain.rehearse_title", { at: clock }), lead: t("chain.rehearse_lead"), body: [loading, waits, list, problem.element] });
    void read();
}

/**
 * @param {Rehearsed} step
 * @returns {import("../../components/shape/shape.js").ShapeName}
 */
function shapeOf({ outlook }) {
    if (outlook === "told") return "fine";
    return isBroken(outlook) ? "fault" : "snoozed";
}
