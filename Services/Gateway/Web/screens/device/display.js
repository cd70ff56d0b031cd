/** Whether the device itself shows what its owner sees: on a display of its own, with a button that answers for them. */

import { createList, createRow } from "../../components/list-row/list-row.js";
import { createSwitch } from "../../components/switch/switch.js";
import { h } from "../../page/dom.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../water/tanks.js").Device} device One that the person owns.
 */
export function createDisplay(context, device) {
    const { t, store } = context;
    const toggle = createSwitch({ label: t("devices.display_show"), isOn: device.showsOnDevice === true, onTurn: turn });

    /** @param {boolean} isOn */
    async function turn(isOn) {
        try {
            await store.renameDevice(device.id, { showsOnDevice: isOn });
        } catch (error) {
            toggle.show(!isOn);
            context.toast({ text: context.explain(error) });
        }
    }

    const row = createRow({ name: t("devices.display_show"), detail: t("devices.display_text"), control: toggle.element });
    return [
        h("h2", { class: "section-head" }, t("devices.display")),
        createList(row.element),
        h("p", { class: "rows-note" }, t("devices.display_note")),
    ];
}
