/** Limits for what people keep: chosen from a list, looked at, then taken over all at once. */

import { h } from "../../page/dom.js";
import { isConvention, wholeLimitsOf, wholeOf, withPreset } from "../../water/presets.js";
import { parametersOf } from "../../water/overview.js";
import { rangeText } from "../../water/range-text.js";
import { isProblem } from "../../words/problem.js";
import { createButton } from "../button/button.js";
import { createDryRun } from "../dry-run/dry-run.js";
import { createProblem } from "../page/page.js";
import { openChoice } from "../picker/choice.js";
import { ownPresetsOf } from "./own.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/presets.js").Preset} Preset */

/**
 * @param {Context} context
 * @returns {Promise<Preset[]>}
 */
export async function readPresets({ api }) {
    const { data } = await api.get("/presets");
    return data;
}

/**
 * The limits of a preset, with all that stands beside them.
 * @param {Context} context
 * @param {Preset} preset
 * @returns {Promise<import("../../water/presets.js").WholeLimits[]>}
 */
export async function readWholeLimits(context, preset) {
    return preset.own ? (await ownPresetsOf(context).read(preset.id)).preset.parameters.map(wholeOf) : wholeLimitsOf(preset);
}

/**
 * A preset among others, with whose it is, or where its limits are from.
 * @param {Pick<Context, "t">} context
 * @param {Preset} preset
 */
export function presetOption({ t }, { id, name, own, project, sources }) {
    const detail = own ? project ?? t("presets.own") : t("devices.preset_sources", { sources: sources.join(", ") });
    return { value: id, text: name, detail };
}

/**
 * A parameter's limits among those of a preset.
 * @param {Context} context
 * @param {Parameters<typeof rangeText>[1] & {name: string}} limits
 * @param {boolean} [isConvention] Whether no source of weight has them.
 */
export function limitsRow(context, limits, isConvention = false) {
    const { t } = context;
    const { name } = limits;
    return h(
        "li",
        { class: "preset-row" },
        h("span", null, t(`water.${name}_full`)),
        h("span", { class: "quiet" }, rangeText(context, limits)),
        isConvention ? h("span", { class: "preset-note small quiet" }, t("devices.preset_convention")) : null,
    );
}

/**
 * @param {Context} context
 * @param {import("../../water/tanks.js").Device} device
 * @param {import("../dry-run/dry-run.js").Run} run
 */
export async function askForPreset(context, device, run) {
    const { t } = context;
    try {
        const presets = await readPresets(context);
        openChoice(context, {
            title: t("devices.preset"),
            lead: t("devices.preset_text"),
            options: presets.map((preset) => presetOption(context, preset)),
            value: "",
            onChoose: async (id) => {
                const preset = presets.find((one) => one.id === id);
                if (preset) await show(context, device, preset, run);
            },
        });
    } catch (error) {
        context.toast({ text: context.explain(error) });
    }
}

/**
 * What the limits will be, before they are.
 * @param {Context} context
 * @param {import("../../water/tanks.js").Device} device
 * @param {Preset} preset
 * @param {import("../dry-run/dry-run.js").Run} run
 */
async function show(context, device, preset, run) {
    const { t, store } = context;
    // The limits that are replaced are those that are there now.
    await store.readParameters(device.id);
    const list = store.parameters.value.get(device.id);
    const rows = (list?.items ?? []).flatMap((parameter) => {
        const next = withPreset(parameter, preset);
        if (!next) return [];
        return [limitsRow(context, next, isConvention(preset, next.name))];
    });
    const dry = createDryRun(context, run, async () => {
        const measured = parametersOf((store.tanks.value ?? []).filter(({ id }) => id === device.id));
        return { devices: [device], limits: (await readWholeLimits(context, preset)).filter(({ parameter }) => measured.includes(parameter)) };
    });
    const problem = createProblem();
    const button = createButton({
        text: t("devices.preset_do"),
        busyText: t("common.saving"),
        kind: "primary",
        press: take,
    });

    async function take() {
        problem.show("");
        try {
            await store.applyPreset(device.id, preset.id, list?.tag ?? null);
            sheet.close();
            context.toast({ text: t("devices.preset_done", { name: preset.name }) });
        } catch (error) {
            const isOther = isProblem(error) && error.status === 412;
            problem.show(isOther ? t("devices.preset_changed") : context.explain(error));
        }
    }

    const sheet = context.sheet({
        title: preset.name,
        lead: preset.own ? preset.project ?? t("presets.own") : t("devices.preset_start"),
        body: [
            h("ul", { class: "preset-rows" }, ...rows),
            preset.own ? h("p", { class: "small quiet" }, t("presets.take_text")) : null,
            dry.element,
            problem.element,
            button.element,
            preset.own ? null : h("p", { class: "small quiet preset-sources" }, t("devices.preset_sources", { sources: preset.sources.join(", ") })),
        ],
        onClose: dry.forget,
    });
}
