/** The weather at the place, once for a sample: how it is, how it was, and what was measured of it. */

import { createField } from "../../components/field/field.js";
import { h, set } from "../../page/dom.js";

/** @typedef {import("../../water/field/draft.js").Draft} Draft */
/** @typedef {import("../../water/field/draft.js").TypedWeather} TypedWeather */
/** @typedef {import("../../water/field/draft.js").Sky} Sky */

/** @type {readonly Sky[]} */
const skies = ["clear", "clouded", "overcast", "showers", "rain", "storm", "snow"];
/** What is measured, with its unit and its bounds. @type {readonly ["airTemperature" | "wind" | "cloud" | "rain", string, number, number][]} */
const measures = [["airTemperature", "°C", -60, 60], ["wind", "0–12", 0, 12], ["cloud", "%", 0, 100], ["rain", "mm", 0, 2_000]];

/**
 * @param {import("../../app/context.js").Context} context
 * @param {() => Draft} draft
 * @param {(change: (draft: Draft) => Draft) => void} change
 */
export function createWeather({ t }, draft, change) {
    /** @param {Partial<TypedWeather>} said */
    const say = (said) => change((now) => ({ ...now, weather: { ...now.weather, ...said } }));

    /** @param {'now' | 'before'} which */
    function createSkies(which) {
        const buttons = skies.map((sky) => h("button", { class: "chip chip-small", type: "button", onclick: () => press(sky) }, t(`field.sky_${sky}`)));
        /** @param {Sky} sky */
        function press(sky) {
            say({ [which]: draft().weather[which] === sky ? null : sky });
            show();
        }
        function show() {
            buttons.forEach((button, index) => {
                const isOn = draft().weather[which] === skies[index];
                set(button, "aria-pressed", String(isOn));
                set(button, "data-on", isOn);
            });
        }
        const element = h("div", { class: "journal-offers", role: "group", "aria-label": t(`field.weather_${which}`) }, buttons);
        return { element, show };
    }

    const [present, before] = [createSkies("now"), createSkies("before")];
    const fields = measures.map(([name, unit, least, most]) => {
        const field = createField({
            label: t(`field.${name}`, { unit }), name, inputmode: "decimal", maxlength: 8,
            onInput() {
                say({ [name]: field.value });
                const number = Number(field.value.normalize("NFKC").trim().replace(",", ".").replace("−", "-"));
                field.setFault(field.value.trim() === "" || number >= least && number <= most ? null : { what: t("field.outside", { from: least, to: most }) });
            },
        });
        return { name, field };
    });

    function show() {
        present.show();
        before.show();
        for (const { name, field } of fields) if (document.activeElement !== field.input) field.value = draft().weather[name];
    }

    show();
    return {
        element: h(
            "section",
            { class: "field-weather" },
            h("h2", { class: "section-head" }, t("field.weather_now")),
            present.element,
            h(
                "details",
                null,
                h("summary", null, t("field.weather_more")),
                h("h3", { class: "small" }, t("field.weather_before")),
                before.element,
                h("div", { class: "field-measures" }, fields.map(({ field }) => field.element)),
            ),
        ),
        show,
    };
}
