/** What is due, in a calendar of the person's: by a private address that is shown once. */

import { createButton } from "../../components/button/button.js";
import { createBlankList, createList, createRow } from "../../components/list-row/list-row.js";
import { createEmpty, createProblem, createSubPage } from "../../components/page/page.js";
import { brand } from "../../lang/languages.js";
import { h, set } from "../../page/dom.js";

/**
 * @typedef {object} Feed
 * @property {string} id
 * @property {string} madeAt
 * @property {string | null} fetchedAt When a calendar last asked for it.
 */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api, format } = context;
    context.title(t("feed.title"));
    const page = createSubPage(context, { title: t("feed.title"), back: "/settings" });
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const blank = createBlankList(1);
    const list = h("div", { class: "feed-list" });
    const make = createButton({ text: t("feed.make"), busyText: t("common.saving"), kind: "primary", isLarge: true, press: add });
    page.body.append(
        h("p", { class: "feed-lead quiet" }, t("feed.lead")),
        problem.element,
        blank,
        list,
        make.element,
        h("p", { class: "rows-note" }, t("feed.note")),
    );
    root.replaceChildren(...page.parts);
    let hasEnded = false;

    async function read() {
        try {
            const { data } = await api.get("/calendar-feeds");
            if (!hasEnded) show(data);
        } catch (error) {
            if (!hasEnded) problem.show(context.explain(error, "read"));
        }
        set(blank, "hidden", true);
    }

    /** @param {readonly Feed[]} feeds */
    function show(feeds) {
        problem.show("");
        list.replaceChildren(
            feeds.length === 0 ? createEmpty(t("feed.none")) : createList(...feeds.map((feed) =>
                createRow({
                    name: t("feed.made", { date: format.date(Date.parse(feed.madeAt)) }),
                    detail: feed.fetchedAt ? t("feed.fetched", { at: format.at(Date.parse(feed.fetchedAt)) }) : t("feed.unfetched"),
                    icon: "link",
                    press: () => void revoke(feed),
                }).element
            )),
        );
    }

    async function add() {
        try {
            const { data } = await api.post("/calendar-feeds", { name: brand.name }, { once: true });
            showAddress(data.address);
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
        await read();
    }

    /** @param {string} address */
    function showAddress(address) {
        const shown = h("p", { class: "secret" }, address);
        const copy = createButton({
            text: t("common.copy"),
            kind: "primary",
            isLarge: true,
            async press() {
                try {
                    await navigator.clipboard.writeText(address);
                    copy.setText(t("common.copied"));
                } catch {
                    getSelection()?.selectAllChildren(shown);
                }
            },
        });
        context.sheet({
            title: t("feed.address"),
            lead: t("feed.address_text"),
            body: [
                shown,
                copy.element,
                h("a", { class: "button button-large", href: address.replace(/^https?:/, "webcal:") }, t("feed.open")),
                h("p", { class: "small quiet" }, t("feed.google")),
            ],
        });
    }

    /** @param {Feed} feed */
    async function revoke(feed) {
        const agrees = await context.confirm({ title: t("feed.revoke_title"), text: t("feed.revoke_text"), action: t("feed.revoke"), isGrave: true });
        if (!agrees) return;
        try {
            await api.delete(`/calendar-feeds/${encodeURIComponent(feed.id)}`);
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
        await read();
    }

    void read();
    return {
        unmount() {
            hasEnded = true;
        },
    };
}
