/** The calendar: a month with what was done, missed and is to come, and the rows of one day. */

import { createCalendar, createLegend } from "../../components/calendar/calendar.js";
import { createCareRow } from "../../components/care-row/care-row.js";
import { createIcon } from "../../components/shape/shape.js";
import { h, set, setText } from "../../page/dom.js";
import { createKeyed } from "../../page/keyed.js";
import { byDay, countsOf, markOf, marks, monthAfter, monthOf, movedBy, weeksOf } from "../../water/calendar.js";
import { dateOf, dayAt, dayOf, dayText, partsOf } from "../../water/civil.js";
import { daysOf, firstDay } from "../../water/quiet.js";
import { listed } from "../../words/sentence.js";

/** @typedef {import("../../water/care.js").Item} Item */

/** So many marks fit below a day. */
const most = 3;

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/care.js").Care} care
 * @param {import("./doing.js").Doing} doing
 * @param {{changed: () => void}} events
 */
export function createMonth(context, care, doing, { changed }) {
    const { t, format } = context;
    const first = firstDay(new Intl.Locale(format.locale));
    const heads = daysOf(format.locale).map(({ letter, name }) => ({ short: letter, name }));
    let chosen = dayAt(Date.now(), format.zone);
    let month = monthOf(chosen);
    let asked = "";
    const title = h("h2", { class: "name" });
    const steps = [
        { icon: /** @type {const} */ ("back"), text: t("care.month_before"), press: () => turn(-1) },
        { icon: /** @type {const} */ ("chevronRight"), text: t("care.month_after"), press: () => turn(1) },
    ];
    const calendar = createCalendar({
        choose,
        moved: (day, key) => movedBy(day, key, first),
        turn,
    });
    const dayHead = h("h3", { class: "section-head", "aria-live": "polite" });
    const none = h("p", { class: "rows-note" }, t("care.day_none"));
    const list = h("ul", { class: "rows surface" });
    const updateRows = createKeyed(list, (/** @type {import("../../components/care-row/care-row.js").CareRowModel} */ { key }) => key, createCareRow);
    const element = h(
        "section",
        { class: "care-month", "aria-label": t("care.calendar") },
        h(
            "div",
            { class: "care-column-head" },
            title,
            h("span", null, ...steps.map(({ icon, text, press }) => h("button", { class: "icon-button", type: "button", "aria-label": text, onclick: press }, createIcon(icon)))),
        ),
        h("div", { class: "calendar-box surface" }, calendar.element),
        createLegend(marks.map((mark) => ({ shape: mark, text: t(`care.mark_${mark}`) }))),
        dayHead,
        none,
        list,
    );

    /** @param {number} day */
    function choose(day) {
        chosen = day;
        month = monthOf(day);
        changed();
    }

    /** @param {number} count */
    function turn(count) {
        month = monthAfter(month, count);
        const today = dayAt(Date.now(), format.zone);
        chosen = monthOf(today) === month ? today : dayOf(`${month}-01`);
        changed();
    }

    /** @param {number} now */
    function daysNow(now) {
        const { answer } = care.monthOf(month, now);
        // Until the month has come, what is due says what it knows of it.
        return byDay(answer ?? care.shown.value ?? { zone: format.zone, reminders: [], occurrences: [] }, now, format.zone);
    }

    function name() {
        const day = dayOf(`${month}-01`);
        const isThisYear = partsOf(day).year === partsOf(dayAt(Date.now(), format.zone)).year;
        return dayText(day, format.locale, isThisYear ? { month: "long" } : { month: "long", year: "numeric" });
    }

    /**
     * @param {number} day
     * @param {readonly Item[]} items
     */
    function labelOf(day, items) {
        const date = dayText(day, format.locale, { weekday: "long", day: "numeric", month: "long" });
        const found = marks.flatMap((mark) => {
            const count = items.filter((item) => markOf(item) === mark).length;
            return count === 0 ? [] : [t("care.day_mark", { count, mark: t(`care.mark_${mark}`) })];
        });
        return listed(context, [date, ...found]);
    }

    return {
        element,
        steps,

        /** The headline where the calendar is the screen. @param {number} now */
        told(now) {
            const { done, late, due } = countsOf(daysNow(now), month);
            const { isOld, seenAt } = care.monthOf(month, now);
            const sentence = isOld ? t("care.seen", { at: format.at(seenAt, now) }) : t("care.counts", { done, late, due });
            return { headline: name(), sentence };
        },

        /** @param {number} now */
        update(now) {
            const weeks = weeksOf(month, first);
            if (asked !== month) {
                asked = month;
                void care.readMonth(month, { from: dateOf(weeks[0][0]), until: dateOf(weeks[weeks.length - 1][6]) });
            }
            const days = daysNow(now);
            setText(title, name());
            calendar.update({
                label: name(),
                heads,
                today: dayAt(now, format.zone),
                chosen,
                weeks: weeks.map((week) =>
                    week.map((day) => {
                        const items = days.get(day) ?? [];
                        return {
                            day,
                            text: String(partsOf(day).date),
                            label: labelOf(day, items),
                            marks: items.slice(0, items.length > most ? most - 1 : most).map(markOf),
                            more: items.length > most ? `+${items.length - most + 1}` : "",
                            isOther: monthOf(day) !== month,
                        };
                    })
                ),
            });
            const items = days.get(chosen) ?? [];
            setText(dayHead, dayText(chosen, format.locale, { weekday: "long", day: "numeric", month: "long" }));
            set(none, "hidden", items.length > 0);
            set(list, "hidden", items.length === 0);
            updateRows(items.map((item) => doing.rowOf(item, now)));
        },
    };
}
