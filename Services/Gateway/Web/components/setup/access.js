/** The way by the probe's own access point: what to do, one thing after the other, and the text that its page takes. */

import { h } from "../../page/dom.js";
import { createProblem } from "../page/page.js";
import { settingsText } from "./settings-text.js";
import { createKeyText } from "./text.js";

/** How the names of the probes' own networks begin: `accessName` of `deploy/firmware/aquamonitor/Radio.h`. */
const network = "AquaMonitor";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("./setup.js").SetUpDevice} device
 * @param {string | null} authority Of the broker (PEM).
 * @param {boolean} hasUSB Whether the other way is there, too.
 * @returns {import("./setup.js").Way}
 */
export function createAccessWay(context, device, authority, hasUSB) {
    const { t } = context;
    const { id, host, port = 8883, tls = true, password } = device;
    const text = host && password !== null ? settingsText({ id, password: "{{password}}", host, port, tls }, authority) : null;
    const problem = createProblem();
    if (host && password !== null && text === null) problem.show(t("setup.too_long"));
    const steps = ["open", ...text === null ? [] : ["copy"], "join", text === null ? "wifi" : "paste"];
    return {
        element: h(
            "div",
            { class: "setup-way" },
            hasUSB ? null : h("p", { class: "quiet" }, t("setup.usb_none")),
            h("ol", { class: "setup-steps" }, ...steps.map((step) => h("li", null, t(`setup.access_${step}`, { network })))),
            problem.element,
            text === null ? null : createKeyText(context, text, password, null),
        ),
        end() {},
    };
}
