/**
 * Photos on their way to the service: drawn anew on this device, upright and small enough. What a camera writes into its files, such as
 * the place, stays behind.
 */

import { heaviest, isHEIC, largest, steps } from "../drawing/photo.js";
import { h } from "./dom.js";

/** @typedef {{type: string, bytes: ArrayBuffer, width: number, height: number}} Picture */
/** @typedef {{photo: Picture, small: Picture}} Shrunk */

/** A file that is no photo, or none that this browser reads. */
export class UnreadPhoto extends Error {
    /** @param {boolean} isHEIC */
    constructor(isHEIC) {
        super("unread photo");
        this.isHEIC = isHEIC;
    }
}

/**
 * A photo as it is sent, and a small one for lists.
 * @param {Blob} file
 * @returns {Promise<Shrunk>}
 */
export async function shrunk(file) {
    const bitmap = await readable(file);
    try {
        return {
            photo: await encoded(bitmap, largest.photo, heaviest.photo),
            small: await encoded(bitmap, largest.small, heaviest.small),
        };
    } finally {
        bitmap.close();
    }
}

/**
 * A photo as it is sent, where no list needs a small one.
 * @param {Blob} file
 * @returns {Promise<Picture>}
 */
export async function reduced(file) {
    const bitmap = await readable(file);
    try {
        return await encoded(bitmap, largest.photo, heaviest.photo);
    } finally {
        bitmap.close();
    }
}

/**
 * A picture of a blob, upright as its camera was held.
 * @param {Blob} file
 */
async function readable(file) {
    try {
        return await createImageBitmap(file, { imageOrientation: "from-image" });
    } catch {
        const head = new Uint8Array(await file.slice(0, 16).arrayBuffer().catch(() => new ArrayBuffer(0)));
        throw new UnreadPhoto(isHEIC(head));
    }
}

/**
 * @param {ImageBitmap} bitmap
 * @param {number} side Of the longer side, at most.
 * @param {number} bytes At most.
 * @returns {Promise<Picture>}
 */
async function encoded(bitmap, side, bytes) {
    for (const { width, height, quality } of steps(bitmap, side)) {
        const blob = await drawn(bitmap, width, height, quality);
        if (blob && blob.size <= bytes) return { type: "image/jpeg", bytes: await blob.arrayBuffer(), width, height };
    }
    throw new UnreadPhoto(false);
}

/**
 * @param {ImageBitmap} bitmap
 * @param {number} width
 * @param {number} height
 * @param {number} quality
 * @returns {Promise<Blob | null>}
 */
async function drawn(bitmap, width, height, quality) {
    const resized = await createImageBitmap(bitmap, { resizeWidth: width, resizeHeight: height, resizeQuality: "high" });
    const canvas = h("canvas", { width, height });
    const paper = canvas.getContext("2d");
    if (!paper) return null;
    // JPEG has no holes: what lets the ground through would be black.
    paper.fillStyle = "#fff";
    paper.fillRect(0, 0, width, height);
    paper.drawImage(resized, 0, 0);
    resized.close();
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
}

/**
 * Draws a picture into a canvas of its own size; addresses of blobs are nothing that the app's policy shows.
 * @param {HTMLCanvasElement} canvas
 * @param {Blob} blob
 * @returns {Promise<boolean>} Whether it could be read.
 */
export async function draw(canvas, blob) {
    try {
        const bitmap = await createImageBitmap(blob);
        canvas.width = bitmap.width;
        canvas.height = bitmap.height;
        canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
        bitmap.close();
        return true;
    } catch {
        return false;
    }
}
