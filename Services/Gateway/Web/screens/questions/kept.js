/** The first question: what lives in the tank, as a group, one of its presets, and species. */

import { createChoices } from "../../components/picker/choice.js";
import { uniqueID } from "../../components/shape/shape.js";
import { createWater } from "../../components/symbol/waters.js";
import { h, set, setText } from "../../page/dom.js";
import { groups, mostSpecies, speciesFor, toggled } from "../../water/questions.js";

/** @typedef {import("../../water/questions.js").Answers} Answers */
/** @typedef {import("../../water/questions.js").Group} Group */
/** @typedef {import("../../water/questions.js").Kept} Kept */

/** So many species are in sight at once. */
const inSight = 8;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} model
 * @param {readonly import("../../water/presets.js").Preset[]} model.presets
 * @param {readonly import("../../water/questions.js").Species[]} model.species
 * @param {() => Answers} model.said
 * @param {(change: Partial<Answers>) => void} model.say
 * @param {() => Kept} model.group
 * @param {(group: Group | "none") => void} model.choose
 */
export function createKept({ t }, { presets, species, said, say, group, choose }) {
    const names = /** @type {Group[]} */ (Object.keys(groups));
    const what = createChoices({
        label: t("questions.kept"),
        options: [...names, /** @type {const} */ ("none")].map((one) => ({
            value: one,
            text: t(`questions.group_${one}`),
            detail: t(`questions.group_${one}Detail`),
            icon: createWater(one),
        })),
        value: group(),
        onChoose(next) {
            if (next === group()) return;
            choose(/** @type {Group | "none"} */ (next));
            const kinds = kindsOf(group());
            // What lives in other water is not taken along.
            if (!kinds.includes(said().kind ?? "")) say({ kind: kinds.length === 1 ? kinds[0] : null, species: [] });
            what.show(next);
            show();
        },
    });
    const which = h("section", { hidden: true });
    const search = h("input", {
        class: "field-input",
        type: "search",
        id: uniqueID(),
        autocomplete: "off",
        "aria-label": t("questions.species_search"),
        placeholder: t("questions.species_search"),
        oninput: list,
    });
    const rows = h("ul", { class: "questions-species" });
    const most = h("p", { class: "small quiet", role: "status" });
    const living = h("section", { hidden: true }, h("h2", { class: "section-head" }, t("questions.species")), search, rows, most);

    function show() {
        const kinds = kindsOf(group());
        set(which, "hidden", kinds.length < 2);
        if (kinds.length > 1) {
            const choices = createChoices({
                label: t("questions.which"),
                options: presets.filter(({ id }) => kinds.includes(id)).map(({ id, name }) => ({ value: id, text: name })),
                value: said().kind,
                onChoose(kind) {
                    say({ kind });
                    choices.show(kind);
                    list();
                },
            });
            choices.element.classList.add("questions-choices");
            which.replaceChildren(h("h2", { class: "section-head" }, t("questions.which")), choices.element);
        }
        list();
    }

    function list() {
        const all = group() === null ? [] : speciesFor(species, said(), group(), search.value);
        const chosen = said().species;
        set(living, "hidden", group() === null || speciesFor(species, said(), group()).length === 0);
        const shown = [...all].sort((one, other) => Number(chosen.includes(other.id)) - Number(chosen.includes(one.id)));
        rows.replaceChildren(...shown.slice(0, Math.max(inSight, chosen.length)).map((one) => {
            const box = h("input", { type: "checkbox", checked: chosen.includes(one.id) });
            box.addEventListener("change", () => toggle(one.id, box));
            return h("li", null, h("label", null, box, h("span", null, one.name), h("span", { class: "small quiet", lang: "la" }, one.scientificName)));
        }));
        setText(most, chosen.length >= mostSpecies ? t("questions.species_most", { count: mostSpecies }) : "");
    }

    /**
     * The row stays where it is, and keeps the focus.
     * @param {string} id
     * @param {HTMLInputElement} box
     */
    function toggle(id, box) {
        say({ species: toggled(said().species, id) });
        box.checked = said().species.includes(id);
        setText(most, said().species.length >= mostSpecies ? t("questions.species_most", { count: mostSpecies }) : "");
    }

    what.element.classList.add("questions-choices");
    show();
    return [what.element, which, living];
}

/** @param {Kept} group */
function kindsOf(group) {
    return group === null || group === "none" ? [] : groups[group];
}
