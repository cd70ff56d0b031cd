/** The photos of an entry while it is written: each is made small on this device as soon as it is chosen. */

import { mostPhotos } from "../../drawing/photo.js";
import { h, set, setText } from "../../page/dom.js";
import { shrunk, UnreadPhoto } from "../../page/photo.js";
import { pictureTypes } from "../picture-input/picture-input.js";
import { createThumbnail, openPhoto } from "../photo/photo.js";
import { createDoing } from "../symbol/doings.js";
import { createSymbol } from "../symbol/symbol.js";

/** @typedef {import("../../page/photo.js").Shrunk} Shrunk */
/** @typedef {import("../../water/journal.js").Entry} Entry */
/** @typedef {import("../../water/journal.js").Photo} Photo */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} what
 * @param {import("../journal-list/model.js").Journal} what.journal
 * @param {Entry | null} what.entry The entry that is changed.
 */
export function createPhotos(context, { journal, entry }) {
    const { t } = context;
    /** Those that the entry has and keeps. @type {Photo[]} */
    let kept = [...entry?.photos ?? []];
    /** @type {Photo[]} */
    const gone = [];
    /** @type {Shrunk[]} */
    let fresh = [];
    let busy = 0;
    const list = h("ul", { class: "entry-photos" });
    const input = h("input", {
        class: "visually-hidden",
        type: "file",
        accept: pictureTypes,
        multiple: true,
        tabindex: "-1",
        "aria-hidden": "true",
        onchange: take,
    });
    const words = h("span", null, t("journal.photo_add"));
    const button = h("button", { class: "chip", type: "button", onclick: () => busy === 0 && input.click() }, createDoing("camera"), words);
    const fault = h("p", { class: "field-fault", role: "status" });
    const element = h("div", { class: "entry-photos-field" }, list, h("div", null, button, input), fault);

    async function take() {
        const files = [...input.files ?? []];
        input.value = "";
        setText(fault, "");
        for (const file of files) {
            if (kept.length + fresh.length + busy >= mostPhotos) {
                setText(fault, t("journal.photo_most", { count: mostPhotos }));
                break;
            }
            await add(file);
        }
    }

    /** @param {File} file */
    async function add(file) {
        busy += 1;
        setText(words, t("journal.photo_busy"));
        try {
            fresh = [...fresh, await shrunk(file)];
        } catch (error) {
            setText(fault, t(error instanceof UnreadPhoto && error.isHEIC ? "journal.photo_heic" : "journal.photo_unread"));
        }
        busy -= 1;
        setText(words, t("journal.photo_add"));
        show();
    }

    function show() {
        const all = [
            ...kept.map((photo) => ({
                source: entry ? journal.sourceOf(entry, photo) : () => Promise.reject(),
                remove() {
                    kept = kept.filter((one) => one !== photo);
                    gone.push(photo);
                },
            })),
            ...fresh.map((one) => ({
                source: (/** @type {string} */ size) => {
                    const { bytes, type } = size === "small" ? one.small : one.photo;
                    return Promise.resolve(new Blob([bytes], { type }));
                },
                remove() {
                    fresh = fresh.filter((other) => other !== one);
                },
            })),
        ];
        set(list, "hidden", all.length === 0);
        list.replaceChildren(...all.map(({ source, remove }, index) => {
            const number = index + 1;
            const look = h("button", {
                class: "entry-photo",
                type: "button",
                "aria-label": t("journal.photo_open", { number }),
                onclick: () => openPhoto(context, t("journal.kind_photo"), source),
            }, createThumbnail(source));
            const away = h("button", {
                class: "entry-photo-remove",
                type: "button",
                "aria-label": t("journal.photo_remove", { number }),
                onclick: () => {
                    remove();
                    show();
                    button.focus();
                },
            }, createSymbol("close"));
            return h("li", null, look, away);
        }));
    }

    show();
    return {
        element,
        isBusy: () => busy > 0,
        hasAny: () => kept.length + fresh.length > 0,
        /** Lets the person choose a photo at once. */
        choose: () => input.click(),
        /** @param {Entry} written */
        async save(written) {
            for (const photo of gone.splice(0)) await journal.removePhoto(written, photo);
            for (const one of fresh.splice(0)) await journal.addPhoto(written, one);
        },
    };
}
