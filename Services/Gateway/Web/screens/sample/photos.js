/** The photos of a sample: made small as soon as they are chosen, kept on this device, and each with its receipt once the service has it. */

import { createThumbnail, openPhoto } from "../../components/photo/photo.js";
import { pictureTypes } from "../../components/picture-input/picture-input.js";
import { createDoing } from "../../components/symbol/doings.js";
import { createSymbol } from "../../components/symbol/symbol.js";
import { h, set, setText } from "../../page/dom.js";
import { createKeyed } from "../../page/keyed.js";
import { reduced, UnreadPhoto } from "../../page/photo.js";
import { mostPhotos } from "../../water/field/draft.js";

/** @typedef {import("../../water/field/draft.js").Draft} Draft */
/** @typedef {import("../../water/field/draft.js").DraftPhoto} DraftPhoto */

/**
 * @param {import("../../app/context.js").Context} context
 * @param {import("../../app/field/field.js").FieldWork} field
 * @param {() => Draft} draft
 */
export function createPhotos(context, field, draft) {
    const { t } = context;
    const { id } = draft();
    let busy = 0;
    const list = h("ul", { class: "entry-photos" });
    const input = h("input", { class: "visually-hidden", type: "file", accept: pictureTypes, multiple: true, tabindex: "-1", "aria-hidden": "true", onchange: take });
    const words = h("span", null, t("journal.photo_add"));
    const button = h("button", { class: "chip", type: "button", onclick: () => busy === 0 && input.click() }, createDoing("camera"), words);
    const fault = h("p", { class: "field-fault", role: "status" });
    const receipt = h("p", { class: "small quiet", role: "status" });
    const element = h("section", { class: "entry-photos-field" }, h("h2", { class: "section-head" }, t("field.photos_title")), list, h("div", null, button, input), receipt, fault);

    const updateList = createKeyed(list, (/** @type {DraftPhoto} */ { id }) => id, (photo) => {
        const source = field.sourceOf(id, photo.id);
        const look = h("button", { class: "entry-photo", type: "button", onclick: () => openPhoto(context, t("journal.kind_photo"), source) }, createThumbnail(source));
        const away = h("button", { class: "entry-photo-remove", type: "button", onclick: () => void remove(photo.id) }, createSymbol("close"));
        const state = h("p", { class: "small field-photo-state" });
        return {
            element: h("li", null, look, away, state),
            /** @param {DraftPhoto} now */
            update(now) {
                const number = draft().photos.findIndex((one) => one.id === now.id) + 1;
                set(look, "aria-label", t("journal.photo_open", { number }));
                set(away, "aria-label", t("journal.photo_remove", { number }));
                const isStuck = now.refused !== undefined || now.lost !== undefined;
                setText(state, now.lost ? t(`field.photo_lost_${now.lost}`) : now.refused ?? (now.sent ? t("field.photo_safe") : ""));
                set(state, "data-refused", isStuck);
            },
        };
    });

    /** @param {string} photo */
    async function remove(photo) {
        await field.drafts.removePhoto(id, photo);
        field.reopen(id);
        button.focus();
    }

    async function take() {
        const files = [...input.files ?? []];
        input.value = "";
        setText(fault, "");
        if (await field.room() === "none") return setText(fault, t("field.room_none"));
        for (const file of files) {
            if (draft().photos.length + busy >= mostPhotos) {
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
            await field.addPhoto(id, await reduced(file), file.lastModified || Date.now());
            field.reopen(id);
        } catch (error) {
            const why = !(error instanceof UnreadPhoto) ? "field.unkept" : error.isHEIC ? "journal.photo_heic" : "journal.photo_unread";
            setText(fault, t(why));
        }
        busy -= 1;
        setText(words, t("journal.photo_add"));
    }

    function show() {
        const { photos } = draft();
        set(list, "hidden", photos.length === 0);
        updateList(photos);
        const safe = photos.filter(({ sent }) => sent).length;
        setText(receipt, safe > 0 ? t("field.photos_safe", { safe, count: photos.length }) : "");
    }

    show();
    return { element, show, isBusy: () => busy > 0 };
}
