/** The protocols by which samples are taken: one's own, or the project's, and those of the service, of which a copy is a beginning. */

import { fieldOf } from "../../app/field/field.js";
import { createBlankList, createList, createRow } from "../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../components/page/page.js";
import { createSymbol } from "../../components/symbol/symbol.js";
import { h } from "../../page/dom.js";
import { isCutOff } from "../../water/headline.js";

/** @typedef {import("../../water/field/protocol.js").Protocol} Protocol */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, store } = context;
    const { samples } = fieldOf(context);
    const add = h("a", { class: "icon-button", href: "/field/protocols/new", "aria-label": t("protocol.add") }, createSymbol("plus"));
    const page = createSubPage(context, { title: t("protocol.title"), subtitle: context.acting?.name ?? "", back: "/field", action: add });
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const lists = h("div", null, createBlankList(4));
    let isGone = false;
    context.title(t("protocol.title"));
    page.body.append(h("p", { class: "rows-note" }, t("protocol.lead")), problem.element, lists);
    root.replaceChildren(...page.parts);

    async function read() {
        problem.show("");
        try {
            const found = await samples.protocols(null);
            if (!isGone) show(found);
        } catch (error) {
            if (isGone) return;
            lists.replaceChildren();
            problem.show(isCutOff(store.connection.value) ? t("field.no_protocols") : context.explain(error, "read"));
        }
    }

    /** @param {readonly Protocol[]} protocols */
    function show(protocols) {
        const own = protocols.filter(({ builtIn }) => !builtIn);
        lists.replaceChildren(
            h("h2", { class: "section-head" }, t("protocol.own")),
            own.length > 0 ? createList(...own.map((one) => rowOf(one, `/field/protocols/${encodeURIComponent(one.id)}`))) : h("p", { class: "rows-note" }, t("protocol.none")),
            h("h2", { class: "section-head" }, t("protocol.builtIn")),
            createList(...protocols.filter(({ builtIn }) => builtIn).map((one) => rowOf(one, `/field/protocols/new?from=${encodeURIComponent(one.id)}`, t("protocol.copy")))),
            h("p", { class: "rows-note" }, t("protocol.copy_text")),
        );
    }

    /** @param {Protocol} protocol @param {string} href @param {string} [more] */
    function rowOf({ name, fields, version }, href, more) {
        return createRow({ name, detail: t("protocol.detail", { count: fields.length, version }), more: more ? [more] : [], icon: "list", href }).element;
    }

    void read();
    return {
        unmount() {
            isGone = true;
        },
    };
}
