/** Findings in a list: what is wrong first, each with its line, then the devices. */

import { createList, createRow } from "../../components/list-row/list-row.js";
import { h } from "../../page/dom.js";
import { faultText } from "../../water/enrolment.js";

/** @typedef {import("../../water/enrolment.js").Looked} Looked */

/** The shape of each state. */
const shapes = Object.freeze(/** @type {const} */ ({ new: "due", known: "done", taken: "fault" }));

/**
 * @param {import("../../app/context.js").Context} context
 * @param {Looked} looked
 */
export function foundIn(context, { devices, faults }) {
    const { t } = context;
    return [
        ...(faults.length === 0 ? [] : [
            h("h2", { class: "section-head" }, t("enrol.faults", { count: faults.length })),
            createList(...faults.map((fault) =>
                createRow({
                    shape: "fault",
                    name: faultText(context, fault),
                    detail: [t("enrol.line", { line: fault.line }), fault.column ?? ""].filter(Boolean).join(" · "),
                }).element
            )),
        ]),
        ...(["new", "known", "taken"]).flatMap((state) => ofState(context, devices.filter((device) => device.state === state), state)),
        ...(faults.length === 0 && !devices.some(({ state }) => state === "new") ? [h("p", { class: "rows-note" }, t("enrol.none"))] : []),
    ];
}

/**
 * @param {import("../../app/context.js").Context} context
 * @param {readonly import("../../water/enrolment.js").Line[]} devices
 * @param {string} state
 */
function ofState({ t }, devices, state) {
    if (devices.length === 0) return [];
    return [
        h("h2", { class: "section-head" }, t(`enrol.found_${state}`, { count: devices.length })),
        createList(...devices.map(({ line, id, name, firmware, preset, presetName }) =>
            createRow({
                shape: shapes[/** @type {keyof typeof shapes} */ (state)],
                name: name ?? id,
                detail: [t("enrol.line", { line }), name === null ? "" : id, firmware ?? "", presetName ?? preset ?? ""].filter(Boolean).join(" · "),
            }).element
        )),
        ...(state === "new" ? [] : [h("p", { class: "rows-note" }, t(`enrol.found_${state}_text`))]),
    ];
}
