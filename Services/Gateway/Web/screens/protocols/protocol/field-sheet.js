/** One field of a protocol that is made: what is asked, which answers can be, and how often. */

import { createButton } from "../../../components/button/button.js";
import { createField } from "../../../components/field/field.js";
import { createProblem } from "../../../components/page/page.js";
import { createSelect } from "../../../components/select/select.js";
import { createSwitch } from "../../../components/switch/switch.js";
import { h } from "../../../page/dom.js";
import { blankPart, fieldFault, hasParts, isMeasured, kinds, longestHelp, longestMethod, longestName, longestUnit } from "../../../water/field/making.js";
import { createParts } from "./parts.js";

/** @typedef {import("../../../water/field/making.js").MadeField} MadeField */
/** @typedef {import("../../../water/field/making.js").Making} Making */

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {object} parts
 * @param {MadeField} parts.field
 * @param {Making} parts.making
 * @param {readonly import("../../../water/field/protocol.js").Protocol[]} parts.known Of which the parameters are offered, beside those that the person sees.
 * @param {MadeField | null} parts.before What was typed into it before and not taken over.
 * @param {(field: MadeField | null) => void} parts.typed Keeps what is typed; null: nothing of it.
 * @param {HTMLElement} parts.kept Says whether that is kept.
 * @param {(field: MadeField) => void} parts.take
 * @param {() => void} parts.again The sheet anew, without what was typed.
 * @param {() => void} parts.left Nothing was taken over.
 * @param {(() => void) | null} parts.remove
 */
export function openField(context, { field, making, known, before, typed, kept, take, again, left, remove }) {
    const { t, store } = context;
    let made = before ?? field;
    /** @type {(() => void) | null} */
    let then = null;
    const label = createText("label", longestName);
    label.input.setAttribute("autofocus", "");
    const kind = createSelect({
        label: t("protocol.kind"),
        options: kinds.map((value) => ({ value, text: t(`protocol.kind_${value}`) })),
        value: made.kind,
        choose(value) {
            change({ kind: /** @type {MadeField["kind"]} */ (value) });
            show();
        },
    });
    const each = createSelect({
        label: t("protocol.each"),
        options: /** @type {const} */ (["sample", "station", "depth"]).map((value) => ({ value, text: t(`protocol.each_${value}`) })),
        value: made.each,
        choose: (value) => change({ each: /** @type {MadeField["each"]} */ (value) }),
    });
    const names = [...new Set([
        ...[...store.parameters.value.values()].flatMap(({ items }) => items.map(({ name }) => name)),
        ...known.flatMap(({ fields }) => fields.flatMap(({ parameter }) => parameter ?? [])),
        ...made.parameter === "" ? [] : [made.parameter],
    ])];
    const parameter = createSelect({
        label: t("protocol.parameter"),
        options: [{ value: "", text: t("protocol.parameter_none") }, ...names.map((value) => ({ value, text: t(`water.${value}_full`) }))],
        value: made.parameter,
        choose(value) {
            // Values of a parameter have its unit, which the service knows.
            change({ parameter: value, unit: "" });
            unit.value = "";
            show();
        },
    });
    const unit = createText("unit", longestUnit);
    const minimum = createText("minimum", 14, "decimal");
    const maximum = createText("maximum", 14, "decimal");
    const required = createSwitch({ label: t("protocol.required"), isOn: made.required, onTurn: (isOn) => change({ required: isOn }) });
    const help = createText("help", longestHelp);
    const method = createText("method", longestMethod);
    const answers = h("div");
    const problem = createProblem();
    const done = createButton({ text: t("protocol.take"), kind: "primary", isLarge: true, isSubmit: true });
    const away = createButton({ text: t("protocol.remove_field"), kind: "danger", press: () => leave(remove) });
    const form = h(
        "form",
        { class: "form", novalidate: true },
        before ? h("div", { class: "rows-note" }, h("p", null, t("protocol.taken_up")), createButton({ text: t("protocol.discard"), kind: "text", press: discard }).element) : null,
        label.element, kind.element, parameter.element, unit.element,
        h("div", { class: "protocol-bounds" }, minimum.element, maximum.element),
        answers, each.element,
        h("div", { class: "protocol-switch" }, h("span", { "aria-hidden": "true" }, t("protocol.required")), required.element),
        help.element, method.element, kept, problem.element, done.element, remove ? away.element : null,
    );

    /**
     * @param {'label' | 'unit' | 'minimum' | 'maximum' | 'help' | 'method'} name
     * @param {number} maxlength
     * @param {string} [inputmode]
     */
    function createText(name, maxlength, inputmode) {
        const text = createField({ label: t(`protocol.${name}`), name, maxlength, inputmode, value: made[name], onInput: () => change({ [name]: text.value }) });
        return text;
    }

    /** @param {Partial<MadeField>} next */
    function change(next) {
        made = { ...made, ...next };
        problem.show("");
        typed(made);
    }

    function discard() {
        typed(null);
        leave(again);
    }

    /** What belongs to the kind of answer. */
    function show() {
        parameter.element.hidden = !isMeasured(made.kind);
        unit.element.hidden = !isMeasured(made.kind) || made.parameter !== "";
        for (const { element } of [minimum, maximum]) element.hidden = made.kind !== "number";
        if (hasParts(made.kind) && made.parts.length === 0) change({ parts: made.kind === "count" ? [blankPart()] : [blankPart(), blankPart()] });
        const { kind } = made;
        answers.hidden = !hasParts(kind);
        answers.replaceChildren(...kind === "class" || kind === "choice" || kind === "count" ? [createParts(context, { kind, parts: made.parts, change: (parts) => change({ parts }) })] : []);
    }

    /** @param {(() => void) | null} next Once the sheet is gone, so that the focus may go elsewhere. */
    function leave(next) {
        then = next;
        sheet.close();
    }

    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const why = fieldFault(made, making);
        if (!why) return leave(() => take(made));
        if (why !== "label") return problem.show(t(`protocol.fault_${why}`));
        label.setFault({ what: t("protocol.fault_label") });
        label.focus();
    });
    show();
    const sheet = context.sheet({ title: t("protocol.change_field"), body: [form], onClose: () => (then ?? left)() });
}
