/** The calibration log of one parameter's probe: how long ago, how fast it drifts, when it is due, and what was written down. */

import { calibrationsOf } from "../../app/calibrations.js";
import { createButton } from "../../components/button/button.js";
import { unkeptText } from "../../components/entry/not-kept.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../components/page/page.js";
import { createShape } from "../../components/shape/shape.js";
import { h } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { handCheckText, isLate, pointText, sentencesOf } from "../../water/calibration.js";
import { mayAct, powersOverWords } from "../../water/projects.js";
import { joined } from "../../words/sentence.js";
import { openForm } from "./form.js";
import { createRefused } from "./refused.js";
import { removeEntry } from "./removing.js";

/** @typedef {import("../../water/calibration.js").Entry} Entry */
/** @typedef {import("../../water/calibration.js").Log} Log */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {Record<string, string>} params
 * @returns {import("../../app/context.js").Mounted}
 */
export function mount(root, context, { device, parameter: name }) {
    const { t, format, store } = context;
    const calibrations = calibrationsOf(context);
    const page = createSubPage(context, {
        title: t("calibration.title"),
        back: `/settings/${encodeURIComponent(device)}/${encodeURIComponent(name)}`,
    });
    context.title(t("calibration.title"));
    const problem = createProblem({ text: t("common.retry"), press: () => void load() });
    const content = h("div");
    const refused = createRefused(context, calibrations, device, name, change);
    page.body.replaceChildren(content, refused.element, problem.element);
    root.replaceChildren(...page.parts);
    let isGone = false;
    /** What the screen was made of. */
    let made = "";

    async function load() {
        problem.show("");
        try {
            await calibrations.read(device, name);
        } catch (error) {
            if (!isGone) problem.show(context.explain(error));
        }
    }

    function update() {
        const parameter = store.parameterOf(device, name);
        const log = calibrations.logOf(device, name);
        const called = t(`water.${name}_full`);
        page.setSubtitle([called, store.deviceOf(device)?.name].filter(Boolean).join(" · "));
        const isLookedAt = !mayAct(store.deviceOf(device));
        const next = JSON.stringify([parameter, log, isLookedAt]);
        if (!parameter || !log || next === made) return;
        made = next;
        const now = Date.now();
        const add = createButton({ text: t("calibration.add"), kind: "primary", press: () => openForm(context, { calibrations, device, parameter }) });
        const sentences = sentencesOf(context, log, parameter, now);
        content.replaceChildren(
            h(
                "div",
                { class: "surface calibration-standing" },
                h("div", { class: "calibration-lead" }, h("p", null, sentences[0]), h("p", null, joined(context, ...sentences.slice(1)))),
                isLate(log, now) ? h("p", { class: "calibration-late" }, createShape("late"), h("span", null, t("calibration.late", { name: called }))) : "",
                isLookedAt ? "" : h("div", { class: "buttons" }, add.element, remind(log)),
            ),
            h("p", { class: "rows-note" }, t("calibration.lead")),
            ...section("calibration.log", log.items.map((entry) => rowOf(entry, parameter))),
            ...section(
                "calibration.log_hand",
                log.handChecks.map((check) =>
                    createRow({ name: handCheckText(context, check, parameter), detail: format.moment(Date.parse(check.at), now) }).element
                ),
            ),
        );
    }

    /**
     * @param {string} title
     * @param {HTMLElement[]} rows
     */
    const section = (title, rows) => rows.length === 0 ? [] : [h("h2", { class: "section-head" }, t(title)), createList(...rows)];

    /** A reminder by the measured drift, to be made as it is proposed or otherwise. @param {Log} log */
    function remind({ reminderDays: days }) {
        if (days === null) return "";
        const href = `/care/reminders/new?tank=${encodeURIComponent(device)}&activity=calibrate&days=${days}`;
        return h("a", { class: "button", href }, t("calibration.remind", { count: days }));
    }

    /**
     * @param {Entry} entry
     * @param {import("../../water/tanks.js").Parameter} parameter
     */
    function rowOf(entry, parameter) {
        const { kind, at, points, unit, note, by, version } = entry;
        const who = by === null ? t("journal.nobody") : by.isMe ? t("journal.you") : by.name;
        const { mayChange, mayRemove } = powersOverWords(store.deviceOf(device), by?.isMe === true, Boolean(context.acting));
        return createRow({
            name: t(`calibration.kind_${kind}`),
            detail: [format.moment(Date.parse(at)), who, version === undefined ? t("journal.saved") : ""].filter(Boolean).join(" · "),
            more: [...points.map((point) => pointText(context, point, unit, parameter.decimals)), ...note === null ? [] : [note]],
            press: mayChange ? () => change(entry) : mayRemove ? () => void remove(entry) : undefined,
        }).element;
    }

    /** @param {Entry} entry */
    function change(entry) {
        const parameter = store.parameterOf(device, name);
        if (parameter) openForm(context, { calibrations, device, parameter, known: entry });
    }

    /** Takes away what only its writer may change. @param {Entry} entry */
    async function remove({ id }) {
        try {
            await removeEntry(context, calibrations, { device, parameter: name, id });
        } catch (error) {
            context.toast({ text: unkeptText(context, error) });
        }
    }

    const ends = [
        effect([calibrations.shown, store.parameters, store.devices], update),
        effect([calibrations.waiting], refused.update),
        // What the service has taken is read again, with the drift that follows of it.
        calibrations.news.subscribe(() => void load()),
    ];
    void load();
    return {
        unmount() {
            isGone = true;
            for (const end of ends) end();
        },
    };
}
