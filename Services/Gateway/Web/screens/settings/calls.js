/** A row for each person whose alarms come here, if the person agrees, when nobody answers. */

import { callsOf } from "../../app/calls.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { openChoice } from "../../components/picker/choice.js";
import { h, set } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { createSlot } from "../../page/slot.js";
import { minute } from "../../words/time.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/calls.js").Agreed} Agreed */
/** @typedef {import("../../water/calls.js").Call} Call */

const choices = /** @type {const} */ (["no", "daytime", "always"]);

/** @param {Context} context */
export function createCallRows(context) {
    const { t, store, format } = context;
    const calls = callsOf(context);
    const slot = createSlot(h("div"));
    const element = h("section", { hidden: true }, h("h2", { class: "section-head" }, t("chain.calls")), slot.element);

    /** @param {Call} call */
    function ask(call) {
        const { device, deviceName, person: { name }, after, agreed } = call;
        openChoice(context, {
            title: t("chain.may", { name }),
            lead: t("chain.may_text", { name, device: deviceName || device, span: format.duration(after * minute) }),
            options: choices.map((value) => ({ value, text: t(`chain.may_${value}`) })),
            value: agreed,
            onChoose: (value) => calls.answer(call, /** @type {Agreed} */ (value)),
        });
    }

    /** @param {Call} call */
    function rowOf(call) {
        const { device, deviceName, person: { name }, after, agreed } = call;
        return createRow({
            name,
            detail: t("chain.call", { device: deviceName || device, span: format.duration(after * minute) }),
            more: [t(`chain.may_${agreed ?? "open"}`)],
            icon: "person",
            isOpen: agreed === null,
            press: () => ask(call),
        }).element;
    }

    function show() {
        const all = calls.known.value;
        set(element, "hidden", all.length === 0);
        slot.update([JSON.stringify(all)], () => [createList(...all.map(rowOf))]);
    }

    const end = effect([calls.known], show);
    const endNews = effect([store.alertNews, store.callNews], () => void calls.read());
    return {
        element,
        remove() {
            end();
            endNews();
        },
    };
}
