/** What was done about a reminder, and its end. */

import { createList, createRow } from "../../../components/list-row/list-row.js";
import { h } from "../../../page/dom.js";
import { personText } from "../../../water/care-words.js";
import { dayAt, dayText } from "../../../water/civil.js";

/** @typedef {{what: 'done' | 'skipped' | 'later' | 'missed', on: string, at: string | null, by: import("../../../water/care.js").By | null}} Act */

/** So many of the last times are shown. */
const most = 10;

/**
 * @param {import("../../../app/context.js").Context} context
 * @param {import("../../../app/care.js").Care} care
 * @param {import("../../../water/care.js").Reminder} reminder
 */
export function createHistory(context, care, reminder) {
    const { t, format } = context;
    const list = h("div");
    const element = h(
        "section",
        null,
        list,
        h("div", { class: "care-gap" }),
        createList(createRow({ name: t("care.end"), isAction: true, isGrave: true, press: end }).element),
    );
    let hasEnded = false;

    /** @param {Act} act */
    function rowOf({ what, on, at, by }) {
        const time = Date.parse(at ?? on);
        return createRow({
            name: dayText(dayAt(time, format.zone), format.locale, { day: "numeric", month: "long" }),
            detail: t(`care.act_${what}`),
            value: personText(context, by),
            shape: what === "done" ? "done" : what === "missed" ? "late" : "skipped",
        }).element;
    }

    async function read() {
        try {
            const acts = await care.history(reminder);
            if (hasEnded || acts.length === 0) return;
            list.replaceChildren(h("h2", { class: "section-head" }, t("care.lastTimes")), createList(...acts.slice(0, most).map(rowOf)));
        } catch {
            // The form does not need it.
        }
    }

    async function end() {
        const agrees = await context.confirm({
            title: t("care.end_title", { name: reminder.name }),
            text: t("care.end_text"),
            action: t("care.end"),
            isGrave: true,
        });
        if (!agrees) return;
        await care.end(reminder);
        await context.navigate("/care", { replace: true });
    }

    void read();
    return {
        element,
        end() {
            hasEnded = true;
        },
    };
}
