/** A device that is made: what became of it, its code and key, and the way to set it up. */

import { createButton } from "../../components/button/button.js";
import { createConcealed } from "../../components/secret/concealed.js";
import { openSetup } from "../../components/setup/setup.js";
import { setShape } from "../../components/shape/shape.js";
import { h, setText } from "../../page/dom.js";
import { stateText } from "../../water/enrolment.js";

/** @typedef {import("../../water/enrolment.js").Made} Made */
/** @typedef {{place: number, device: Made}} Placed A device, and which it is among those that were asked for. */

/** The shape of each state. */
const shapes = Object.freeze(/** @type {const} */ ({ waiting: "pending", made: "done", known: "fine", refused: "fault" }));

/** @param {import("../../app/context.js").Context} context */
export function createMadeRow(context) {
    const { t } = context;
    const shape = h("span", { class: "made-shape" });
    const name = h("span", { class: "made-name" });
    const detail = h("span", { class: "small quiet" });
    const secrets = h("div", { class: "made-secrets" });
    const element = h("li", { class: "made-row" }, h("div", { class: "made-head" }, shape, h("div", { class: "made-text" }, name, detail)), secrets);
    /** @type {Made["opened"]} */
    let shown = null;

    return {
        element,
        /** @param {Placed} model */
        update({ device }) {
            const { opened } = device;
            setShape(shape, device.isUnreadable ? "fault" : shapes[device.state] ?? "pending");
            setText(name, device.name || device.id);
            setText(detail, [device.name && device.name !== device.id ? device.id : "", stateText(context, device)].filter(Boolean).join(" · "));
            // Secrets that were touched stay shown.
            if (!opened || shown === opened) return;
            shown = opened;
            secrets.replaceChildren(
                ...(opened.claimCode === null ? [] : [secret(t("enrol.claim"), opened.claimCode)]),
                secret(t("enrol.key"), opened.password),
                createButton({ text: t("enrol.setup"), kind: "outlined", press: () => void openSetup(context, { ...opened, name: device.name || device.id, firmware: device.firmware }) }).element,
            );
        },
    };

    /**
     * @param {string} title
     * @param {string} text
     */
    function secret(title, text) {
        return h("div", { class: "made-secret" }, h("p", { class: "small quiet" }, title), createConcealed(context, title, text));
    }
}
