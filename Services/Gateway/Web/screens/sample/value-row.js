/** One field of a protocol at one spot: what is asked, a box or choices for it, and a way to say that it was not measured. */

import { uniqueID } from "../../components/shape/shape.js";
import { createIcon } from "../../components/shape/shape.js";
import { h, set, setText } from "../../page/dom.js";
import { keyOf } from "../../water/field/protocol.js";
import { longestText, read } from "../../water/field/values.js";
import { openMore } from "./more.js";

/** @typedef {import("../../water/field/protocol.js").Field} Field */
/** @typedef {import("../../water/field/values.js").Typed} Typed */

/**
 * @typedef {object} RowParts
 * @property {Field} field
 * @property {import("../../water/field/protocol.js").Spot} spot
 * @property {() => Typed | undefined} typed What is said now.
 * @property {(next: Typed | null) => void} say null: nothing.
 */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {RowParts} parts
 */
export function createValueRow(context, { field, spot, typed, say }) {
    const { t, format } = context;
    const [nameID, hintID, faultID] = [uniqueID(), uniqueID(), uniqueID()];
    const isTyped = field.kind === "number";
    const name = h(isTyped ? "label" : "p", { class: "hand-name", id: isTyped ? null : nameID, for: isTyped ? nameID : null }, field.label);
    const hint = h("p", { class: "small quiet", id: hintID }, [field.help, field.required ? t("field.required") : ""].filter(Boolean).join(" · "));
    const fault = h("p", { class: "hand-fault small", id: faultID, role: "status" });
    const openIt = () => openMore(context, { field, typed, say: changed });
    const more = h("button", { class: "icon-button", type: "button", "aria-label": t("field.more", { name: field.label }), onclick: openIt }, createIcon("more"));
    const described = `${hintID} ${faultID}`;
    const input = h("input", {
        class: "field-input hand-number", id: nameID, name: keyOf(field.id, spot), type: "text", inputmode: "decimal", autocomplete: "off",
        maxlength: 14, placeholder: "–", "aria-describedby": described,
    });
    const box = h("div", { class: "hand-box" }, input, h("span", { class: "hand-unit small" }, format.withUnit("", field.unit ?? "").trim()));
    const lines = h("textarea", { class: "field-input field-lines", rows: 2, maxlength: longestText, "aria-labelledby": nameID, "aria-describedby": described });
    const options = field.kind === "flag"
        ? [{ id: "yes", label: t("field.yes") }, { id: "no", label: t("field.no") }]
        : field.choices ?? [];
    const buttons = options.map(({ id, label }) => h("button", { class: "button hand-step", type: "button", onclick: () => choose(id) }, label));
    const steps = h("div", { class: "hand-steps field-steps", role: "group", "aria-labelledby": nameID, "aria-describedby": described }, buttons);
    const control = isTyped ? box : field.kind === "text" ? lines : steps;
    const element = h("div", { class: "hand-row field-row", "data-field": field.id, "data-wide": !isTyped }, h("div", null, name, hint, fault), h("div", { class: "field-said" }, control, more));
    /** Whether something is missing of which the person was told. */
    let isMissed = false;

    input.addEventListener("input", () => changed(input.value.trim() === "" ? null : { ...typed()?.side ? { side: typed()?.side } : {}, text: input.value }));
    lines.addEventListener("input", () => changed(lines.value.trim() === "" ? null : { text: lines.value }));

    /** @param {string} id */
    function choose(id) {
        const isPresent = chosen() === id;
        changed(isPresent ? null : field.kind === "flag" ? { flag: id === "yes" } : { choice: id });
    }

    /** @returns {string | undefined} */
    function chosen() {
        const now = typed();
        return field.kind === "flag" ? now?.flag === undefined ? undefined : now.flag ? "yes" : "no" : now?.choice;
    }

    /** @param {Typed | null} next */
    function changed(next) {
        isMissed = false;
        say(next);
        show();
    }

    function show() {
        const now = typed();
        const found = read(field, now);
        const text = now?.text ?? "";
        // Whoever types is not interrupted.
        if (document.activeElement !== input || now?.not !== undefined) input.value = text;
        if (document.activeElement !== lines) lines.value = text;
        const isNot = now?.not !== undefined;
        input.placeholder = isNot ? "✕" : "–";
        set(input, "aria-invalid", found && "fault" in found ? "true" : null);
        buttons.forEach((button, index) => set(button, "aria-pressed", String(options[index].id === chosen())));
        set(element, "data-not", isNot);
        setText(fault, isNot ? t("field.not_measured_why", { why: now?.not ?? "" }) : found && "fault" in found ? faultText(found.fault) : sideText(now, found) || (isMissed && found === null ? t("field.missing") : ""));
    }

    /** @param {Typed | undefined} now @param {ReturnType<typeof read>} found */
    function sideText(now, found) {
        if (!found || !("said" in found) || !now?.side) return "";
        return t(now.side === "below" ? "field.side_below" : "field.side_above");
    }

    /** @param {import("../../water/field/values.js").Fault} why */
    function faultText(why) {
        if (why === "noNumber") return t("byHand.noNumber");
        const { minimum, maximum } = field;
        /** @param {number | null | undefined} value */
        const end = (value) => value === null || value === undefined ? "–" : format.number(value, String(value).split(".")[1]?.length ?? 0);
        return t("field.outside", { from: end(minimum), to: end(maximum) });
    }

    show();
    return {
        element,
        key: keyOf(field.id, spot),
        show,
        /** Tells that it hinders the sample from being done. */
        miss() {
            isMissed = true;
            show();
        },
        focus() {
            const target = isTyped ? input : field.kind === "text" ? lines : buttons[0] ?? more;
            target.focus();
        },
    };
}
