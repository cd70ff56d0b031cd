/** Whether a device moves, as a boat does, so that its positions are kept: its owner says so, for they tell where somebody is. */

import { createList, createRow } from "../../components/list-row/list-row.js";
import { createSwitch } from "../../components/switch/switch.js";
import { h } from "../../page/dom.js";
import { forgetTrack } from "../../components/track/forget.js";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../water/tanks.js").Device} device One that the person owns.
 */
export function createMovement(context, device) {
    const { t, store } = context;
    const toggle = createSwitch({ label: t("track.moves"), isOn: device.moves === true, onTurn: turn });

    /** @param {boolean} isOn */
    async function turn(isOn) {
        const hasTrack = (store.deviceOf(device.id)?.lastPosition ?? null) !== null;
        try {
            await store.renameDevice(device.id, { moves: isOn });
        } catch (error) {
            toggle.show(!isOn);
            return context.toast({ text: context.explain(error) });
        }
        // Where it was stays to be seen, unless its owner says otherwise: nothing leads there any more.
        if (!isOn && hasTrack) await forgetTrack(context, device.id);
    }

    const row = createRow({ name: t("track.moves"), detail: t("track.moves_text"), control: toggle.element });
    return [
        h("h2", { class: "section-head" }, t("track.section")),
        createList(row.element),
        h("p", { class: "rows-note" }, t("track.moves_note")),
    ];
}

/**
 * The row that leads to the way of a device.
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../water/tanks.js").Device} device
 */
export function createTrackRow({ t, format }, { id, lastPosition }) {
    const detail = lastPosition
        ? `${format.number(lastPosition.latitude, 5)}°, ${format.number(lastPosition.longitude, 5)}° · ${format.moment(Date.parse(lastPosition.time))}`
        : t("track.nowhere");
    return createRow({ name: t("track.title"), detail, icon: "pin", href: `/devices/${encodeURIComponent(id)}/track` });
}
