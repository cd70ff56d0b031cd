/** The sheet in which a preset is begun: a name, and the limits that it begins with, of a tank or of a preset of the service. */

import { createField } from "../field/field.js";
import { createForm } from "../form/form.js";
import { createSelect } from "../select/select.js";
import { setOf, wholeLimitsOf, wholeOf } from "../../water/presets.js";
import { ownPresetsOf } from "./own.js";

/** @typedef {import("../../app/context.js").Context} Context */

/**
 * @param {Context} context
 * @param {readonly import("../../water/presets.js").Preset[]} known Those that come with the service.
 */
export function askForNewPreset(context, known) {
    const { t, store } = context;
    const tanks = store.devices.value ?? [];
    const options = [
        ...tanks.map(({ id, name }) => ({ value: `tank ${id}`, text: t("presets.from_tank", { name }) })),
        ...known.map(({ id, name }) => ({ value: id, text: name })),
    ];
    let from = options[0]?.value ?? "";
    const select = createSelect({ label: t("presets.from"), options, choose: (value) => from = value });
    openForm(context, {
        lead: t("presets.new_text"),
        extra: select.element,
        async limits() {
            const tank = tanks.find(({ id }) => `tank ${id}` === from);
            if (tank) return await limitsOf(context, tank.id);
            const preset = known.find(({ id }) => id === from);
            if (!preset) return [];
            // Units are taken over with a preset: those in which the person reads.
            return wholeLimitsOf(preset, tanks.length > 0 ? await parametersOf(context, tanks[0].id) : []);
        },
    });
}

/**
 * @param {Context} context
 * @param {import("../../water/tanks.js").Device} device
 */
export function askToSavePreset(context, device) {
    openForm(context, { lead: context.t("presets.save_text", { name: device.name }), limits: () => limitsOf(context, device.id) });
}

/**
 * The limits of a device as they are now.
 * @param {Context} context
 * @param {string} device
 */
async function limitsOf(context, device) {
    return setOf(await parametersOf(context, device)).map(wholeOf);
}

/**
 * @param {Context} context
 * @param {string} device
 */
async function parametersOf({ store }, device) {
    await store.readParameters(device);
    return store.parameters.value.get(device)?.items ?? [];
}

/**
 * @param {Context} context
 * @param {{lead: string, extra?: HTMLElement, limits: () => Promise<readonly import("../../water/presets.js").WholeLimits[]>}} model
 */
function openForm(context, { lead, extra, limits }) {
    const { t } = context;
    const name = createField({ label: t("presets.name"), name: "name", placeholder: t("presets.name_example"), maxlength: 60 });
    name.input.setAttribute("autofocus", "");
    const form = createForm(context, {
        fields: [{ name: "name", field: name }],
        text: t("presets.make"),
        busyText: t("common.saving"),
        faultOf: (problem) => problem.code === "preset-named" ? { name: "name", what: problem.title } : null,
        async submit() {
            const wanted = name.value.trim();
            if (wanted === "") {
                name.setFault({ what: t("presets.name_missing") });
                return name.focus();
            }
            const found = await limits();
            if (found.length === 0) return name.setFault({ what: t("presets.nothing_set") });
            const made = await ownPresetsOf(context).make(wanted, found);
            sheet.close();
            await context.navigate(`/settings/presets/${encodeURIComponent(made.id)}`);
        },
    });
    const sheet = context.sheet({ title: t("presets.new"), lead, body: extra ? [extra, form] : [form] });
}
