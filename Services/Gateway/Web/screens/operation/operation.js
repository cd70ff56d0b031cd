/** The installation's health: connections and backlogs, the doctor's findings, numbers of accounts and devices. For operators. */

import { createBlankList, createList, createRow } from "../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../components/page/page.js";
import { h } from "../../page/dom.js";
import { doctorRows, presentRows, rejectRows, sentRows, standingRows } from "./rows.js";

/** @typedef {import("./rows.js").Operation} Operation */
/** @typedef {import("../../components/list-row/list-row.js").RowModel} RowModel */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api, format } = context;
    context.title(t("operation.title"));
    const page = createSubPage(context, { title: t("operation.title"), back: "/settings" });
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const body = h("div", { "aria-live": "polite" }, createBlankList(4));
    page.body.append(h("p", { class: "quiet" }, t("operation.lead")), problem.element, body);
    root.replaceChildren(...page.parts);
    let hasEnded = false;

    async function read() {
        problem.show("");
        try {
            /** @type {{data: Operation}} */
            const { data } = await api.get("/operation");
            if (!hasEnded) show(data);
        } catch (error) {
            if (hasEnded) return;
            body.replaceChildren();
            problem.show(context.explain(error, "read"));
        }
    }

    /** @param {Operation} operation */
    function show(operation) {
        const { lookedAt } = operation;
        const now = Date.now();
        body.replaceChildren(
            ...section("now", presentRows(operation, context, now)),
            ...section("doctor", doctorRows(operation, context, now), lookedAt === null ? "" : t("operation.doctor_at", { at: format.at(Date.parse(lookedAt)) })),
            ...section("devices", standingRows(operation, context), "", createRow({ name: t("operation.devices_all"), href: "/settings/operation/devices" }).element),
            ...section("accounts", accountRows(operation)),
            ...section("rejects", rejectRows(operation, context)),
            ...section("sent", sentRows(operation, context)),
        );
    }

    /** @param {Operation} operation @returns {RowModel[]} */
    function accountRows({ people, unreached, projects }) {
        return [
            { name: t("operation.accounts"), value: format.number(people, 0), href: "/settings/operation/accounts" },
            ...(unreached > 0 ? [{ name: t("operation.unreached", { count: unreached }), mark: /** @type {const} */ ("fault") }] : []),
            { name: t("operation.projects"), value: format.number(projects, 0) },
            { name: t("operation.changes"), href: "/settings/operation/changes" },
        ];
    }

    /** @param {import("./rows.js").OperationRow} row */
    function elementOf({ lang, ...model }) {
        const { element } = createRow(model);
        if (lang) element.lang = lang;
        return element;
    }

    /**
     * @param {string} name
     * @param {import("./rows.js").OperationRow[]} rows
     * @param {string} [note]
     * @param {Node | null} [last]
     */
    function section(name, rows, note = "", last = null) {
        return [
            h("h2", { class: "section-head" }, t(`operation.${name}`)),
            createList(...rows.map(elementOf), last),
            ...(note === "" ? [] : [h("p", { class: "rows-note" }, note)]),
        ];
    }

    void read();
    return {
        unmount() {
            hasEnded = true;
        },
    };
}
