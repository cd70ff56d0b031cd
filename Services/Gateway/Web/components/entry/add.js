/**
 * What can be written down of a tank: eight kinds, of which a tap writes the usual ones as now, and a test by hand leads to its screen; what
 * was done last; what happens seldom, in rows.
 */

import { h } from "../../page/dom.js";
import { asLastTime, bare, kinds, symbolOf } from "../../water/journal.js";
import { amountText, titleOf } from "../../water/journal-text.js";
import { listed } from "../../words/sentence.js";
import { createRow } from "../list-row/list-row.js";
import { openChoice } from "../picker/choice.js";
import { createDoing } from "../symbol/doings.js";
import { onHold } from "./hold.js";
import { ask, writeNow } from "./writing.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../journal-list/model.js").Journal} Journal */

/** In the order of the sheet. A photo is a note that begins with one. */
const tiles = ["waterChanged", "fed", "dosed", "tested", "cleaned", "added", "note", "photo"];
/** What happens too seldom for a tile. */
const seldom = ["moved", "died"];

/**
 * Begins an entry, of the tank that is meant; where several may be, that is asked first.
 * @param {Context} context
 * @param {Journal} journal
 * @param {string | null} device
 * @param {string} [kind] What it is, where that is known.
 */
export function openAdd(context, journal, device, kind) {
    const { t, store } = context;
    const tanks = (store.tanks.value ?? []).filter(({ isLookedAt }) => !isLookedAt);
    const only = device ?? (tanks.length === 1 ? tanks[0].id : null);
    const go = (/** @type {string} */ tank) => kind ? pressed(context, journal, tank, kind) : openTiles(context, journal, tank);
    if (only !== null) return go(only);
    if (tanks.length === 0) return void context.navigate("/devices/link");
    openChoice(context, {
        title: t("journal.add_where"),
        options: tanks.map(({ id, name }) => ({ value: id, text: name })),
        value: null,
        onChoose: (tank) => Promise.resolve(go(tank)),
    });
}

/**
 * @param {Context} context
 * @param {Journal} journal
 * @param {string} device
 * @param {string} kind
 */
function pressed(context, journal, device, kind) {
    if (kind === "photo") return asked(context, journal, device, kind);
    if (kind === "tested") return toTest(context, device);
    if (kinds[kind].asks) return ask(context, journal, device, kind);
    void writeNow(context, journal, device, bare(kind, Date.now()));
}

/**
 * @param {Context} context
 * @param {string} device
 */
function toTest({ navigate }, device) {
    navigate(`/devices/${encodeURIComponent(device)}/test`);
}

/**
 * @param {Context} context
 * @param {Journal} journal
 * @param {string} device
 * @param {string} kind
 */
function asked(context, journal, device, kind) {
    if (kind === "tested") return toTest(context, device);
    ask(context, journal, device, kind === "photo" ? "note" : kind, undefined, { beginsWithPhoto: kind === "photo" });
}

/**
 * @param {Context} context
 * @param {Journal} journal
 * @param {string} device
 */
function openTiles(context, journal, device) {
    const { t, store } = context;
    const grid = h("div", { class: "entry-kinds" }, tiles.map((kind) => {
        const button = h(
            "button",
            { class: "entry-kind", type: "button", "aria-keyshortcuts": "Shift+Enter" },
            createDoing(kind === "photo" ? "camera" : symbolOf(kind)),
            h("span", null, t(`journal.kind_${kind}`)),
        );
        onHold(button, {
            press: () => leave(() => pressed(context, journal, device, kind)),
            hold: () => leave(() => asked(context, journal, device, kind)),
        });
        return button;
    }));
    const hint = h("p", { class: "small quiet" }, t("journal.add_hint"), h("span", { class: "entry-keys" }, " ", t("journal.add_keys")));
    const head = h("h3", { class: "entry-last-head" }, t("journal.last"));
    const chips = h("div", { class: "journal-offers" });
    const last = h("section", { hidden: true }, head, chips);
    const rows = seldom.map((kind) => {
        const row = createRow({ name: t(`journal.kind_${kind}`), press: () => leave(() => ask(context, journal, device, kind)) });
        row.inside.prepend(h("span", { class: "row-lead" }, createDoing(symbolOf(kind))));
        return row.element;
    });
    const sample = createRow({ name: t("field.new"), href: `/field/new?device=${encodeURIComponent(device)}` });
    sample.inside.prepend(h("span", { class: "row-lead" }, createDoing("testTube")));
    sample.inside.addEventListener("click", () => sheet.close());
    const entries = journal.list({ device, kind: null });

    function update() {
        const before = asLastTime(entries.listed.value.items ?? []);
        last.hidden = before.length === 0;
        chips.replaceChildren(...before.map((entry) => {
            const { kind, amount, unit, subject, count } = entry;
            const again = () => void writeNow(context, journal, device, { ...bare(kind, Date.now()), amount, unit, subject, count });
            return h("button", { class: "chip", type: "button", onclick: () => leave(again) }, createDoing(symbolOf(kind)), shortOf(context, entry));
        }));
    }

    const end = entries.use(update);
    const sheet = context.sheet({
        title: t("journal.add_to", { name: store.deviceOf(device)?.name ?? "" }),
        body: [grid, hint, last, h("ul", { class: "entry-seldom" }, rows, sample.element)],
        onClose: end,
    });

    /** @param {() => void} then */
    function leave(then) {
        sheet.close();
        then();
    }
}

/**
 * An entry as a chip says it: what was fed or dosed stands for itself, beside its icon.
 * @param {Context} context
 * @param {import("../../water/journal.js").Entry} entry
 */
function shortOf(context, entry) {
    const { kind, subject, amount, unit } = entry;
    if (kind !== "dosed" && kind !== "fed") return titleOf(context, entry);
    return listed(context, [subject, amount === null ? null : amountText(context, amount, unit)].flatMap((part) => part || []));
}
