/** What a device sent, message by message, newest first: chosen by time, parameter and how it came. */

import { createButton } from "../../components/button/button.js";
import { createBlankList, createRow } from "../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../components/page/page.js";
import { createField } from "../../components/field/field.js";
import { h, set } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { factsOf, properties, valuesText } from "../../water/messages.js";
import { createSelect } from "../../components/select/select.js";
import { instantOf } from "../../words/time.js";

/** @typedef {import("../../water/messages.js").Message} Message */

/** So many pages without a single message are looked through at once. */
const emptyPages = 8;

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @param {Record<string, string>} params
 */
export function mount(root, context, { device }) {
    const { t, api, store, format } = context;
    const path = `/devices/${encodeURIComponent(device)}`;
    const page = createSubPage(context, { title: t("records.messages"), back: path });
    context.title(t("records.messages"));
    /** @type {{only: string, parameter: string, until: string | null}} */
    const wanted = { only: "", parameter: "", until: null };
    let next = /** @type {string | null} */ (null);
    /** Counts what was asked for, so that an answer to what nobody wants any more changes nothing. */
    let turn = 0;
    const only = createSelect({
        label: t("records.only"),
        options: [{ value: "", text: t("records.only_all") }, ...properties.map((value) => ({ value, text: t(`records.only_${value}`) }))],
        choose: (value) => begin({ only: value }),
    });
    const parameters = createSelect({ label: t("records.parameter"), options: [], choose: (value) => begin({ parameter: value }) });
    const until = createField({ label: t("records.before"), name: "until", type: "datetime-local", onInput: chooseTime });
    const list = h("ul", { class: "rows surface" });
    const empty = h("p", { class: "quiet", hidden: true }, t("records.messages_empty"));
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const more = createButton({ text: t("records.messages_more"), kind: "outlined", press: () => read() });
    const unread = createRow({ name: t("rejects.title"), icon: "message", href: path });
    page.body.classList.add("messages-page");
    page.body.replaceChildren(
        h("p", { class: "quiet" }, t("records.messages_lead")),
        h("div", { class: "messages-choice" }, only.element, parameters.element, until.element),
        list,
        empty,
        problem.element,
        more.element,
        h("ul", { class: "rows surface" }, unread.element),
    );
    root.replaceChildren(...page.parts);

    function chooseTime() {
        const wall = Date.parse(`${until.value}Z`);
        begin({ until: Number.isNaN(wall) ? null : new Date(instantOf(wall, format.zone)).toISOString() });
    }

    /** @param {Partial<typeof wanted>} change */
    function begin(change) {
        Object.assign(wanted, change);
        turn += 1;
        next = null;
        list.replaceChildren();
        set(empty, "hidden", true);
        set(more.element, "hidden", true);
        void read();
    }

    async function read() {
        const own = turn;
        problem.show("");
        const blank = createBlankList(4);
        if (list.childElementCount === 0) list.before(blank);
        try {
            for (let tries = 0; tries < emptyPages; tries += 1) {
                const { data } = await api.get(`${path}/messages`, {
                    query: { only: wanted.only || null, parameter: wanted.parameter || null, until: wanted.until, cursor: next },
                });
                if (own !== turn) return;
                next = data.next;
                list.append(...data.items.map(row));
                if (data.items.length > 0 || next === null) break;
            }
            set(empty, "hidden", list.childElementCount > 0);
            set(more.element, "hidden", next === null);
        } catch (error) {
            if (own === turn) problem.show(context.explain(error, "read"));
        } finally {
            blank.remove();
            set(list, "hidden", list.childElementCount === 0);
        }
    }

    /** @param {Message} message */
    function row(message) {
        const facts = factsOf(context, message);
        const values = valuesText(context, message, (name) => store.parameterOf(device, name)?.decimals);
        return createRow({ name: `${format.day(Date.parse(message.time))}, ${format.clock(Date.parse(message.time))}`, detail: values, more: facts === "" ? [] : [facts] }).element;
    }

    function update() {
        page.setSubtitle(store.deviceOf(device)?.name ?? "");
        const known = store.parameters.value.get(device)?.items ?? [];
        parameters.show([
            { value: "", text: t("records.any_parameter") },
            ...known.map(({ name }) => ({ value: name, text: t(`water.${name}_full`) })),
        ]);
    }

    const end = effect([store.devices, store.parameters], update);
    begin({});
    return {
        unmount() {
            turn += 1;
            end();
        },
    };
}
