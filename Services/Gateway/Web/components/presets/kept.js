/** What lives in the water of something new: a row that asks, and the limits that come with the answer. */

import { h } from "../../page/dom.js";
import { rangeText } from "../../water/range-text.js";
import { startingWith } from "../../water/starting.js";
import { createList, createRow } from "../list-row/list-row.js";
import { openChoice } from "../picker/choice.js";
import { limitsRow, readPresets } from "./presets.js";

/** @param {import("../../app/context.js").Context} context */
export function createKept(context) {
    const { t } = context;
    /** Empty for the manual's limits, null until it is chosen. @type {string | null} */
    let preset = null;
    const kept = createRow({ name: t("devices.keep"), value: t("devices.keep_choose"), press: ask });
    const limits = h("div", { hidden: true, "aria-live": "polite" });

    async function ask() {
        try {
            const presets = await readPresets(context);
            const options = [
                ...presets.map((one) => ({ value: one.id, text: one.name, detail: [one.own ? one.project ?? t("presets.own") : "", gist(one)].filter(Boolean).join(" · ") })),
                { value: "", text: t("devices.keep_usual"), detail: `${gist(null)}. ${t("devices.keep_usualText")}` },
            ];
            openChoice(context, {
                title: t("devices.keep"),
                lead: t("devices.preset_start"),
                options,
                value: preset,
                onChoose: (chosen) => {
                    preset = chosen;
                    kept.update({ value: options.find(({ value }) => value === chosen)?.text ?? "" });
                    showLimits(presets.find(({ id }) => id === chosen) ?? null);
                    return Promise.resolve();
                },
            });
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    /**
     * By what people tell one preset from another.
     * @param {import("../../water/presets.js").Preset | null} chosen
     */
    function gist(chosen) {
        const starts = new Map(startingWith(chosen).map((start) => [start.name, rangeText(context, start)]));
        return [starts.get("temperature"), `${t("water.ph_full")} ${starts.get("ph")}`].join(" · ");
    }

    /** @param {import("../../water/presets.js").Preset | null} chosen */
    function showLimits(chosen) {
        limits.hidden = false;
        limits.replaceChildren(
            h("p", { class: "small quiet" }, t("devices.preset_start")),
            h("ul", { class: "preset-rows" }, ...startingWith(chosen).map((start) => limitsRow(context, start))),
        );
    }

    return {
        elements: [createList(kept.element), limits],
        /** The chosen preset; empty for the manual's limits, null while nothing is chosen. */
        preset: () => preset,
        ask,
    };
}
