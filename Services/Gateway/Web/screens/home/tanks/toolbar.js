/** What stands above the tiles: which tanks, in which order, with which number, and how. On phones most of it is in a sheet. */

import { createButton } from "../../../components/button/button.js";
import { createSegmented } from "../../../components/segmented/segmented.js";
import { createIcon, createShape } from "../../../components/shape/shape.js";
import { createSymbol } from "../../../components/symbol/symbol.js";
import { h, set } from "../../../page/dom.js";
import { createSlot } from "../../../page/slot.js";
import { orders } from "../../../water/overview.js";
import { layouts } from "./view.js";

/** @typedef {import("../../../app/context.js").Context} Context */
/** @typedef {import("../../../water/overview.js").Filter} Filter */
/** @typedef {import("./view.js").View} View */
/** @typedef {ReturnType<typeof import("../../../water/overview.js").groupsOf>} Groups */

/**
 * @typedef {object} Choices What can be chosen now.
 * @property {readonly {filter: Filter, count: number}[]} counts
 * @property {Groups} groups
 * @property {readonly string[]} parameters
 * @property {number} shown How many tanks are shown.
 */

/** @type {Readonly<Partial<Record<Filter, import("../../../components/shape/shape.js").ShapeName>>>} */
const shapes = { needs: "live", outside: "low", silent: "silent", fault: "fault", worked: "worked" };

/**
 * @param {Context} context
 * @param {View} view
 * @param {() => void} changed The view is another one.
 */
