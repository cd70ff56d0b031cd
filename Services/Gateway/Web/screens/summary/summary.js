/** What the person is told regularly: whether and when a summary comes, and which ways get the weekly note. Changes hold at once. */

import { createButton } from "../../components/button/button.js";
import { createField } from "../../components/field/field.js";
import { createBlankList, createList, createRow } from "../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../components/page/page.js";
import { createChoices, openChoice } from "../../components/picker/choice.js";
import { createSegmented } from "../../components/segmented/segmented.js";
import { h, set, setText } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { daysOf, minutesOf } from "../../water/quiet.js";
import { canCome, dayText, notes, rhythms } from "../../water/summary.js";
import { isProblem } from "../../words/problem.js";
import { joined } from "../../words/sentence.js";

/** @typedef {import("../../water/summary.js").Choice} Choice */

/** A time that is typed has to rest so long before the service is told. */
const rest = 600;

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, store, format } = context;
    const { summary } = store;
    context.title(t("summary.title"));
    const page = createSubPage(context, { title: t("summary.title"), back: "/settings" });
    const problem = createProblem({ text: t("common.retry"), press: () => void summary.read() });
    const age = h("p", { class: "summary-age small quiet", hidden: true });
    const blank = createBlankList(2);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let resting;
    let hasEnded = false;

    const rhythm = createSegmented({
        label: t("summary.rhythm"),
        options: rhythms.map((value) => ({ value, text: t(`summary.${value}`) })),
        value: "off",
        onChoose: (value) => void save({ rhythm: value }),
    });
    const about = h("p", { class: "small quiet" });
    const day = createRow({ name: t("summary.day"), value: "", press: chooseDay });
    const days = createList(day.element);
    const time = createField({ label: t("summary.time"), name: "at", type: "time", onInput: typed });
    time.input.addEventListener("blur", () => {
        if (minutesOf(time.value) === null) show();
    });
    const next = h("p", { class: "small", role: "status" });
    const when = h("div", { class: "summary-when" }, days, h("div", { class: "summary-time" }, time.element), next);
    const nowhere = h("p", { class: "rows-note", role: "status" });
    const now = createButton({ text: t("summary.now"), busyText: t("summary.sending"), press: send });
    const weekly = createChoices({
        label: t("summary.note"),
        options: notes.map((value) => ({
            value,
            text: t(`summary.note_${value}`),
            detail: value === "none" ? undefined : t(value === "push" ? "summary.note_push_text" : "summary.note_all_text"),
        })),
        value: null,
        onChoose: (value) => void save({ weeklyNote: /** @type {Choice["weeklyNote"]} */ (value) }),
    });
    const parts = h(
        "div",
        { hidden: true },
        h("p", { class: "summary-lead small quiet" }, t("summary.lead")),
        h("div", { class: "summary-rhythm surface" }, rhythm.element, about, when),
        h("p", { class: "rows-note" }, joined(context, t("summary.ways"), t("summary.quiet"))),
        nowhere,
        h("div", { class: "summary-now" }, now.element),
        h("h2", { class: "section-head" }, t("summary.note")),
        h("div", { class: "summary-notes surface" }, weekly.element),
        h("p", { class: "rows-note" }, t("summary.note_lead")),
    );
    page.body.append(problem.element, age, blank, parts);
    root.replaceChildren(...page.parts);

    function chooseDay() {
        const { told } = summary.known.value;
        if (!told) return;
        openChoice(context, {
            title: t("summary.day"),
            options: daysOf(format.locale).map(({ day, name }) => ({ value: day, text: name })),
            value: told.weekday,
            onChoose: (weekday) => save({ weekday }),
        });
    }

    function typed() {
        clearTimeout(resting);
        if (minutesOf(time.value) !== null) resting = setTimeout(finish, rest);
    }

    /** Tells the service of a time that was typed. */
    function finish() {
        clearTimeout(resting);
        const at = time.value.slice(0, 5);
        const { told } = summary.known.value;
        if (told && told.rhythm !== "off" && minutesOf(at) !== null && at !== told.at) void save({ at });
    }

    /** @param {Partial<Choice>} part */
    async function save(part) {
        try {
            await summary.choose(part);
        } catch (error) {
            context.toast({ text: context.explain(error) });
            if (!hasEnded) show();
        }
    }

    async function send() {
        try {
            await summary.send();
            context.toast({ text: t("summary.sent") });
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    /** Says where no way is in use that a summary could come by. */
    async function look() {
        try {
            const { items } = (await context.api.get("/endpoints")).data;
            if (!hasEnded) setText(nowhere, canCome(items) ? "" : t("summary.nowhere"));
        } catch {
            // What is shown beside it says what is wrong.
        }
    }

    function show() {
        const { told, seenAt, isOld, trouble } = summary.known.value;
        // The notice dates what an old answer shows; a problem is told only where there is nothing to show.
        problem.show(trouble === null || (isOld && !isProblem(trouble)) ? "" : context.explain(trouble, "read"));
        set(blank, "hidden", told !== null || trouble !== null);
        set(age, "hidden", !isOld);
        setText(age, isOld ? t("devices.old", { at: format.at(seenAt, Date.now()) }) : "");
        set(parts, "hidden", told === null);
        if (told === null) return;
        rhythm.show(told.rhythm);
        set(about, "hidden", told.rhythm === "off");
        setText(about, told.rhythm === "off" ? "" : t(`summary.text_${told.rhythm}`));
        set(when, "hidden", told.rhythm === "off");
        set(days, "hidden", told.rhythm !== "weekly");
        day.update({ value: dayText(format.locale, told.weekday) });
        // Whoever types in it knows better.
        if (document.activeElement !== time.input && time.value !== told.at) time.value = told.at;
        setText(next, told.nextAt ? t("summary.next", { at: format.at(Date.parse(told.nextAt)) }) : "");
        weekly.show(told.weeklyNote);
    }

    void look();
    const end = effect([summary.known], show);
    const endSettings = effect([store.settings], () => void summary.read());
    return {
        unmount() {
            hasEnded = true;
            finish();
            end();
            endSettings();
        },
    };
}
