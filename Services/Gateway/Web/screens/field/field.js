/**
 * Samples taken in the field: what this device alone has, what of it is on its way, and what the service has; of all places, or the history of one,
 * with a line a date for what was measured further and further down.
 */

import { fieldOf } from "../../app/field/field.js";
import { createTables } from "../../app/field/tables.js";
import { saveText } from "../../app/files.js";
import { createButton } from "../../components/button/button.js";
import { createBlankList, createList, createRow } from "../../components/list-row/list-row.js";
import { createDepthProfile } from "../../components/depth-profile/depth-profile.js";
import { createBack, createProblem, createTabPage } from "../../components/page/page.js";
import { createShape } from "../../components/shape/shape.js";
import { createSymbol } from "../../components/symbol/symbol.js";
import { brand } from "../../lang/languages.js";
import { h, set, setText } from "../../page/dom.js";
import { isTabOnApple } from "../../page/installed.js";
import { createKeyed } from "../../page/keyed.js";
import { effect } from "../../page/signals.js";
import { newSamplePath } from "../../water/field/place.js";
import { profilesOf } from "../../water/field/profile.js";
import { unsent } from "../../water/field/sending.js";
import { placeName } from "../../water/field/text.js";
import { isCutOff } from "../../water/headline.js";
import { mayWrite } from "../../water/projects.js";
import { isProblem } from "../../words/problem.js";
import { isoDay } from "../../words/time.js";
import { rowsOf } from "./rows.js";

/** @typedef {import("./rows.js").Row} Row */

/**
 * @param {HTMLElement} root
 * @param {import("../../app/context.js").Context} context
 */
