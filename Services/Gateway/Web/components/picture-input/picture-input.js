/** A picture that somebody chooses: made small on this device before anybody is sent it. */

import { h, setText } from "../../page/dom.js";
import { reduced, UnreadPhoto } from "../../page/photo.js";
import { createDoing } from "../symbol/doings.js";

/** Named one by one: of "any image" iPhones make HEIC, and of these JPEG. */
export const pictureTypes = "image/jpeg,image/png,image/webp";

/**
 * @param {import("../../app/context.js").Context} context
 * @param {object} parts
 * @param {string} parts.text
 * @param {(picture: import("../../page/photo.js").Picture) => void | Promise<void>} parts.take
 */
export function createPictureInput({ t }, { text, take }) {
    let isBusy = false;
    const input = h("input", { class: "visually-hidden", type: "file", accept: pictureTypes, tabindex: "-1", "aria-hidden": "true", onchange: read });
    const words = h("span", null, text);
    const button = h("button", { class: "chip", type: "button", onclick: () => isBusy || input.click() }, createDoing("camera"), words);
    const fault = h("p", { class: "field-fault", role: "status" });

    async function read() {
        const [file] = input.files ?? [];
        input.value = "";
        if (!file) return;
        isBusy = true;
        setText(fault, "");
        setText(words, t("journal.photo_busy"));
        try {
            const picture = await reduced(file);
            setText(words, text);
            await take(picture);
        } catch (error) {
            setText(words, text);
            setText(fault, t(error instanceof UnreadPhoto && error.isHEIC ? "journal.photo_heic" : "journal.photo_unread"));
        }
        isBusy = false;
    }

    return {
        element: h("div", { class: "picture-input" }, button, input, fault),
        /** @param {string} next */
        setText(next) {
            text = next;
            setText(words, next);
        },
    };
}
