/** The weather at the place, once for a sample: how it is, how it was, and what was measured of it. */

import { createField } from "../../components/field/field.js";
import { h, set } from "../../page/dom.js";
import { measured, measures } from "../../water/field/draft.js";

/** @typedef {import("../../water/field/draft.js").Draft} Draft */
/** @typedef {import("../../water/field/draft.js").TypedWeather} TypedWeather */
/** @typedef {import("../../water/field/draft.js").Sky} Sky */

/** @type {readonly Sky[]} */
const skies = ["clear", "clouded", "overcast", "showers", "rain", "storm", "snow"];
const names = /** @type {(keyof typeof measures)[]} */ (Object.keys(measures));

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
    const fields = names.map((name) => {
        const { unit, least, most } = measures[name];
        const field = createField({
            label: t(`field.${name}`, { unit }), name, inputmode: "decimal", maxlength: 8,
            onInput() {
                say({ [name]: field.value });
                judge();
            },
        });
        const isFaulty = () => measured(name, field.value) === undefined;
        function judge() {
            field.setFault(isFaulty() ? { what: t("field.outside", { from: least, to: most }) } : null);
        }
        return { name, field, isFaulty, judge };
    });
    const more = h(
        "details",
        null,
        h("summary", null, t("field.weather_more")),
        h("h3", { class: "small" }, t("field.weather_before")),
        before.element,
        h("div", { class: "field-measures" }, fields.map(({ field }) => field.element)),
    );

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
            more,
        ),
        show,
        /** Goes to what cannot be; whether there is nothing of it. */
        isReady() {
            const faulty = fields.find(({ isFaulty }) => isFaulty());
            if (!faulty) return true;
            more.open = true;
            faulty.judge();
            faulty.field.focus();
            return false;
        },
    };
}
