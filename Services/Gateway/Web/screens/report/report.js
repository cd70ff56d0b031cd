/** A report of a period to print and sign: figures, graphs, alarms, what was done, what is approved, and the checksum of it all. */

import { createButton } from "../../components/button/button.js";
import { createPeriod } from "../../components/entry/period.js";
import { createBlankList } from "../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../components/page/page.js";
import { h, set } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { hour, standing, wholeHours } from "../../water/report.js";
import { askForText } from "./asking.js";
import { createGraphs } from "./graphs.js";
import { approvalsOf, checksumOf, figuresOf, headOf, listsOf, signatures } from "./parts.js";

/** @typedef {import("../../water/report.js").Report} Report */

/** What is reported at first. */
const usual = 7 * 24 * hour;
const spans = /** @type {const} */ ([["day", 24 * hour], ["week", usual], ["month", 30 * 24 * hour]]);

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { device }) {
    const { t, api, store } = context;
    const path = `/devices/${encodeURIComponent(device)}`;
    const page = createSubPage(context, { title: t("records.report"), back: path });
    context.title(t("records.report"));
    let period = wholeHours({ from: Date.now() - usual, to: Date.now() }, Date.now());
    /** @type {{report: Report, checksum: string} | null} */
    let shown = null;
    /** @type {ReturnType<typeof createGraphs> | null} */
    let graphs = null;
    let turn = 0;
    const fields = createPeriod(context, period);
    const choose = createButton({ text: t("records.show"), kind: "primary", isSubmit: true });
    const form = h(
        "form",
        { class: "form report-choice", novalidate: true },
        h("div", { class: "buttons" }, spans.map(([name, span]) =>
            h("button", { class: "button", type: "button", onclick: () => begin({ from: Date.now() - span, to: Date.now() }) }, t(`records.span_${name}`)))),
        fields.element,
        choose.element,
    );
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const next = fields.read();
        if (next) begin(next);
    });
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const paper = h("article", { class: "report surface" });
    const print = createButton({ text: t("records.print"), kind: "primary", press: () => globalThis.print() });
    const approve = createButton({ text: t("records.approve"), kind: "outlined", press: () => approvePeriod() });
    const withdraw = createButton({ text: t("records.withdraw"), kind: "text", press: () => withdrawAll() });
    const actions = h("div", { class: "buttons report-actions", hidden: true }, print.element, approve.element, withdraw.element);
    page.body.classList.add("report-page");
    page.body.replaceChildren(form, problem.element, actions, paper);
    root.replaceChildren(...page.parts);

    /** @param {import("../../water/series.js").Period} wished */
    function begin(wished) {
        period = wholeHours(wished, Date.now());
        fields.show(period);
        void read();
    }

    async function read() {
        const own = turn += 1;
        problem.show("");
        set(actions, "hidden", true);
        paper.replaceChildren(createBlankList(6));
        try {
            const query = { from: new Date(period.from).toISOString(), until: new Date(period.to).toISOString() };
            const { data } = await api.get(`${path}/report`, { query });
            if (own !== turn) return;
            shown = data;
            show(data);
        } catch (error) {
            if (own !== turn) return;
            shown = null;
            paper.replaceChildren();
            problem.show(context.explain(error, "read"));
        }
    }

    /** @param {{report: Report, checksum: string}} sealed */
    function show({ report, checksum }) {
        graphs?.remove();
        graphs = createGraphs(context, { device, period, report });
        paper.replaceChildren(
            ...headOf(context, report),
            ...figuresOf(context, device, report),
            graphs.element,
            ...approvalsOf(context, report),
            ...listsOf(context, report),
            ...checksumOf(context, report, checksum),
            signatures(context),
        );
        set(actions, "hidden", false);
        offer();
    }

    /** What only the owner may do. */
    function offer() {
        const isOwner = store.deviceOf(device)?.role === "owner";
        set(approve.element, "hidden", !isOwner || shown === null || shown.report.approvedHours === shown.report.hours);
        set(withdraw.element, "hidden", !isOwner || shown === null || standing(shown.report).length === 0);
    }

    async function approvePeriod() {
        const note = await askForText(context, { title: t("records.approve"), lead: t("records.approve_text"), action: t("records.approve") });
        if (note === null) return;
        const body = { from: new Date(period.from).toISOString(), until: new Date(period.to).toISOString(), note: note || null };
        await change(() => api.post(`${path}/approvals`, body, { once: true }));
    }

    async function withdrawAll() {
        if (!shown) return;
        const held = standing(shown.report);
        const reason = await askForText(context, { title: t("records.withdraw"), lead: t("records.withdraw_text"), action: t("records.withdraw") });
        if (reason === null) return;
        await change(async () => {
            for (const { id } of held) await api.post(`${path}/approvals/${id}/withdraw`, { reason: reason || null });
        });
    }

    /** @param {() => Promise<unknown>} doing */
    async function change(doing) {
        try {
            await doing();
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
        await read();
    }

    const end = effect([store.devices], () => {
        page.setSubtitle(store.deviceOf(device)?.name ?? "");
        offer();
    });
    void read();
    return {
        unmount() {
            turn += 1;
            end();
            graphs?.remove();
        },
    };
}
