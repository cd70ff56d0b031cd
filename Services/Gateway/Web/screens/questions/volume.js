/** The second question: how much water it is. */

import { createField } from "../../components/field/field.js";
import { createSymbol } from "../../components/symbol/symbol.js";
import { h, set, setText } from "../../page/dom.js";
import { bounded, gallonsOf, stepped, volumes } from "../../water/questions.js";
import { parseNumber } from "../../words/numbers.js";

/** Where nothing was said, stepping begins here. */
const usual = 200;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {() => import("../../water/questions.js").Answers} model.said
 * @param {(change: Partial<import("../../water/questions.js").Answers>) => void} model.say
 */
export function createVolume({ t, format }, { said, say }) {
    const number = createField({
        label: t("questions.litres"),
        name: "litres",
        inputmode: "decimal",
        value: said().litres === null ? "" : String(said().litres),
        onInput() {
            const litres = parseNumber(number.value);
            say({ litres: litres !== null && litres > 0 ? bounded(litres) : null });
            show();
        },
    });
    const note = h("p", { class: "small quiet", role: "status" });
    const step = (/** @type {1 | -1} */ direction) =>
        h(
            "button",
            {
                class: "button questions-step",
                type: "button",
                "aria-label": t(direction > 0 ? "questions.more" : "questions.less"),
                onclick: () => take(stepped(said().litres ?? usual, direction)),
            },
            createSymbol(direction > 0 ? "plus" : "minus"),
        );
    const chips = volumes.map((litres) =>
        h("button", { class: "chip", type: "button", onclick: () => take(litres) }, t("questions.volume_litres", { litres: format.number(litres, 0) }))
    );

    /** @param {number} litres */
    function take(litres) {
        say({ litres });
        number.value = String(litres);
        show();
    }

    function show() {
        const { litres } = said();
        chips.forEach((chip, index) => {
            const isPresent = volumes[index] === litres;
            set(chip, "aria-pressed", String(isPresent));
            set(chip, "data-on", isPresent);
        });
        setText(note, litres === null ? "" : t("questions.volume_gallons", { gallons: format.number(gallonsOf(litres), litres < 400 ? 1 : 0) }));
    }

    show();
    return [
        h("div", { class: "questions-amount" }, step(-1), number.element, step(1)),
        h("div", { class: "questions-volumes" }, chips),
        note,
    ];
}
