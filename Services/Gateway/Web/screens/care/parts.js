/** Care: what is due, and the calendar. On a phone each has a screen; in larger windows they stand beside each other. */

import { careOf } from "../../app/care.js";
import { createCareHead } from "../../components/care/care.js";
import { createProblem } from "../../components/page/page.js";
import { h, set } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { careHeadline } from "../../water/care-words.js";
import { mayWrite } from "../../water/projects.js";
import { isProblem } from "../../words/problem.js";
import { createDoing } from "./doing.js";
import { createDue } from "./due.js";
import { createJournalColumn } from "./journal.js";
import { createMonth } from "./calendar.js";

/** Both parts are seen at once. */
const large = "(min-width: 46.5em)";
/** The service is asked again so often while the screen stands. */
const renewal = 60_000;
const addPath = "/care/reminders/new";

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {'due' | 'calendar'} part
 */
export function mountCare(root, context, part) {
    const { t, store } = context;
    const care = careOf(context);
    context.title(t("care.title"));
    const wide = matchMedia(large);
    const head = createCareHead();
    const problem = createProblem({ text: t("common.retry"), press: () => void care.read() });
    const doing = createDoing(context, care);
    const due = createDue(context, care, doing);
    const month = createMonth(context, care, doing, { changed: update });
    const journal = createJournalColumn(context);
    const columns = h("div", { class: "care-columns", "data-part": part }, due.element, month.element, journal.element);
    root.replaceChildren(head.element, h("div", { class: "water page-water care-water" }, problem.element, columns));

    function update() {
        const now = Date.now();
        const { trouble, isOld, seenAt } = care.known.value;
        const answer = care.shown.value;
        const isCutOff = isOld || ["offline", "noAnswer"].includes(store.connection.value.state);
        problem.show(answer || trouble === null ? "" : context.explain(trouble, "read"));
        set(columns, "hidden", !answer && trouble !== null);
        const told = answer
            ? careHeadline(context, answer, now, { seenAt, isOld: isCutOff && (trouble === null || !isProblem(trouble)) })
            : { headline: t("care.title"), sentence: trouble === null ? t("common.loading") : "" };
        const isOffered = mayWrite(store.tanks.value ?? []);
        const isMonth = part === "calendar" && !wide.matches;
        if (isMonth || wide.matches) month.update(now);
        due.update(now);
        head.update({
            part,
            ...isMonth ? month.told(now) : told,
            label: t("care.title"),
            names: { due: t("care.due"), calendar: t("care.calendar"), journal: t("care.journal") },
            over: t("care.over"),
            steps: isMonth ? month.steps : [],
            add: isOffered ? { text: t("care.add"), href: addPath } : null,
            actions: !isOffered ? [] : [{ text: t("care.plan"), href: addPath }, { text: t("journal.add"), press: journal.add, isPrimary: true }],
        });
    }

    void care.read();
    const end = effect([care.known, care.shown, care.months, store.connection, store.devices], update);
    wide.addEventListener("change", update);
    let readAt = Date.now();
    const ticking = setInterval(() => {
        if (document.hidden) return;
        update();
        if (Date.now() - readAt < renewal) return;
        readAt = Date.now();
        void care.renew();
    }, 10_000);
    return {
        unmount() {
            doing.hush();
            end();
            journal.remove();
            wide.removeEventListener("change", update);
            clearInterval(ticking);
        },
    };
}
