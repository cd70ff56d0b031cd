/** Sealing for a page, as the other side does it. */

import { base64URL, bytesOf } from "../../Services/Gateway/Web/app/sealed.js";

/**
 * Seals as a sender does, step by step after the specifications, and by other means than the app opens: HMAC instead of HKDF.
 * @param {string} text
 * @param {import("../../Services/Gateway/Web/app/sealed.js").PublicPart} key
 * @param {{padding?: number, end?: number, size?: number}} [wish]
 */
export async function seal(text, key, { padding = 0, end = 2, size = 4096 } = {}) {
    const curve = { name: "ECDH", namedCurve: "P-256" };
    const sender = await crypto.subtle.generateKey(curve, true, ["deriveBits"]);
    const own = new Uint8Array(await crypto.subtle.exportKey("raw", sender.publicKey));
    const theirs = bytesOf(key.public);
    const shared = await crypto.subtle.deriveBits({ name: "ECDH", public: await crypto.subtle.importKey("raw", theirs, curve, false, []) }, sender.privateKey, 256);
    const material = await expanded(await mac(bytesOf(key.auth), new Uint8Array(shared)), [..."WebPush: info\0"].map(code).concat(...theirs, ...own), 32);
    const salt = crypto.getRandomValues(new Uint8Array(16));
    const pseudo = await mac(salt, material);
    const cipher = await crypto.subtle.importKey("raw", await expanded(pseudo, [..."Content-Encoding: aes128gcm\0"].map(code), 16), "AES-GCM", false, ["encrypt"]);
    const iv = await expanded(pseudo, [..."Content-Encoding: nonce\0"].map(code), 12);
    const record = new Uint8Array([...new TextEncoder().encode(text), end, ...Array(padding).fill(0)]);
    const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv }, cipher, record));
    const length = [size >> 24, size >> 16 & 255, size >> 8 & 255, size & 255];
    return base64URL(new Uint8Array([...salt, ...length, own.length, ...own, ...sealed]));
}

/** @param {string} letter */
const code = (letter) => letter.charCodeAt(0);

/** @param {Uint8Array<ArrayBuffer>} key @param {Uint8Array<ArrayBuffer>} text */
async function mac(key, text) {
    const made = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", made, text));
}

/** @param {Uint8Array<ArrayBuffer>} pseudo @param {number[]} info @param {number} length */
const expanded = async (pseudo, info, length) => (await mac(pseudo, new Uint8Array([...info, 1]))).slice(0, length);
