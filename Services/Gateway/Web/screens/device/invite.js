/** Inviting somebody to watch a device: what they may see, then the link. */

import { createButton } from "../../components/button/button.js";
import { createLinkOnce } from "../../components/link-once/link-once.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createProblem } from "../../components/page/page.js";
import { createSwitch } from "../../components/switch/switch.js";
import { h } from "../../page/dom.js";

/** @typedef {import("../../app/context.js").Context} Context */

/**
 * @param {Context} context
 * @param {import("../../water/tanks.js").Device} device
 * @param {() => void} changed
 */
export function invite(context, device, changed) {
    const { t, api } = context;
    /** What is not as it is by itself: a version before refuses inputs that it does not know. @type {{readings?: string}} */
    let choice = {};
    const problem = createProblem();
    const shows = createSwitch({
        label: t("sharing.alarm"),
        isOn: false,
        onTurn: (isOn) => choice = isOn ? { readings: "sinceAlarm" } : {},
    });
    const make = createButton({
        text: t("sharing.make"),
        busyText: t("common.saving"),
        kind: "primary",
        press: async () => {
            problem.show("");
            try {
                const { data } = await api.post(`/devices/${device.id}/invitations`, choice, { once: true });
                const link = createLinkOnce(context, data.link, t("sharing.subject", { name: device.name }));
                body.replaceChildren(...link.elements);
                link.focus();
                changed();
            } catch (error) {
                problem.show(context.explain(error));
            }
        },
    });
    const body = h(
        "div",
        { class: "form" },
        createList(createRow({ name: t("sharing.alarm"), detail: t("sharing.alarm_text"), control: shows.element }).element),
        problem.element,
        make.element,
    );
    context.sheet({ title: t("sharing.link"), lead: t("sharing.link_text"), body: [body] });
}
