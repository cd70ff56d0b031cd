/** What limits would have told in the last month, before they are set: asked for by a press, told as a sentence and a table. */

import { h, set, setText } from "../../page/dom.js";
import { mostTanks, ordered, totalOf } from "../../water/dry-run.js";
import { createButton } from "../button/button.js";
import { createProblem } from "../page/page.js";

/** @typedef {import("../../water/dry-run.js").Row} Row */
/** @typedef {{devices: readonly {id: string, name: string}[], limits: readonly import("../../water/presets.js").WholeLimits[]}} Wish */
/** @typedef {(wish: {devices: readonly string[], limits: Wish["limits"]}, course: {signal: AbortSignal, tell: (part: number) => void}) => Promise<Row[]>} Run */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {Run} run Asks the service.
 * @param {() => Wish | Promise<Wish>} wish What is tried.
 */
export function createDryRun(context, run, wish) {
    const { t, format } = context;
    const button = createButton({ text: t("dryRun.ask"), busyText: t("dryRun.asking"), kind: "outlined", press: ask });
    const said = h("p", { class: "small", role: "status" });
    const found = h("div", { class: "dry-run-found", tabindex: "0", role: "region", "aria-label": t("dryRun.title"), hidden: true });
    const problem = createProblem();
    let course = new AbortController();

    async function ask() {
        forget();
        const { signal } = course;
        try {
            const { devices, limits } = await wish();
            if (devices.length > mostTanks) return setText(said, t("dryRun.tooMany", { count: mostTanks }));
            const rows = await run({ devices: devices.map(({ id }) => id), limits }, {
                signal,
                tell: (part) => setText(said, t("dryRun.progress", { part: format.number(Math.round(part * 100), 0) })),
            });
            if (!signal.aborted) show(ordered(rows), new Map(devices.map(({ id, name }) => [id, name])));
        } catch (error) {
            if (signal.aborted) return;
            setText(said, "");
            problem.show(context.explain(error));
        }
    }

    /** @param {readonly Row[]} rows @param {ReadonlyMap<string, string>} names */
    function show(rows, names) {
        const total = totalOf(rows);
        setText(said, [t("dryRun.next", { count: total.next }), t("dryRun.present", { count: total.present })].join(" "));
        if (rows.length === 1) {
            const note = noteOf(rows[0]);
            if (note !== "") setText(said, `${said.textContent} ${note}`);
            return;
        }
        found.replaceChildren(h(
            "table",
            { class: "dry-run" },
            h("thead", null, rowOf("th", t("dryRun.tank"), t("dryRun.now"), t("dryRun.then"))),
            h("tbody", null, ...rows.map((row) => rowOf("td", [names.get(row.device) ?? row.device, noteOf(row)], numberOf(row.present), numberOf(row.next)))),
            h("tfoot", null, rowOf("td", t("dryRun.all"), numberOf(total.present), numberOf(total.next))),
        ));
        set(found, "hidden", false);
    }

    /** @param {'th' | 'td'} cell @param {string | [string, string]} first @param {string} present @param {string} next */
    function rowOf(cell, first, present, next) {
        const [name, note] = typeof first === "string" ? [first, ""] : first;
        return h(
            "tr",
            null,
            h("th", { scope: cell === "th" ? "col" : "row" }, name, note === "" ? null : h("span", { class: "small quiet" }, note)),
            ...[present, next].map((text) => cell === "th" ? h("th", { scope: "col" }, text) : h("td", null, text)),
        );
    }

    /** @param {number} count */
    const numberOf = (count) => format.number(count, 0);

    /** @param {Row} row */
    const noteOf = ({ isMeasured, isTooNew, isCrossed }) =>
        isCrossed ? t("dryRun.crossed") : !isMeasured ? t("dryRun.unmeasured") : isTooNew ? t("dryRun.tooNew") : "";

    /** Takes back what is told, since something else is to be tried. */
    function forget() {
        course.abort();
        course = new AbortController();
        setText(said, "");
        problem.show("");
        set(found, "hidden", true);
    }

    return { element: h("div", { class: "dry-run-box" }, button.element, said, problem.element, found), button, ask, forget };
}

/**
 * The same in a sheet of its own, at once.
 * @param {import("../../app/context.js").Context} context
 * @param {Run} run
 * @param {() => Wish | Promise<Wish>} wish
 */
export function openDryRun(context, run, wish) {
    const dry = createDryRun(context, run, wish);
    set(dry.button.element, "hidden", true);
    context.sheet({ title: context.t("dryRun.title"), body: [dry.element], onClose: dry.forget });
    void dry.ask();
}
