/** The parts of a report on paper. */

import { h } from "../../page/dom.js";
import { factsOf, titleOf } from "../../water/journal-text.js";
import { coverage, grouped } from "../../water/report.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/report.js").Report} Report */

/**
 * @param {Context} context
 * @param {Report} report
 */
export function headOf({ t, format }, report) {
    const [from, until] = [Date.parse(report.from), Date.parse(report.until)];
    return [
        h("h2", { class: "report-title" }, report.name),
        h("p", null, t("records.from_until", { from: exact(format, from), until: exact(format, until) })),
        h("p", { class: "small quiet" }, `${report.device} · ${t("records.approved_hours", { approved: report.approvedHours, hours: report.hours })}`),
    ];
}

/**
 * @param {Context} context
 * @param {string} device
 * @param {Report} report
 */
export function figuresOf({ t, format, store }, device, report) {
    if (report.parameters.length === 0) return [h("p", { class: "quiet" }, t("records.nothing_measured"))];
    const heads = ["parameter", "least", "mean", "greatest", "limits", "outside", "coverage"];
    const rows = report.parameters.map((figures) => {
        const { parameter, unit, least, mean, greatest, minimum, maximum } = figures;
        const digits = store.parameterOf(device, parameter)?.decimals ?? 2;
        /** @param {number | null} value */
        const number = (value) => value === null ? "–" : format.number(value, digits);
        const outside = figures.secondsOutOfRange === 0 ? "–" : format.duration(figures.secondsOutOfRange * 1_000);
        return h(
            "tr",
            null,
            h("th", { scope: "row" }, format.withUnit(t(`water.${parameter}_full`), ""), h("span", { class: "quiet" }, ` ${format.withUnit("", unit).trim()}`)),
            h("td", null, number(least)),
            h("td", null, number(mean)),
            h("td", null, number(greatest)),
            h("td", null, limits(minimum, maximum, number)),
            h("td", null, outside, figures.secondsUndecided > 0 ? " *" : ""),
            h("td", null, format.withUnit(format.number(Math.round(coverage(report, figures) * 100), 0), "%")),
        );
    });
    const isUndecided = report.parameters.some(({ secondsUndecided }) => secondsUndecided > 0);
    return [
        h("h3", { class: "section-head" }, t("records.figures")),
        h(
            "div",
            { class: "report-scroll", role: "region", tabindex: "0", "aria-label": t("records.figures") },
            h(
                "table",
                { class: "report-table" },
                h("thead", null, h("tr", null, heads.map((name) => h("th", { scope: "col" }, t(`records.${name}`))))),
                h("tbody", null, rows),
            ),
        ),
        isUndecided ? h("p", { class: "small quiet" }, `* ${t("records.undecided")}`) : null,
    ].filter((part) => part !== null);
}

/**
 * @param {number | null} minimum
 * @param {number | null} maximum
 * @param {(value: number) => string} number
 */
function limits(minimum, maximum, number) {
    if (minimum !== null && maximum !== null) return `${number(minimum)} – ${number(maximum)}`;
    return maximum !== null ? `≤ ${number(maximum)}` : minimum !== null ? `≥ ${number(minimum)}` : "–";
}

/**
 * @param {Context} context
 * @param {Report} report
 */
export function approvalsOf({ t, format }, report) {
    if (report.approvals.length === 0) return [h("h3", { class: "section-head" }, t("records.approvals")), h("p", null, t("records.provisional"))];
    const lines = report.approvals.map(({ from, until, at, note, by, withdrawn }) =>
        h(
            "li",
            null,
            t("records.approved_by", {
                from: exact(format, Date.parse(from)),
                until: exact(format, Date.parse(until)),
                name: by?.name ?? t("records.somebody"),
                at: exact(format, Date.parse(at)),
            }),
            note ? h("span", { class: "quiet" }, ` ${note}`) : null,
            withdrawn
                ? h("p", { class: "small" }, t("records.withdrawn_by", { name: withdrawn.by ?? t("records.somebody"), at: exact(format, Date.parse(withdrawn.at)) }), withdrawn.reason ? ` ${withdrawn.reason}` : "")
                : null,
        )
    );
    return [h("h3", { class: "section-head" }, t("records.approvals")), h("ul", { class: "report-list" }, lines)];
}

/**
 * Alarms, what was done, and what was deleted.
 * @param {Context} context
 * @param {Report} report
 */
export function listsOf(context, report) {
    const { t, format } = context;
    const alarms = report.alerts.map(({ at, title, text, readingsDeletedAt }) =>
        line(format, at, [title, text, readingsDeletedAt ? t("records.alert_deleted", { at: format.at(Date.parse(readingsDeletedAt)) }) : ""]));
    const done = report.journal.map((entry) =>
        line(format, entry.at, [titleOf(context, entry), factsOf(context, entry, { volume: null, tank: undefined }).join(" · ")]));
    const deleted = report.deletions.map(({ at, from, until, readings, parameters, reason, by }) =>
        line(format, at, [
            t("records.deleted_line", { count: readings, from: exact(format, Date.parse(from)), until: exact(format, Date.parse(until)), name: by?.name ?? t("records.somebody") }),
            parameters.map((name) => t(`water.${name}`)).join(", "),
            reason ?? "",
        ]));
    return [
        ...section(t("records.alarms"), alarms, t("records.no_alarms")),
        ...section(t("records.done"), done, t("records.nothing_done")),
        ...(deleted.length > 0 ? section(t("records.deletions"), deleted, "") : []),
        ...(report.complete ? [] : [h("p", { class: "small" }, t("records.incomplete"))]),
    ];
}

/**
 * @param {Context} context
 * @param {Report} report
 * @param {string} checksum
 */
export function checksumOf({ t }, report, checksum) {
    return [
        h("h3", { class: "section-head" }, t("records.checksum")),
        h("p", { class: "report-checksum", dir: "ltr" }, grouped(checksum)),
        h("p", { class: "small quiet" }, t("records.checksum_text", { path: `/api/v1/devices/${report.device}/report?from=${report.from}&until=${report.until}` })),
    ];
}

/** @param {Context} context */
export function signatures({ t }) {
    return h("div", { class: "report-signs" }, ["sign_place", "sign_name"].map((name) => h("p", { class: "report-sign small" }, t(`records.${name}`))));
}

/**
 * @param {string} title
 * @param {HTMLElement[]} lines
 * @param {string} none
 */
function section(title, lines, none) {
    return [h("h3", { class: "section-head" }, title), lines.length === 0 ? h("p", { class: "quiet" }, none) : h("ul", { class: "report-list" }, lines)];
}

/**
 * @param {import("../../words/format.js").Format} format
 * @param {string} at
 * @param {string[]} texts
 */
function line(format, at, texts) {
    const [first, ...more] = texts.filter((text) => text !== "");
    return h("li", null, h("time", { class: "report-time quiet", datetime: at }, exact(format, Date.parse(at))), h("span", null, first, ...more.map((text) => h("span", { class: "quiet" }, ` ${text}`))));
}

/**
 * A time on paper, which is read on another day.
 * @param {import("../../words/format.js").Format} format
 * @param {number} time
 */
function exact(format, time) {
    return `${format.date(time)}, ${format.clock(time)}`;
}
