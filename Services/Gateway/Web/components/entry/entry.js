/** One entry of the journal, as a sheet: all that it says, its photos, and what can be done with it. */

import { h } from "../../page/dom.js";
import { kinds } from "../../water/journal.js";
import { factsOf, titleOf } from "../../water/journal-text.js";
import { powersOverWords } from "../../water/projects.js";
import { createButton } from "../button/button.js";
import { createThumbnail, openPhoto } from "../photo/photo.js";
import { createShape } from "../shape/shape.js";
import { unkeptText } from "./not-kept.js";
import { volumeOf } from "./volume.js";
import { ask } from "./writing.js";

/** @typedef {import("../../app/context.js").Context} Context */
/** @typedef {import("../../water/journal.js").Entry} Entry */
/** @typedef {import("../journal-list/model.js").Journal} Journal */

/**
 * @param {Context} context
 * @param {Journal} journal
 * @param {Entry} entry
 */
export function openEntry(context, journal, entry) {
    const { t, format, store, confirm, toast } = context;
    const device = store.deviceOf(entry.device);
    const title = titleOf(context, entry);
    // What other parts of the service list here is changed there.
    const isChangedHere = Object.hasOwn(kinds, entry.kind);
    const { mayChange, mayRemove } = powersOverWords(device, entry.version === 0 || entry.by?.isMe === true, Boolean(context.acting));
    const facts = factsOf(context, { ...entry, text: null }, { volume: volumeOf(context, entry.device) });
    const text = entry.kind === "note" ? entry.text?.split("\n").slice(1).join("\n") : entry.text;
    const photos = entry.photos.map((photo, index) => {
        const source = journal.sourceOf(entry, photo);
        const label = t("journal.photo_open", { number: index + 1 });
        const look = () => openPhoto(context, title, source);
        return h("li", null, h("button", { class: "entry-photo", type: "button", "aria-label": label, onclick: look }, createThumbnail(source)));
    });

    /**
     * @param {() => Promise<void>} run
     */
    async function leave(run) {
        sheet.close();
        try {
            await run();
        } catch (error) {
            toast({ text: unkeptText(context, error) });
        }
    }

    async function remove() {
        const agrees = await confirm({ title: t("journal.delete_title"), text: t("journal.delete_text"), action: t("journal.delete"), isGrave: true });
        if (agrees) await leave(() => journal.remove(entry));
    }

    const refused = entry.waiting !== "refused" ? null : h(
        "div",
        { class: "problem" },
        createShape("fault"),
        h("p", null, t("journal.refused_text", { problem: entry.refusal ?? "" })),
        createButton({ text: t("common.retry"), press: () => void leave(() => journal.retry(entry)) }).element,
        createButton({ text: t("journal.give_up"), press: () => void leave(() => journal.giveUp(entry)) }).element,
    );
    const change = createButton({
        text: t("journal.change"),
        kind: "primary",
        press() {
            sheet.close();
            ask(context, journal, entry.device, entry.kind, entry);
        },
    });
    const away = createButton({ text: t("journal.delete"), press: () => void remove() });
    const sheet = context.sheet({
        title,
        lead: [device?.name, format.moment(Date.parse(entry.at))].filter(Boolean).join(" · "),
        body: [
            facts.length > 0 ? h("p", { class: "quiet" }, facts.join(" · ")) : null,
            text ? h("p", { class: "entry-text" }, text) : null,
            photos.length > 0 ? h("ul", { class: "entry-photos" }, photos) : null,
            refused,
            isChangedHere && mayRemove ? h("div", { class: "buttons" }, mayChange ? change.element : null, away.element) : null,
        ],
    });
}
