/** A zone's name, whether it is a favourite, and whose it is. */

import { createField } from "../../components/field/field.js";
import { createForm } from "../../components/form/form.js";
import { createSelect } from "../../components/select/select.js";
import { createSwitch } from "../../components/switch/switch.js";
import { h } from "../../page/dom.js";
import { mayPlanFor } from "../../water/plans.js";

/** @typedef {import("../../water/change.js").Zone} Zone */
/** @typedef {import("../../app/zones.js").ZoneContent} ZoneContent */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} parts
 * @param {Zone | null} parts.zone null: one that was just drawn.
 * @param {(content: Pick<ZoneContent, 'name' | 'favourite'>, project: string | null) => Promise<unknown>} parts.save
 * @param {() => void} [parts.redraw]
 * @param {() => Promise<unknown>} [parts.remove]
 */
export function openZoneForm(context, { zone, save, redraw, remove }) {
    const { t, store } = context;
    // Who acts for a project draws for it by that alone.
    const owners = zone || context.acting ? [] : mayPlanFor(store.devices.value ?? [], null);
    let project = owners[0]?.project ?? null;
    let isFavourite = zone?.favourite ?? true;
    const name = createField({ label: t("changeMap.zone_name"), name: "name", value: zone?.name ?? "", maxlength: 64 });
    name.input.setAttribute("autofocus", "");
    const whose = createSelect({
        label: t("changeMap.zone_whose"),
        options: owners.map(({ project, name }) => ({ value: project ?? "", text: name ?? t("changeMap.zone_mine") })),
        choose: (value) => project = value === "" ? null : value,
    });
    const favourite = createSwitch({ label: t("changeMap.favourite"), isOn: isFavourite, onTurn: (isOn) => isFavourite = isOn });
    const form = createForm(context, {
        fields: [{ name: "name", field: name }],
        text: t("common.save"),
        busyText: t("common.saving"),
        isLarge: true,
        async submit() {
            await save({ name: name.value.trim(), favourite: isFavourite }, project);
            sheet.close();
        },
    });
    name.element.after(
        ...owners.length > 1 ? [whose.element] : [],
        h("div", { class: "change-switch" }, h("span", { "aria-hidden": "true" }, t("changeMap.favourite")), favourite.element),
    );
    const sheet = context.sheet({
        title: zone ? zone.name : t("changeMap.zone_add"),
        body: [
            form,
            redraw ? h("button", { class: "button", type: "button", onclick: () => leave(redraw) }, t("changeMap.zone_redraw")) : null,
            remove ? h("button", { class: "button button-danger", type: "button", onclick: () => void removeZone(remove) }, t("changeMap.zone_remove")) : null,
        ],
    });

    /** @param {() => void} next */
    function leave(next) {
        sheet.close();
        next();
    }

    /** @param {() => Promise<unknown>} act */
    async function removeZone(act) {
        const question = { title: t("changeMap.zone_remove_title", { name: zone?.name ?? "" }), text: t("changeMap.zone_remove_text"), action: t("changeMap.zone_remove"), isGrave: true };
        if (!await context.confirm(question)) return;
        try {
            await act();
            sheet.close();
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }
}
