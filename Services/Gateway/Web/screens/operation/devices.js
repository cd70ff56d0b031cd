/** The devices of the installation, found by the beginning of their ids. For operators. */

import { mountFound } from "./found.js";
import { deviceRow } from "./rows.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t } = context;
    return mountFound(root, context, {
        title: t("operation.devices"),
        path: "/operation/devices",
        field: { label: t("operation.find_device"), name: "id", maxlength: 32 },
        row: (/** @type {import("./rows.js").OperatedDevice} */ device) => deviceRow(device, context),
    });
}
