/** What else can be said of a field than its value: that the number is the end of what the method tells, or why nothing was measured. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { h } from "../../page/dom.js";
import { longestReason } from "../../water/field/values.js";

/** @typedef {import("../../water/field/values.js").Typed} Typed */

/** The usual reasons; each is sent as it reads here. */
const reasons = ["no_kit", "unsafe", "dry", "broken", "no_time"];

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} parts
 * @param {import("../../water/field/protocol.js").Field} parts.field
 * @param {() => Typed | undefined} parts.typed
 * @param {(next: Typed | null) => void} parts.say
 */
export function openMore(context, { field, typed, say }) {
    const { t } = context;
    const now = typed();
    const other = createField({ label: t("field.reason"), name: "reason", maxlength: longestReason, value: now?.not ?? "", onInput: () => not.setEnabled(other.value.trim() !== "") });

    /** @param {Typed | null} next */
    function leave(next) {
        sheet.close();
        say(next);
    }

    /** @param {Typed["side"]} side */
    const sided = (side) => leave({ text: now?.text ?? "", ...side ? { side } : {} });

    const sides = field.kind !== "number" ? null : h(
        "div",
        { class: "journal-offers" },
        [/** @type {const} */ ("below"), /** @type {const} */ ("above")].map((side) => {
            const isOn = now?.side === side;
            const press = () => sided(isOn ? undefined : side);
            return h("button", { class: "chip", type: "button", "aria-pressed": String(isOn), "data-on": isOn, onclick: press }, t(`field.side_${side}`));
        }),
    );
    const chips = h("div", { class: "journal-offers" }, reasons.map((reason) => {
        const text = t(`field.reason_${reason}`);
        return h("button", { class: "chip", type: "button", onclick: () => leave({ not: text }) }, text);
    }));
    const not = createButton({ text: t("field.say_not"), kind: "primary", press: () => leave({ not: other.value }) });
    not.setEnabled(other.value.trim() !== "");
    const clear = createButton({ text: t("field.say_nothing"), kind: "text", press: () => leave(null) });
    const sheet = context.sheet({
        title: field.label,
        lead: field.method ?? undefined,
        body: [
            h("div", { class: "form" }, sides, h("h3", { class: "small" }, t("field.not_measured")), chips, other.element, not.element, now ? clear.element : null),
        ],
    });
}
