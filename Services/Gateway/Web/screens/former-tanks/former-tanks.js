/** The words and photos that somebody left in tanks which were shared with them: a row each, which they may remove. */

import { createButton } from "../../components/button/button.js";
import { createBlankList, createRow } from "../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../components/page/page.js";
import { createThumbnail, openPhoto } from "../../components/photo/photo.js";
import { wordOf } from "../../lang/index.js";
import { h, set } from "../../page/dom.js";

/** @typedef {{source: string, id: string, device: string, at: string, words: string | null}} Left */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 * @returns {import("../../app/context.js").Mounted}
 */
export function mount(root, context) {
    const { t, api, format, toast } = context;
    context.title(t("account.left"));
    const page = createSubPage(context, { title: t("account.left"), back: "/settings/account" });
    const problem = createProblem({ text: t("common.retry"), press: () => void read() });
    const blank = createBlankList(2);
    const rows = h("ul", { class: "rows surface", hidden: true });
    const none = h("p", { class: "rows-note", hidden: true }, t("account.left_none"));
    const more = createButton({ text: t("account.left_more"), busyText: t("common.loading"), press: () => void read() });
    set(more.element, "hidden", true);
    page.body.append(h("p", { class: "rows-note" }, t("account.left_note")), problem.element, blank, rows, none, more.element);
    root.replaceChildren(...page.parts);
    let isGone = false;
    /** The next page; null at the end, undefined before the first. @type {string | null | undefined} */
    let next;

    async function read() {
        problem.show("");
        more.setBusy(true);
        try {
            const { data } = await api.get("/former-tanks", { query: next ? { before: next } : {} });
            if (isGone) return;
            next = data.next;
            rows.append(...data.items.map(createLeft));
            show();
        } catch (error) {
            if (!isGone) problem.show(context.explain(error, "read"));
        } finally {
            blank.remove();
            more.setBusy(false);
        }
    }

    function show() {
        set(rows, "hidden", rows.childElementCount === 0);
        set(none, "hidden", rows.childElementCount > 0 || next !== null);
        set(more.element, "hidden", next === null);
    }

    /** @param {Left} left */
    function createLeft(left) {
        const { source, id, device, at, words } = left;
        const what = wordOf(t, "account.left_source", source);
        const picture = async () => (await api.open(`/former-tanks/photo/${id}/picture`)).blob();
        const row = createRow({
            name: words ?? what,
            detail: [words === null ? "" : what, device, format.moment(Date.parse(at))].filter(Boolean).join(" · "),
            control: source === "photo" ? createThumbnail(picture) : undefined,
            press: () => open(left, what, picture, row.element),
        });
        return row.element;
    }

    /**
     * @param {Left} left
     * @param {string} what
     * @param {() => Promise<Blob>} picture
     * @param {HTMLElement} element
     */
    function open({ source, id, words }, what, picture, element) {
        const remove = createButton({ text: t("account.left_remove"), busyText: t("account.left_removing"), kind: "danger", press: () => void take() });
        const look = source === "photo" ? createButton({ text: t("account.left_look"), press: () => openPhoto(context, what, picture) }) : null;
        const refusal = createProblem();
        const stays = source === "entry" || source === "photo" ? "" : t("account.left_stays");
        const sheet = context.sheet({
            title: what,
            lead: words ?? "",
            body: [stays === "" ? null : h("p", { class: "quiet" }, stays), refusal.element, look?.element ?? null, remove.element],
        });

        async function take() {
            refusal.show("");
            remove.setBusy(true);
            try {
                await api.delete(`/former-tanks/${encodeURIComponent(source)}/${id}`);
                sheet.close();
                element.remove();
                toast({ text: t("account.left_removed") });
                // An entry took its photos along.
                if (source === "entry") return again();
                if (rows.childElementCount === 0 && next !== null) return void read();
                show();
            } catch (error) {
                refusal.show(context.explain(error));
            } finally {
                remove.setBusy(false);
            }
        }
    }

    function again() {
        next = undefined;
        rows.replaceChildren();
        void read();
    }

    void read();
    return {
        unmount() {
            isGone = true;
        },
    };
}
