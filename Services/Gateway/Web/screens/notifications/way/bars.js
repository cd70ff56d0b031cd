/** What a way took of the last days: a bar for each stretch of six hours, with its words for readers. */

import { h } from "../../../page/dom.js";
import { fillOf, namedPeriods } from "../../../water/ways.js";

/** @typedef {{since: string, until: string, periods: readonly import("../../../water/ways.js").Period[]}} Week */

/**
 * @param {Pick<import("../../../app/context.js").Context, "t" | "format">} context
 * @param {Week} week
 */
export function createBars({ t, format }, { since, until, periods }) {
    const weekday = new Intl.DateTimeFormat(format.locale, { weekday: "short", timeZone: format.zone });
    const told = periods.filter((period) => fillOf(period) !== "none");
    const last = periods.length - 1;
    const sum = (/** @type {'taken' | 'untaken'} */ what) => periods.reduce((all, period) => all + period[what], 0);
    /** @param {number} index */
    const endOf = (index) => Date.parse(periods[index + 1]?.begin ?? until);

    /** @param {number} index */
    function wordOf(index) {
        const place = index === last ? `auto / -1` : `${index + 1} / span 6`;
        const text = index === last ? t("notifications.now") : weekday.format(Date.parse(periods[index].begin));
        const word = h("span", { class: index === last ? "way-bar-word way-bar-now" : "way-bar-word" }, text);
        word.style.setProperty("grid-column", place);
        return word;
    }

    /** @param {import("../../../water/ways.js").Period} period */
    function lineOf({ begin, taken, untaken }) {
        const index = periods.findIndex((one) => one.begin === begin);
        const [from, end] = [Date.parse(begin), endOf(index)];
        return h("li", null, t("ways.week_bar", { from: format.moment(from), until: format.moment(end), taken, untaken }));
    }

    const isCut = Date.parse(since) > Date.parse(periods[0].begin);
    const summary = told.length === 0 ? t("ways.week_none") : t("ways.week_sum", { taken: sum("taken"), untaken: sum("untaken") });
    return h(
        "div",
        { class: "way-week surface" },
        h(
            "div",
            { class: "way-bars", role: "img", "aria-label": summary },
            ...periods.map((period) => h("span", { class: `way-bar way-bar-${fillOf(period)}` })),
            ...namedPeriods(periods).map(wordOf),
        ),
        told.length === 0 ? null : h("ul", { class: "visually-hidden" }, ...told.map(lineOf)),
        h("p", { class: "small quiet" }, told.length === 0 ? t("ways.week_none") : t("ways.week_text")),
        isCut ? h("p", { class: "small quiet" }, t("ways.week_since", { time: format.placed(Date.parse(since)) })) : null,
    );
}
