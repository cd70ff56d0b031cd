/** What the service has not taken of one log, with its reason, and what can be done about it. */

import { createButton } from "../../components/button/button.js";
import { unkeptText } from "../../components/entry/not-kept.js";
import { createShape } from "../../components/shape/shape.js";
import { h, set } from "../../page/dom.js";
import { refusedOf } from "../../water/calibration.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/calibrations.js").Calibrations} calibrations
 * @param {string} device
 * @param {string} parameter
 * @param {(entry: import("../../water/calibration.js").Entry) => void} change Opens what was typed once more.
 */
export function createRefused(context, calibrations, device, parameter, change) {
    const { t, format, toast } = context;
    const element = h("ul", { class: "calibration-refused", hidden: true });
    /** What the list is made of. */
    let made = "";

    /**
     * @param {string} text
     * @param {() => Promise<unknown>} run
     */
    const action = (text, run) =>
        createButton({ text: t(text), press: () => void run().catch((error) => toast({ text: unkeptText(context, error) })) }).element;

    return {
        element,
        update() {
            const refused = refusedOf(calibrations.waiting.value, device, parameter);
            const next = JSON.stringify(refused.map(({ row, problem }) => [row.seq, problem]));
            if (next === made) return;
            made = next;
            set(element, "hidden", refused.length === 0);
            element.replaceChildren(...refused.map(({ row, about, problem }) =>
                h(
                    "li",
                    { class: "problem" },
                    createShape("fault"),
                    h(
                        "div",
                        null,
                        about.calibration === "entry"
                            ? h("p", null, `${t(`calibration.kind_${about.entry.kind}`)} · ${format.moment(Date.parse(about.entry.at))}`)
                            : null,
                        h("p", { class: "small quiet" }, t("journal.refused_text", { problem })),
                        h(
                            "div",
                            { class: "buttons" },
                            about.calibration === "entry"
                                ? createButton({ text: t("calibration.change"), press: () => change(about.entry) }).element
                                : null,
                            action("common.retry", () => calibrations.retry(row)),
                            action("journal.give_up", () => calibrations.giveUp(row)),
                        ),
                    ),
                )
            ));
        },
    };
}
