/** The account: where it is signed in, tokens for programs, the password, taking everything along, and the end. */

import { fieldOf } from "../../app/field/field.js";
import { outboxOf } from "../../app/outbox.js";
import { readWaysIn, wayOutOfProvider } from "../../app/provider.js";
import { createBlankList, createList, createRow } from "../../components/list-row/list-row.js";
import { createProblem, createSubPage } from "../../components/page/page.js";
import { createPasswordForm } from "../../components/password-form/password-form.js";
import { brand } from "../../lang/languages.js";
import { h } from "../../page/dom.js";
import { effect } from "../../page/signals.js";
import { joined } from "../../words/sentence.js";
import { mayDeleteDrafts } from "./drafts.js";
import { createEvents, openSession } from "./events.js";
import { closesByPassword, createWaysIn, tellReturn } from "./identities.js";
import { askForOwnName } from "./name.js";
import { addToken, openToken, scopeText } from "./tokens.js";

/** @typedef {{id: string, name: string | null, network: string, createdAt: string, usedAt: string, isThis: boolean}} SessionRow */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, api, store, session, format } = context;
    context.title(t("account.title"));
    const page = createSubPage(context, { title: t("account.title"), back: "/settings" });
    /** @type {import("../../app/provider.js").WaysIn | null} */
    let ways = null;
    const waysIn = h("div", { "aria-live": "polite" }, createBlankList(1));
    const sessions = h("div", { "aria-live": "polite" }, createBlankList(2));
    const tokens = h("div", { "aria-live": "polite" }, createBlankList(1));
    const events = h("div", { "aria-live": "polite" }, createBlankList(2));
    const name = createRow({ name: t("account.name"), detail: t("account.name_text"), value: "", press: () => askForOwnName(context) });
    const operator = createRow({ name: t("account.event_operatorGiven"), icon: "eye", href: "/settings/operation" }).element;
    page.body.append(
        createList(
            name.element,
            operator,
            createRow({ name: t("account.signOut"), isAction: true, press: () => signOut(null) }).element,
        ),
        h("h2", { class: "section-head" }, t("account.waysIn")),
        waysIn,
        h("h2", { class: "section-head" }, t("account.sessions")),
        sessions,
        h("h2", { class: "section-head" }, t("account.tokens")),
        tokens,
        h("p", { class: "rows-note" }, t("account.tokens_note")),
        h("p", { class: "rows-note" }, t("account.tokens_maps", { address: `${location.origin}/ogc/v1` })),
        h("h2", { class: "section-head" }, t("account.events")),
        events,
        h("p", { class: "rows-note" }, t("account.events_note")),
        createList(createRow({ name: t("audit.title"), icon: "clock", href: "/settings/account/changes" }).element),
        h("h2", { class: "section-head" }, t("account.data")),
        createList(
            createRow({ name: t("account.export"), icon: "download", isAction: true, press: download }).element,
            createRow({ name: t("account.left"), href: "/settings/account/left" }).element,
            createRow({ name: t("account.close"), icon: "bin", isAction: true, isGrave: true, press: close }).element,
        ),
        h("p", { class: "rows-note" }, t("account.data_note")),
    );
    root.replaceChildren(...page.parts);
    let hasEnded = false;
    let isExporting = false;

    /**
     * @param {unknown} error
     * @param {() => void} press
     */
    function failed(error, press) {
        const problem = createProblem({ text: t("common.retry"), press });
        problem.show(context.explain(error, "read"));
        return h("div", { class: "surface rows-failed" }, problem.element);
    }

    async function readWays() {
        try {
            const read = await readWaysIn(context);
            if (hasEnded) return;
            ways = read;
            waysIn.replaceChildren(createWaysIn(context, read, readAll, () => signOut(read.provider)));
        } catch (error) {
            if (!hasEnded) waysIn.replaceChildren(failed(error, readWays));
        }
    }

    async function readSessions() {
        try {
            /** @type {{data: SessionRow[]}} */
            const { data } = await api.get("/sessions");
            if (hasEnded) return;
            sessions.replaceChildren(createList(
                ...data.map((row) =>
                    createRow({
                        name: row.name ?? t("account.client"),
                        detail: row.isThis ? t("account.here") : t("account.used", { at: format.at(Date.parse(row.usedAt)) }),
                        icon: "phone",
                        isOpen: row.isThis,
                        press: row.isThis
                            ? undefined
                            : () => openSession(context, { session: row.id, title: row.name ?? t("account.client") }, readAll),
                    }).element
                ),
                data.length > 1 ? createRow({ name: t("account.endOthers"), isAction: true, press: endOthers }).element : null,
            ));
        } catch (error) {
            if (!hasEnded) sessions.replaceChildren(failed(error, readSessions));
        }
    }

    async function readTokens() {
        try {
            const { data } = await api.get("/tokens");
            if (hasEnded) return;
            tokens.replaceChildren(createList(
                ...data.map((/** @type {import("./tokens.js").Token} */ token) =>
                    createRow({
                        name: token.name,
                        detail: `${scopeText(t, token.scope)} · …${token.lastFour}${token.hasExpired ? ` · ${t("account.expired")}` : ""}`,
                        icon: "link",
                        mark: token.hasExpired ? "fault" : undefined,
                        press: () => openToken(context, token, readAll),
                    }).element
                ),
                createRow({ name: t("account.addToken"), icon: "plus", isAction: true, press: () => addToken(context, readAll) }).element,
            ));
        } catch (error) {
            if (!hasEnded) tokens.replaceChildren(failed(error, readTokens));
        }
    }

    async function readEvents() {
        try {
            /** @type {{data: {items: import("./events.js").AccountEvent[]}}} */
            const { data } = await api.get("/account/events", { query: { limit: 20 } });
            if (hasEnded) return;
            events.replaceChildren(createEvents(context, data.items, readAll));
            const newest = data.items[0];
            if (newest) context.preferences.seenEvent = newest.id;
        } catch (error) {
            if (!hasEnded) events.replaceChildren(failed(error, readEvents));
        }
    }

    function readAll() {
        readWays();
        readSessions();
        readTokens();
        readEvents();
    }

    async function endOthers() {
        const agrees = await context.confirm({ title: t("account.endOthers"), text: t("account.end_text"), action: t("account.end") });
        if (!agrees) return;
        await perform(() => api.delete("/sessions", { query: { keepThis: "true" } }));
        await readSessions();
    }

    /** @param {string | null} provider Where to sign out as well. */
    async function signOut(provider) {
        const outbox = outboxOf(context);
        const whose = store.account.value?.createdAt ?? null;
        const count = outbox.waiting.value.length;
        const field = fieldOf(context);
        await field.ready;
        const drafts = field.unsent();
        const agrees = drafts > 0 ? await mayDeleteDrafts(context, field, drafts) : await context.confirm({
            title: provider === null ? t("account.signOut_title") : t("account.signOut_there_title", { name: provider }),
            text: joined(context, count > 0 ? t("account.signOut_waiting", { count }) : "", t("account.signOut_text")),
            action: t("account.signOut"),
            isGrave: count > 0,
        });
        if (!agrees) return;
        await perform(async () => {
            await session.signOut(() => Promise.all([outbox.clear(whose), field.clear(whose)]));
            if (provider !== null) location.assign(wayOutOfProvider);
        });
    }

    /** @param {() => Promise<unknown>} action */
    async function perform(action) {
        try {
            await action();
        } catch (error) {
            context.toast({ text: context.explain(error) });
        }
    }

    async function download() {
        if (isExporting) return;
        isExporting = true;
        const done = context.toast({ text: t("account.exporting") });
        try {
            const response = await api.open("/account/export");
            const url = URL.createObjectURL(await response.blob());
            const link = h("a", { href: url, download: `${brand.filePrefix}export.zip` });
            link.click();
            setTimeout(() => URL.revokeObjectURL(url), 60_000);
        } catch (error) {
            context.toast({ text: context.explain(error) });
        } finally {
            isExporting = false;
            done();
        }
    }

    async function close() {
        if (!closesByPassword(ways)) {
            const agrees = await context.confirm({
                title: t("account.close_title"),
                text: t("account.close_text"),
                action: t("account.close_do"),
                isGrave: true,
            });
            if (agrees) await perform(() => closeBy({}));
            return;
        }
        const form = createPasswordForm(context, {
            text: t("account.close_do"),
            busyText: t("account.closing"),
            kind: "danger",
            async send(password) {
                await closeBy({ password }, () => sheet.close());
            },
        });
        const sheet = context.sheet({ title: t("account.close_title"), lead: t("account.close_text"), body: [form] });
    }

    /**
     * @param {{password?: string}} proof
     * @param {() => void} [closed]
     */
    async function closeBy(proof, closed) {
        const { data } = await api.post("/account/close", proof);
        closed?.();
        context.preferences.isKnown = false;
        const whose = store.account.value?.createdAt ?? null;
        await session.ended(async () => {
            await Promise.all([outboxOf(context).clear(whose), fieldOf(context).clear(whose)]);
            if (data.devices.length > 0) await showFree(data.devices);
        });
    }

    /**
     * The codes for the devices' next owners, shown this once; resolves when they were seen.
     * @param {{device: string, claimCode: string}[]} devices
     * @returns {Promise<void>}
     */
    function showFree(devices) {
        return new Promise((seen) =>
            context.sheet({
                title: t("account.closed"),
                lead: t("account.closed_text"),
                body: [h("ul", { class: "stack" }, ...devices.map(({ device, claimCode }) =>
                    h("li", null, h("p", { class: "quiet" }, device), h("p", { class: "device-code title" }, claimCode))))],
                onClose: seen,
            })
        );
    }

    const end = effect([store.account], () => {
        page.setSubtitle(store.account.value?.email ?? "");
        name.update({ value: store.account.value?.name ?? "" });
        operator.hidden = store.account.value?.isOperator !== true;
    });
    readAll();
    tellReturn(context);
    return {
        unmount() {
            hasEnded = true;
            end();
        },
    };
}
