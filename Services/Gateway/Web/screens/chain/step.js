/**
 * One step: how many minutes after the alarm, in steps of five, by the usual ones or typed; and its end. A new one joins the chain once its
 * minutes are chosen.
 */

import { chainsOf } from "../../app/chains.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { uniqueID } from "../../components/shape/shape.js";
import { createSymbol } from "../../components/symbol/symbol.js";
import { h, set, setText } from "../../page/dom.js";
import {
    isBroken,
    keyOf,
    leastMinutes,
    minutesIn,
    mostMinutes,
    nameOfStep,
    steppedMinutes,
    toldAtOnce,
    usualMinutes,
    withoutStep,
    withStep,
    withStepAt,
} from "../../water/chain.js";
import { minute } from "../../words/time.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/chain.js").Step} Step */

/** Minutes that were stepped, or whose field was left, have to rest so long before they are saved. */
const rest = 600;

/**
 * @param {Context} context
 * @param {object} about
 * @param {string} about.id The device's id.
 * @param {Step} about.step
 * @param {boolean} about.isNew Whether it is no step of the chain yet.
 * @param {(steps: readonly Step[]) => void} about.save
 */
export function openStep(context, { id, step, isNew, save }) {
    const { t, format } = context;
    const chains = chainsOf(context);
    const { known } = chains.of(id);
    const key = keyOf(step);
    const steps = () => known.value.told?.steps ?? [];
    const present = () => steps().find((one) => keyOf(one) === key);
    let after = step.after;
    let joins = isNew;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let resting;
    const faultID = uniqueID();
    const input = h("input", {
        class: "field-input chain-number",
        name: "after",
        type: "text",
        inputmode: "numeric",
        autocomplete: "off",
        maxlength: 4,
        "aria-label": t("chain.after"),
        "aria-describedby": faultID,
    });
    const fault = h("p", { class: "small chain-fault", id: faultID, role: "status" });
    const earlier = stepButton("minus", t("chain.earlier"), -1);
    const later = stepButton("plus", t("chain.later"), 1);
    const usual = usualMinutes.map((minutes) => ({
        minutes,
        button: h("button", { class: "chain-usual", type: "button", onclick: () => take(minutes, 0) }, format.duration(minutes * minute)),
    }));

    /**
     * @param {string} icon
     * @param {string} label
     * @param {1 | -1} direction
     */
    function stepButton(icon, label, direction) {
        const press = () => take(steppedMinutes(written(), direction), rest);
        return h("button", { class: "button chain-stepper", type: "button", "aria-label": label, onclick: press }, createSymbol(icon));
    }

    /** The minutes in the field, or the last ones where those are none. */
    const written = () => minutesIn(input.value) ?? after;

    /**
     * @param {number} next
     * @param {number} pause Until it is saved.
     */
    function take(next, pause) {
        clearTimeout(resting);
        after = next;
        input.value = String(after);
        show();
        if (pause === 0) finish();
        else resting = setTimeout(finish, pause);
    }

    function finish() {
        clearTimeout(resting);
        const now = present();
        if (now) {
            if (now.after !== after) save(withStepAt(steps(), key, after));
        } else if (joins) save(withStep(steps(), { ...step, after }));
        joins = false;
    }

    function show() {
        const after = written();
        const isFaulty = minutesIn(input.value) === null;
        set(input, "aria-invalid", isFaulty ? "true" : null);
        setText(fault, isFaulty ? t("chain.bounds", { least: leastMinutes, most: mostMinutes }) : "");
        earlier.disabled = after <= leastMinutes;
        later.disabled = after >= mostMinutes;
        for (const { minutes, button } of usual) set(button, "aria-pressed", String(minutes === after));
    }

    input.value = String(after);
    input.addEventListener("input", () => {
        clearTimeout(resting);
        show();
    });
    input.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || minutesIn(input.value) === null) return;
        // The key would press what has the focus once the sheet is gone.
        event.preventDefault();
        sheet.close();
    });
    input.addEventListener("change", () => {
        if (minutesIn(input.value) !== null) return take(written(), rest);
        // A press that leaves the field would miss what moves as the fault goes.
        resting = setTimeout(() => {
            input.value = String(after);
            show();
        }, rest);
    });
    show();

    const { isAll } = toldAtOnce(isNew ? withStep(steps(), step) : steps(), chains.ways.known.value ?? []);
    const sheet = context.sheet({
        title: nameOfStep(context, step, chains.ways.known.value),
        lead: leadOf(context, step, isAll),
        onClose: () => take(written(), 0),
        body: [
            h(
                "div",
                { class: "chain-minutes" },
                h("p", { class: "chain-label", "aria-hidden": "true" }, t("chain.after")),
                h("div", { class: "chain-steppers" }, earlier, input, later),
                fault,
                h("div", { class: "chain-usuals", role: "group", "aria-label": t("chain.after") }, ...usual.map(({ button }) => button)),
            ),
            createList(
                createRow({
                    name: t("chain.remove"),
                    icon: "bin",
                    isAction: true,
                    isGrave: true,
                    press() {
                        clearTimeout(resting);
                        joins = false;
                        const now = present();
                        // Closing saves the minutes that are shown.
                        input.value = String(after = now?.after ?? after);
                        if (now) save(withoutStep(steps(), key));
                        sheet.close();
                    },
                }).element,
            ),
        ],
    });
}

/**
 * The sentence that says what a step comes to.
 * @param {Context} context
 * @param {Step} step
 * @param {boolean} isAll Whether each endpoint is a step, so that all are told at once as well.
 */
function leadOf({ t }, { person, agreed, outlook }, isAll) {
    if (!person && isBroken(outlook)) return t(`chain.way_${outlook}`);
    if (!person) return t(isAll ? "chain.way_all" : "chain.ways_note");
    const { name } = person;
    if (isBroken(outlook)) return t(`chain.lead_${outlook}`, { name });
    return t(`chain.lead_${agreed ?? "open"}`, { name });
}