export function createToolbar(context, view, changed) {
    const { t } = context;
    const filters = createSlot(h("div", { class: "tanks-filters", role: "group", "aria-label": t("tanks.which") }));
    const order = chip("tanks-order", () => openChoices());
    const number = chip("tanks-number", () => openChoices());
    const funnel = h("button", { class: "icon-button tanks-which", type: "button", "aria-haspopup": "dialog", "aria-label": t("tanks.which"), onclick: () => openChoices() }, createSymbol("order"));
    const layout = createSegmented({
        label: t("tanks.layout"),
        options: layouts.map((value) => ({ value, text: t(`tanks.layout_${value}`) })),
        value: view.layout,
        onChoose(next) {
            view.layout = next;
            changed();
        },
    });
    const turn = h("button", { class: "icon-button tanks-turn", type: "button", "aria-haspopup": "dialog", onclick: openLayouts });
    const element = h("div", { class: "tanks-bar" }, filters.element, h("div", { class: "tanks-tools" }, order, number, funnel, turn, layout.element));
    /** @type {Choices} */
    let choices = { counts: [], groups: [], parameters: [], shown: 0 };

    /**
     * @param {string} className
     * @param {() => void} press
     */
    function chip(className, press) {
        return h("button", { class: `chip chip-small ${className}`, type: "button", "aria-haspopup": "dialog", onclick: press });
    }

    /**
     * @param {string} text
     * @param {boolean} isOn
     * @param {() => void} press
     * @param {import("../../../components/shape/shape.js").ShapeName} [shape]
     */
    function pressable(text, isOn, press, shape) {
        const made = h("button", { class: "chip chip-small", type: "button", "aria-pressed": String(isOn), onclick: press }, shape ? createShape(shape) : null, text);
        set(made, "data-on", isOn);
        return made;
    }

    /** @param {() => void} redraw */
    const filterChips = (redraw) => choices.counts.map(({ filter, count }) =>
        pressable(t(`tanks.filter_${filter}`, { count }), view.filter === filter, () => {
            view.filter = filter;
            redraw();
        }, shapes[filter])
    );

    /** @param {() => void} redraw */
    const groupChips = (redraw) => [{ id: null, name: t("tanks.group_all"), count: -1 }, ...choices.groups.map(({ id, name, devices }) => ({ id, name: name ?? t("tanks.group_own"), count: devices.size }))]
        .map(({ id, name, count }) =>
            pressable(count < 0 ? name : `${name} ${count}`, view.group === id, () => {
                view.group = id;
                redraw();
            })
        );

    /** @param {string | null} parameter */
    const nameOf = (parameter) => parameter === null ? t("tanks.nearest") : t(`water.${parameter}`);

    /** The ways to show them, where there is no room for all of them side by side. */
    function openLayouts() {
        const rows = layouts.map((value) =>
            h(
                "li",
                null,
                h(
                    "button",
                    { class: "menu-row", type: "button", "aria-pressed": String(view.layout === value), onclick: () => {
                        sheet.close();
                        view.layout = value;
                        changed();
                    } },
                    h("span", { class: "menu-row-shape" }, createSymbol(value)),
                    h("span", { class: "menu-row-text" }, t(`tanks.layout_${value}`)),
                ),
            )
        );
        const sheet = context.sheet({ title: t("tanks.layout"), body: [h("ul", { class: "menu" }, ...rows)] });
    }

    /** Everything that can be chosen, in a sheet. */
    function openChoices() {
        const groups = h("div", { class: "tanks-chips" });
        const states = h("div", { class: "tanks-chips" });
        const numbers = h("div", { class: "tanks-chips" });
        const show = createButton({ text: "", kind: "primary", press: () => sheet?.close() });
        const segmented = createSegmented({
            label: t("tanks.order"),
            options: orders.map((value) => ({ value, text: t(`tanks.order_${value}`) })),
            value: view.order,
            onChoose(value) {
                view.order = value;
                redraw();
            },
        });

        function redraw() {
            changed();
            const focused = [...sheet?.element.querySelectorAll("button") ?? []].indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
            states.replaceChildren(...filterChips(redraw));
            groups.replaceChildren(...groupChips(redraw));
            numbers.replaceChildren(...[...choices.parameters, null].map((parameter) =>
                pressable(nameOf(parameter), view.parameter === parameter, () => {
                    view.parameter = parameter;
                    redraw();
                })
            ));
            show.setText(t("tanks.show", { count: choices.shown }));
            if (focused >= 0) sheet?.element.querySelectorAll("button")[focused]?.focus();
        }

        /** @type {import("../../../components/sheet/sheet.js").Sheet | null} */
        let sheet = null;
        redraw();
        const parts = [
            part("tanks.state", states),
            choices.groups.length > 1 ? part("tanks.group", groups) : null,
            part("tanks.order", segmented.element),
            part("tanks.number", numbers),
            show.element,
        ];
        sheet = context.sheet({ title: t("tanks.which"), body: [h("div", { class: "tanks-choices" }, ...parts)] });
    }

    /**
     * @param {string} title
     * @param {Element} content
     */
    const part = (title, content) => h("section", null, h("h3", { class: "section-head" }, t(title)), content);

    return {
        element,
        /** @param {Choices} next */
        update(next) {
            choices = next;
            const { counts, groups } = next;
            filters.update([view.filter, view.group, JSON.stringify([counts, groups.map(({ id, devices }) => [id, devices.size])])], () => [
                ...filterChips(changed),
                ...groups.length > 1 ? [h("span", { class: "tanks-split" }), ...groupChips(changed).slice(1)] : [],
            ]);
            order.replaceChildren(createSymbol("order"), t(`tanks.order_${view.order}`));
            number.replaceChildren(h("span", { class: "tanks-number-name" }, nameOf(view.parameter)), createIcon("chevronDown", "icon-small"));
            number.setAttribute("aria-label", `${t("tanks.number")}: ${nameOf(view.parameter)}`);
            layout.show(view.layout);
            if (turn.getAttribute("data-layout") === view.layout) return;
            turn.setAttribute("data-layout", view.layout);
            turn.setAttribute("aria-label", `${t("tanks.layout")}: ${t(`tanks.layout_${view.layout}`)}`);
            turn.replaceChildren(createSymbol(view.layout));
        },
    };
}
