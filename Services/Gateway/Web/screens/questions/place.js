/** The last questions: where the tank stands; outdoors, what becomes of it in winter, and indoors, what grows in it. */

import { createChoices } from "../../components/picker/choice.js";
import { createSegmented } from "../../components/segmented/segmented.js";
import { createWater } from "../../components/symbol/waters.js";
import { h, set } from "../../page/dom.js";
import { groupOf, winters } from "../../water/questions.js";

/** @typedef {import("../../water/questions.js").Answers} Answers */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {() => Answers} model.said
 * @param {(change: Partial<Answers>) => void} model.say
 * @param {() => void} model.onChange The number of questions may be another.
 */
export function createPlace({ t }, { said, say, onChange }) {
    /** @param {boolean | null} value */
    const word = (value) => value === null ? "" : value ? "yes" : "no";
    const place = createSegmented({
        label: t("questions.place"),
        options: [{ value: "no", text: t("questions.indoors") }, { value: "yes", text: t("questions.outdoors") }],
        value: word(said().outdoors),
        onChoose(next) {
            say({ outdoors: next === "yes" });
            show();
            onChange();
        },
    });
    const inWinter = createChoices({
        label: t("questions.winter"),
        options: winters.map((one) => ({
            value: one,
            text: t(`questions.winter_${one}`),
            detail: t(`questions.winter_${one}Detail`),
            icon: createWater(one),
        })),
        value: said().winter,
        onChoose(next) {
            say({ winter: /** @type {import("../../water/questions.js").Winter} */ (next) });
            inWinter.show(next);
        },
    });
    inWinter.element.classList.add("questions-choices");
    const winter = h("section", { class: "questions-part" }, h("h2", null, t("questions.winter")), h("p", { class: "quiet" }, t("questions.winter_why")), inWinter.element);

    /**
     * @param {"plants" | "carbonDioxide"} what
     */
    const yesOrNo = (what) => {
        const choice = createSegmented({
            label: t(`questions.${what}`),
            options: [{ value: "yes", text: t("questions.yes") }, { value: "no", text: t("questions.no") }],
            value: word(said()[what]),
            onChoose(next) {
                say(what === "plants" ? { plants: next === "yes" } : { carbonDioxide: next === "yes" });
                show();
            },
        });
        return h("section", { class: "questions-part" }, h("h2", null, t(`questions.${what}`)), choice.element);
    };
    const plants = yesOrNo("plants");
    const carbonDioxide = yesOrNo("carbonDioxide");

    function show() {
        const { outdoors, kind, plants: grow } = said();
        set(winter, "hidden", outdoors !== true);
        const mayGrow = outdoors === false && kind !== "pool" && groupOf(kind) !== "sea";
        set(plants, "hidden", !mayGrow);
        set(carbonDioxide, "hidden", !mayGrow || grow !== true);
    }

    show();
    return [place.element, winter, plants, carbonDioxide];
}
