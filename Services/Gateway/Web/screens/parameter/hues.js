/** The choice of a hue: nine swatches, and a slider for any other. Its strength is fixed, so that only alarms shout. */

import { createSymbol } from "../../components/symbol/symbol.js";
import { inkOf, setInk } from "../../drawing/ink.js";
import { colourOfHue } from "../../drawing/hues.js";
import { h, set } from "../../page/dom.js";

/** The hues of the nine parameters at first, by the colours that the service keeps for them. */
const swatches = ["red", "#7c3f00", "yellow", "green", "#6bcae2", "blue", "purple", "#f7138e", "gray"];

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {string} model.colour
 * @param {number} model.hue
 * @param {(colour: string) => Promise<void>} model.onChoose
 */
export function createHues(context, { colour, hue, onChoose }) {
    const { t } = context;
    const isSwatch = swatches.some((swatch) => isSame(swatch, colour));

    /** @param {string} next */
    async function choose(next) {
        try {
            await onChoose(next);
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    const list = h(
        "div",
        { class: "hues", role: "group", "aria-label": t("parameter.colour") },
        ...swatches.map((swatch, index) => {
            const isChosen = isSame(swatch, colour);
            const button = h(
                "button",
                { class: "hue", type: "button", "aria-pressed": String(isChosen), "aria-label": t(`parameter.hue_${index}`) },
                h("span", { class: "hue-dot" }, isChosen ? createSymbol("check") : null),
            );
            setInk(button, swatch);
            button.addEventListener("click", () => choose(swatch));
            return button;
        }),
        h(
            "button",
            { class: "hue hue-other", type: "button", "aria-pressed": String(!isSwatch), "aria-label": t("parameter.hue_other"), onclick: () => slide() },
            h("span", { class: "hue-dot" }, createSymbol(isSwatch ? "plus" : "check")),
        ),
    );
    if (!isSwatch) setInk(/** @type {HTMLElement} */ (list.lastElementChild), colour);
    const box = h("div", { class: "hues-box surface" }, list);

    function slide() {
        const slider = h("input", {
            class: "hue-slider",
            type: "range",
            min: 0,
            max: 355,
            step: 5,
            "aria-label": t("parameter.hue_slider"),
            autofocus: true,
        });
        slider.value = String(Math.round(hue / 5) * 5);
        const sample = h("span", { class: "hue-sample", "aria-hidden": "true" });
        const show = () => {
            setInk(sample, colourOfHue(Number(slider.value)));
            set(slider, "aria-valuetext", `${slider.value}°`);
        };
        slider.addEventListener("input", show);
        show();
        const sheet = context.sheet({
            title: t("parameter.colour"),
            lead: t("parameter.colour_note"),
            body: [
                sample,
                slider,
                h("button", {
                    class: "button button-primary",
                    type: "button",
                    onclick: () => {
                        sheet.close();
                        choose(colourOfHue(Number(slider.value)));
                    },
                }, t("parameter.hue_set")),
            ],
        });
    }

    return box;
}

/**
 * @param {string} one
 * @param {string} other
 */
function isSame(one, other) {
    const [a, b] = [inkOf(one), inkOf(other)];
    return a.hue === b.hue && a.strength === b.strength;
}
