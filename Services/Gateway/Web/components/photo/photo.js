/** A photo of the journal: small in rows and forms, large by itself. */

import { draw } from "../../page/photo.js";
import { h, set, setText } from "../../page/dom.js";
import { createDoing } from "../symbol/doings.js";

/** @typedef {(size: 'small' | 'large') => Promise<Blob>} Source Where a photo comes from; it throws where that is out of reach. */

/**
 * A photo of 56 by 56; until it is there, and where it cannot be had, a camera.
 * @param {Source} source
 */
export function createThumbnail(source) {
    const canvas = h("canvas", { hidden: true });
    const icon = createDoing("camera");
    const element = h("span", { class: "photo", "aria-hidden": "true" }, canvas, icon);
    source("small").then((blob) => draw(canvas, blob)).then((isDrawn) => {
        set(canvas, "hidden", !isDrawn);
        set(icon, "hidden", isDrawn);
    }, () => {});
    return element;
}

/**
 * Shows a photo as large as it is.
 * @param {import("../../app/context.js").Context} context
 * @param {string} title
 * @param {Source} source
 */
export function openPhoto(context, title, source) {
    const { t } = context;
    const canvas = h("canvas", { class: "photo-large", role: "img", "aria-label": title, hidden: true });
    const message = h("p", { class: "quiet", role: "status" }, t("journal.photo_coming"));
    context.sheet({ title, body: [canvas, message] });
    source("large").then((blob) => draw(canvas, blob)).catch(() => false).then((isDrawn) => {
        set(canvas, "hidden", !isDrawn);
        setText(message, isDrawn ? "" : t("journal.photo_away"));
        set(message, "hidden", isDrawn);
    });
}
