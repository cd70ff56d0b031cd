/** The second question: how much water it is. */

import { createField } from "../../components/field/field.js";
import { createSymbol } from "../../components/symbol/symbol.js";
import { h, set, setText } from "../../page/dom.js";
import { bounded, gallonsOf, isVolume, stepped, volumes, volumeBounds } from "../../water/questions.js";
import { parseNumber } from "../../words/numbers.js";

/** Where nothing was said, stepping begins here. */
const usual = 200;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {() => import("../../water/questions.js").Answers} model.said
 * @param {(change: Partial<import("../../water/questions.js").Answers>) => void} model.say
 * @returns {{parts: HTMLElement[], isFine: () => boolean}} Fine: what stands there is a volume, or nothing; else the person is led there.
 */
export function createVolume({ t, format }, { said, say }) {
    const number = createField({
        label: t("questions.litres"),
        name: "litres",
        inputmode: "decimal",
        value: said().litres === null ? "" : String(said().litres),
        onInput() {
            const litres = parseNumber(number.value);
            say({ litres: litres !== null && isVolume(litres) ? bounded(litres) : null });
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

    /** A number that is none is said where it stands, not left out in silence. */
    function check() {
        if (number.value.trim() === "" || said().litres !== null) return true;
        const isNumber = parseNumber(number.value) !== null;
        const [least, most] = volumeBounds;
        number.setFault({
            what: t(isNumber ? "questions.litres_beyond" : "questions.litres_none"),
            todo: ` ${t("questions.litres_bounds", { least: format.number(least, 1), most: format.number(most, 0) })}`,
        });
        return false;
    }

    /** @param {number} litres */
    function take(litres) {
        say({ litres });
        number.value = String(litres);
        number.setFault(null);
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
    return {
        parts: [
            h("div", { class: "questions-amount" }, step(-1), number.element, step(1)),
            h("div", { class: "questions-volumes" }, chips),
            note,
        ],
        isFine() {
            const isFine = check();
            if (!isFine) number.focus();
            return isFine;
        },
    };
}
