/** The list of what is due: late, today, later; what is usual where nothing is planned yet. */

import { createCareRow } from "../../components/care-row/care-row.js";
import { createBlankList } from "../../components/list-row/list-row.js";
import { setShape } from "../../components/shape/shape.js";
import { createSymbol } from "../../components/symbol/symbol.js";
import { randomKey } from "../../app/api.js";
import { usualOf } from "../../app/usual.js";
import { h, set, setText } from "../../page/dom.js";
import { createKeyed } from "../../page/keyed.js";
import { createSlot } from "../../page/slot.js";
import { aboutOf, listOf } from "../../water/care.js";
import { dateOf, dayAt } from "../../water/civil.js";
import { rhythmText } from "../../water/rhythm.js";

/** @typedef {import("../../components/care-row/care-row.js").CareRowModel} CareRowModel */
/** @typedef {import("../../water/care.js").Proposal} Proposal */
/** @typedef {{key: string, title: string, rows: CareRowModel[]}} Group */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/care.js").Care} care
 * @param {import("./doing.js").Doing} doing
 */
export function createDue(context, care, doing) {
    const { t, store, format } = context;
    const shape = h("span");
    const words = h("span");
    const waiting = h("p", { class: "care-waiting", role: "status", hidden: true }, shape, words);
    const blank = createBlankList(3);
    const groups = h("div");
    const updateGroups = createKeyed(groups, (/** @type {Group} */ { key }) => key, createGroup);
    const usual = createSlot(h("div"));
    /** What is usual for each tank, asked for once. @type {Map<string, readonly Proposal[] | null>} */
    const offered = new Map();
    const element = h(
        "section",
        { class: "care-due", "aria-label": t("care.due") },
        h("h2", { class: "name care-column-head" }, t("care.due")),
        waiting,
        blank,
        groups,
        usual.element,
    );

    /** @param {import("../../water/care.js").Care} answer */
    function updateUsual(answer) {
        const tank = store.current.value;
        const isEmpty = answer.reminders.every(({ endedAt }) => endedAt) && tank?.isLookedAt !== true && (store.devices.value?.length ?? 0) > 0;
        if (isEmpty && tank && !offered.has(tank.id)) void ask(tank.id);
        const proposals = tank ? offered.get(tank.id) : null;
        usual.update([isEmpty, tank?.id, tank?.name, proposals], () => {
            if (!isEmpty || !tank || !proposals || proposals.length === 0) return [];
            return [
                h("h3", { class: "section-head" }, t("care.usual", { tank: tank.name })),
                h("ul", { class: "rows surface" }, ...proposals.map((proposal) => createProposal(tank, proposal))),
                h("p", { class: "rows-note" }, t("care.usual_note")),
            ];
        });
    }

    /** @param {string} tank */
    async function ask(tank) {
        offered.set(tank, null);
        offered.set(tank, await usualOf(context, tank));
        const answer = care.shown.value;
        if (answer) updateUsual(answer);
    }

    /**
     * @param {{id: string, name: string}} tank
     * @param {Proposal} proposal
     */
    function createProposal(tank, { activity, rhythm, at, name }) {
        const add = () => {
            const startsOn = dateOf(dayAt(Date.now(), format.zone) + ("afterDone" in rhythm ? rhythm.afterDone : 0));
            const reminder = { id: randomKey(), device: tank.id, name, activity, rhythm, at, zone: format.zone, startsOn, who: null };
            void doing.save(reminder, t("care.planned", { name }));
        };
        return h(
            "li",
            { class: "row-place" },
            h(
                "div",
                { class: "row row-open" },
                h("span", { class: "row-text" }, h("span", { class: "row-name" }, name), h("span", { class: "row-detail" }, rhythmText(context, rhythm))),
                h("button", { class: "icon-button care-propose", type: "button", "aria-label": t("care.propose", { name }), onclick: add }, createSymbol("plus")),
            ),
        );
    }

    return {
        element,
        /** @param {number} now */
        update(now) {
            const answer = care.shown.value;
            set(blank, "hidden", answer !== null || care.known.value.trouble !== null);
            const rows = care.waiting.value.filter((row) => aboutOf(row));
            const refused = rows.filter(({ state }) => state === "refused").length;
            // What is on its way at this moment needs no word.
            const isHeld = ["offline", "noAnswer"].includes(store.connection.value.state);
            const text = refused > 0 ? t("care.refusals", { count: refused }) : isHeld && rows.length > 0 ? t("care.waits", { count: rows.length }) : "";
            setShape(shape, text === "" ? null : refused > 0 ? "fault" : "pending");
            setText(words, text);
            set(waiting, "hidden", text === "");
            if (!answer) return;
            const { late, today, done, ahead } = listOf(answer, now, format.zone);
            const all = late.length + today.length === 0;
            /** @type {[string, string, import("../../water/care.js").Item[]][]} */
            const sections = [
                ["late", t("care.group_late"), late],
                ["today", t(all ? "care.group_done" : "care.group_today"), [...today, ...done]],
                ["ahead", t("care.group_ahead"), ahead],
            ];
            updateGroups(sections.filter(([, , items]) => items.length > 0).map(([key, title, items]) => ({ key, title, rows: items.map((item) => doing.rowOf(item, now)) })));
            updateUsual(answer);
        },
    };
}

function createGroup() {
    const head = h("h3", { class: "section-head" });
    const list = h("ul", { class: "rows surface" });
    const updateRows = createKeyed(list, (/** @type {CareRowModel} */ { key }) => key, createCareRow);
    return {
        element: h("section", { class: "care-group" }, head, list),
        /** @param {Group} group */
        update({ title, rows }) {
            setText(head, title);
            updateRows(rows);
        },
    };
}
