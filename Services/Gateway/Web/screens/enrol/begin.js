/** The last step before devices are made: whether they are linked at once, and the button. */

import { createButton } from "../../components/button/button.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createProblem } from "../../components/page/page.js";
import { createSwitch } from "../../components/switch/switch.js";
import { h } from "../../page/dom.js";

/** @typedef {import("../../app/enrolment.js").Wished} Wished */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/enrolment.js").Enrolment} enrolment
 * @param {() => readonly Wished[] | null} read What to make; null where something is wrong, which is told elsewhere.
 */
export function createBegin(context, enrolment, read) {
    const { t, acting } = context;
    let links = true;
    const link = createSwitch({ label: t("enrol.link"), isOn: links, onTurn: (isOn) => links = isOn });
    const problem = createProblem();
    const button = createButton({ text: t("enrol.make"), busyText: t("enrol.making_begin"), kind: "primary", isLarge: true, press: make });
    const element = h(
        "div",
        { class: "form" },
        createList(createRow({
            name: acting ? t("enrol.link_project", { name: acting.name }) : t("enrol.link"),
            detail: t("enrol.link_text"),
            control: link.element,
        }).element),
        problem.element,
        button.element,
    );

    async function make() {
        problem.show("");
        const devices = read();
        if (devices === null) return;
        const { most, left } = enrolment.standing.value ?? { most: Infinity, left: Infinity };
        if (devices.length > most) return problem.show(t("enrol.most", { count: most }));
        if (devices.length > left) return problem.show(t("enrol.left", { count: left }));
        try {
            await enrolment.make(devices, links);
        } catch (error) {
            problem.show(context.explain(error));
            void enrolment.read().catch(() => {});
        }
    }

    return {
        element,
        /** @param {number} count How many would be made. */
        show: (count) => button.setText(t("enrol.make_count", { count })),
    };
}