export function mount(root, context) {
    const { t, store, format } = context;
    const field = fieldOf(context);
    const { drafts } = field;
    /** The only place whose samples are shown; null: those of all. */
    const device = new URLSearchParams(location.search).get("device");
    const samples = device === null ? field.samples : field.samples.of(device);
    /** Those by which the samples of the place were taken. @type {readonly import("../../water/field/protocol.js").Protocol[]} */
    let protocols = [];
    /** Of which versions they were read; null: not yet. @type {string | null} */
    let versions = null;
    const add = h("a", { class: "icon-button", href: newSamplePath({ device }), "aria-label": t("field.new") }, createSymbol("plus"));
    const page = createTabPage({ title: t("field.title"), action: add, top: createBack(context, device === null ? "/care/journal" : `/devices/${encodeURIComponent(device)}`) });
    const notices = h("div", { class: "field-notices" });
    const send = createButton({ text: t("field.send"), busyText: t("field.sending"), press: () => sendNow() });
    const file = createButton({ text: t("field.file"), kind: "text", press: saveDrafts });
    const problem = createProblem({ text: t("common.retry"), press: () => void samples.read() });
    const blank = createBlankList(3);
    const offer = h("a", { class: "button button-primary", href: newSamplePath({ device }) }, t("field.new"));
    const empty = h("div", { class: "empty" }, h("p", { class: "quiet" }, t("field.empty")), offer);
    const days = h("div");
    const profiles = h("div", { class: "field-profiles" });
    let drawn = "";
    const more = createButton({ text: t("journal.older"), kind: "outlined", press: readMore });
    const tables = createTables(context, "/field-samples.csv", "field", { query: device === null ? {} : { device } });
    const asked = h("details", { class: "field-csv" }, h("summary", null, t("field.csv")), tables);
    /** @type {'enough' | 'little' | 'none' | null} */
    let room = null;
    let noticed = "";
    let wasCutOff = isCutOff(store.connection.value);
    const updateDays = createKeyed(days, (/** @type {{day: string, rows: Row[]}} */ { day }) => day, () => createDay());
    context.title(t("field.title"));
    page.body.append(notices, h("div", { class: "buttons" }, send.element, file.element), problem.element, blank, empty, profiles, days, more.element, createList(createRow({ name: t("protocol.title"), icon: "list", href: "/field/protocols" }).element), asked);
    root.replaceChildren(...page.parts);

    async function sendNow() {
        await field.advance();
        await field.outbox.send();
        await field.advance();
        await samples.read();
    }

    async function saveDrafts() {
        saveText(await field.exported(), `${brand.filePrefix}field-samples.json`, "application/json");
    }

    async function readMore() {
        await samples.readMore().catch((error) => context.toast({ text: context.explain(error, "read") }));
    }

    function createDay() {
        const name = h("h2", { class: "section-head" });
        const list = h("ul", { class: "rows surface" });
        const update = createKeyed(list, (/** @type {Row} */ { id, icon, more, shape }) => `${id} ${icon ?? shape} ${more.length}`, (row) => {
            const made = createRow({ ...row, href: `/field/${row.id}` });
            return { element: made.element, update: (/** @type {Row} */ next) => made.update({ name: next.name, detail: next.detail, more: next.more }) };
        });
        return {
            element: h("section", null, name, list),
            /** @param {{day: string, rows: Row[]}} day */
            update({ rows }) {
                setText(name, format.day(rows[0].at));
                update(rows);
            },
        };
    }

    function showNotices() {
        const unread = drafts.unread.value;
        /** @type {[string, ...string[]][]} */
        const told = [];
        if (isTabOnApple()) told.push(["field.apple_tab"]);
        if (room === "little" || room === "none") told.push([`field.room_${room}`]);
        if (drafts.keeping.value === "unkept") told.push(["field.unkept"]);
        const made = JSON.stringify([told, unread.length]);
        if (made === noticed) return;
        noticed = made;
        notices.replaceChildren(
            ...told.map(([key]) => h("div", { class: "problem", role: "status" }, createShape("fault"), h("p", null, t(key)))),
            ...unread.map((row) => h(
                "div",
                { class: "problem" },
                createShape("fault"),
                h("p", null, t("field.unread")),
                createButton({ text: t("field.file"), press: saveDrafts }).element,
                createButton({ text: t("field.discard"), press: () => void discardUnread(row) }).element,
            )),
        );
    }

    /** @param {any} row */
    async function discardUnread(row) {
        const agrees = await context.confirm({ title: t("field.discard_title"), text: t("field.discard_text"), action: t("field.discard"), isGrave: true });
        if (agrees) await field.discard(row.id);
    }

    /** @param {string} device @param {readonly import("../../water/field/draft.js").Sample[]} items */
    async function readProtocols(device, items) {
        const wanted = [...new Set(items.map(({ protocol, protocolVersion }) => `${protocol} ${protocolVersion}`))].sort().join();
        if (wanted === versions) return;
        versions = wanted;
        const found = await field.samples.protocolsOf(device, items);
        if (wanted !== versions) return;
        protocols = found;
        showProfiles(samples.listed.value.items ?? items);
    }

    /** @param {readonly import("../../water/field/draft.js").Sample[]} items */
    function showProfiles(items) {
        if (device === null) return;
        void readProtocols(device, items);
        const found = profilesOf(items, protocols);
        const made = JSON.stringify(found);
        if (made === drawn) return;
        drawn = made;
        profiles.replaceChildren(...found.map((profile) => createDepthProfile(context, profile)));
    }

    function update() {
        const kept = drafts.shown.value.filter((draft) => device === null || draft.device === device);
        const count = unsent(kept).length;
        const cutOff = isCutOff(store.connection.value);
        if (wasCutOff && !cutOff) {
            versions = null;
            void samples.read();
        }
        wasCutOff = cutOff;
        const { items, next, isOld, trouble } = samples.listed.value;
        const rows = rowsOf(context, kept, field.standings.value, items ?? [], { withdrawing: field.withdrawing(), troubles: field.troubles.value });
        setText(page.headline, count > 0 ? t("field.on_phone", { count }) : t("field.title"));
        if (items !== null) showProfiles(items);
        if (device !== null) setText(page.lead, t("field.lead_place", { name: placeName(context, { device }) }));
        else setText(page.lead, t(count > 0 ? cutOff ? "field.lead_cut" : "field.lead_unsent" : isOld && cutOff ? "field.lead_old" : "field.lead"));
        const isOffered = mayWrite(store.tanks.value ?? [], device);
        for (const one of [add, offer]) set(one, "hidden", !isOffered);
        set(send.element, "hidden", kept.length === 0);
        set(file.element, "hidden", count === 0);
        problem.show(trouble === null || items !== null || !isProblem(trouble) && cutOff ? "" : context.explain(trouble, "read"));
        set(blank, "hidden", items !== null || trouble !== null || rows.length > 0);
        set(empty, "hidden", rows.length > 0 || items === null && trouble === null);
        set(more.element, "hidden", next === null);
        set(asked, "hidden", !items?.length);
        /** @type {Map<string, Row[]>} */
        const byDay = new Map();
        for (const row of rows) byDay.set(isoDay(row.at, format.zone), [...byDay.get(isoDay(row.at, format.zone)) ?? [], row]);
        updateDays([...byDay].map(([day, rows]) => ({ day, rows })));
        showNotices();
    }

    const end = effect([drafts.shown, drafts.unread, drafts.keeping, field.standings, field.troubles, field.outbox.waiting, samples.listed, store.connection, store.tanks], update);
    void samples.read();
    void field.advance();
    void field.room().then((found) => {
        room = found;
        update();
    });
    // What the service answers of a draft is known to the list of all first.
    const endAll = device === null ? () => {} : field.samples.listed.subscribe(() => void samples.read());
    return {
        unmount() {
            end();
            endAll();
        },
    };
}
