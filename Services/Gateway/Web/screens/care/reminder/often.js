/** How often something is to be done: on days of the week, every so many days, or on a day of the month. */

import { createDays } from "../../../components/days/days.js";
import { createSegmented } from "../../../components/segmented/segmented.js";
import { createSymbol } from "../../../components/symbol/symbol.js";
import { h, set, setText } from "../../../page/dom.js";
import { rhythmText } from "../../../water/rhythm.js";
import { begun, countOf, everyDays, lastDay, modeOf, monthDayAfter, mostDays, withDay } from "./plan.js";

/** @typedef {import("../../../water/rhythm.js").Rhythm} Rhythm */
/** @typedef {import("./plan.js").Mode} Mode */

/** @type {readonly Mode[]} */
const modes = ["week", "days", "month"];

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {Pick<import("../../../water/care.js").Reminder, 'rhythm' | 'startsOn'>} first
 * @param {(rhythm: Rhythm) => void} changed
 */
export function createOften(context, { rhythm: given, startsOn }, changed) {
    const { t, format } = context;
    let rhythm = given;
    const segmented = createSegmented({
        label: t("care.often"),
        options: modes.map((value) => ({ value, text: t(`care.often_${value}`) })),
        value: /** @type {Mode} */ (modeOf(given) ?? ""),
        onChoose: (mode) => turn(begun(mode, startsOn)),
    });
    const week = createDays({ label: t("care.often_week"), locale: format.locale, onChoose: (day) => turn(withDay(rhythm, day)) });
    const count = createStepper((by) => turn(everyDays(Math.min(mostDays, Math.max(1, countOf(rhythm) + by)), "afterDone" in rhythm)));
    const basis = createSegmented({
        label: t("care.basis"),
        options: [{ value: "plan", text: t("care.basis_plan") }, { value: "done", text: t("care.basis_done") }],
        value: "plan",
        onChoose: (value) => turn(everyDays(countOf(rhythm), value === "done")),
    });
    const number = h("div", { class: "care-number" }, count.element, basis.element);
    const date = createStepper((by) => turn({ every: "month", interval: 1, day: monthDayAfter(dateOf(), by) }));
    const said = h("p", { class: "quiet" });
    const element = h(
        "div",
        { class: "care-often" },
        h("p", { class: "field-label" }, t("care.often")),
        segmented.element,
        week.element,
        number,
        date.element,
        said,
    );

    const dateOf = () => "day" in rhythm ? rhythm.day : 1;

    /** @param {Rhythm} next */
    function turn(next) {
        rhythm = next;
        show();
        changed(next);
    }

    function show() {
        const mode = modeOf(rhythm);
        segmented.show(/** @type {Mode} */ (mode ?? ""));
        set(week.element, "hidden", mode !== "week");
        set(number, "hidden", mode !== "days");
        set(date.element, "hidden", mode !== "month");
        set(said, "hidden", mode !== null);
        setText(said, mode === null ? rhythmText(context, rhythm) : "");
        if ("days" in rhythm) week.show(rhythm.days);
        const many = countOf(rhythm);
        if (mode === "days") count.update(t("care.days", { count: many }), many > 1, many < mostDays);
        if (mode === "days") basis.show("afterDone" in rhythm ? "done" : "plan");
        if (mode === "month") date.update(dateOf() === lastDay ? t("care.monthDay_last") : t("care.monthDay", { day: dateOf() }), dateOf() !== 1, dateOf() !== lastDay);
    }

    /** @param {(by: number) => void} step */
    function createStepper(step) {
        const text = h("p", { class: "care-stepper-text", role: "status" });
        const less = h("button", { class: "button care-step", type: "button", "aria-label": t("care.less"), onclick: () => step(-1) }, createSymbol("minus"));
        const more = h("button", { class: "button care-step", type: "button", "aria-label": t("care.more"), onclick: () => step(1) }, createSymbol("plus"));
        return {
            element: h("div", { class: "care-stepper" }, less, text, more),
            /** @param {string} words @param {boolean} hasLess @param {boolean} hasMore */
            update(words, hasLess, hasMore) {
                setText(text, words);
                less.disabled = !hasLess;
                more.disabled = !hasMore;
            },
        };
    }

    show();
    return { element };
}
