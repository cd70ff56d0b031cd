/** What happened on the account, and taking back what was not the person's own doing. */

import { sentenceOf } from "../../app/happened.js";
import { createButton } from "../../components/button/button.js";
import { createList, createRow } from "../../components/list-row/list-row.js";
import { createProblem } from "../../components/page/page.js";
import { wordOf } from "../../lang/index.js";
import { h } from "../../page/dom.js";

/** @typedef {import("../../app/context.js").Context} Context */

/** @typedef {import("../../app/happened.js").AccountEvent} AccountEvent */

/**
 * @param {Context} context
 * @param {AccountEvent[]} events
 * @param {() => void} changed
 */
export function createEvents(context, events, changed) {
    const { t, format } = context;
    return createList(...events.map((event) => {
        const name = sentenceOf(event, t);
        const { session, isThis } = event;
        return createRow({
            name,
            detail: [format.moment(Date.parse(event.happenedAt)), event.network].filter(Boolean).join(" · "),
            mark: event.kind === "sessionStolen" ? "fault" : undefined,
            press: session && !isThis ? () => openSession(context, { session, title: name }, changed) : undefined,
        }).element;
    }));
}

/**
 * A session of the person's: what it leaves behind, ending it, and taking that back.
 * @param {Context} context
 * @param {object} model
 * @param {string} model.session
 * @param {string} model.title
 * @param {() => void} changed
 */
export function openSession(context, { session, title }, changed) {
    const { t, api } = context;
    const made = h("div", { "aria-live": "polite" });
    const problem = createProblem();
    const undo = createButton({ text: t("account.undo"), busyText: t("account.undoing"), kind: "danger", press: () => perform(takeBack) });
    const end = createButton({ text: t("account.end"), press: () => perform(signOut) });
    const sheet = context.sheet({
        title,
        lead: t("account.wasIt"),
        body: [made, problem.element, h("p", { class: "rows-note" }, t("account.undo_text")), undo.element, end.element],
    });

    async function takeBack() {
        await api.post(`/sessions/${session}/undo`);
        context.toast({ text: t("account.undone") });
    }

    async function signOut() {
        await api.delete(`/sessions/${session}`);
    }

    /** @param {() => Promise<void>} action */
    async function perform(action) {
        problem.show("");
        try {
            await action();
            sheet.close();
            changed();
        } catch (error) {
            problem.show(context.explain(error));
        }
    }

    async function read() {
        try {
            /** @type {{data: {kind: string, name: string}[]}} */
            const { data } = await api.get(`/sessions/${session}/made`);
            made.replaceChildren(
                data.length === 0
                    ? h("p", { class: "quiet" }, t("account.made_none"))
                    : createList(...data.map(({ kind, name }) => createRow({ name, detail: wordOf(t, "account.made", kind) }).element)),
            );
        } catch (error) {
            problem.show(context.explain(error, "read"));
        }
    }
    read();
}
