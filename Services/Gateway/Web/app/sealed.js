/**
 * Messages for this page alone: each is sealed to a key pair and a secret that the page makes and keeps in memory, as Web Push has it
 * (RFC 8291), in one record of `aes128gcm` (RFC 8188). Whoever carries or keeps it reads nothing.
 */

/**
 * The address of what is sealed.
 * @typedef {object} PublicPart
 * @property {string} public The public key: an uncompressed point of P-256, 65 bytes as base64url.
 * @property {string} auth The secret that both sides share: 16 bytes as base64url.
 */

/** @typedef {(sealed: string) => Promise<string>} Open Opens a body in base64url; throws where it was not sealed to these keys. */

const curve = { name: "ECDH", namedCurve: "P-256" };
/** Salt, size of a record, length of the sender's key, and that key. */
const header = Object.freeze({ salt: 16, size: 4, key: 65 });
const tag = 16;
/** Ends the text of the last record; zeros follow. */
const end = 2;

/** Whether this browser can: only a page that came by HTTPS, or from this machine, has what it takes. */
export const maySeal = () => Boolean(globalThis.crypto?.subtle);

/**
 * New keys; the private one never leaves the browser's own keeping.
 * @returns {Promise<{key: PublicPart, open: Open}>}
 */
export async function makeSealKeys() {
    const { privateKey, publicKey } = await crypto.subtle.generateKey(curve, false, ["deriveBits"]);
    const bytes = new Uint8Array(await crypto.subtle.exportKey("raw", publicKey));
    const auth = crypto.getRandomValues(new Uint8Array(16));
    return { key: { public: base64URL(bytes), auth: base64URL(auth) }, open: opening(privateKey, bytes, auth) };
}

/**
 * @param {CryptoKey} privateKey
 * @param {Uint8Array} publicKey Its other half: 65 bytes.
 * @param {Uint8Array} auth 16 bytes.
 * @returns {Open}
 */
export function opening(privateKey, publicKey, auth) {
    return async (sealed) => {
        const { salt, sender, record } = partsOf(bytesOf(sealed));
        const point = await crypto.subtle.importKey("raw", sender, curve, false, []);
        const shared = new Uint8Array(await crypto.subtle.deriveBits({ name: "ECDH", public: point }, privateKey, 256));
        const material = await derived(shared, auth, joined(textBytes("WebPush: info\0"), publicKey, sender), 32);
        const key = await derived(material, salt, textBytes("Content-Encoding: aes128gcm\0"), 16);
        const iv = await derived(material, salt, textBytes("Content-Encoding: nonce\0"), 12);
        const cipher = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
        const plain = new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, cipher, record));
        return textOf(plain);
    };
}

/**
 * @param {Uint8Array<ArrayBuffer>} body
 * @returns {{salt: Uint8Array<ArrayBuffer>, sender: Uint8Array<ArrayBuffer>, record: Uint8Array<ArrayBuffer>}}
 */
function partsOf(body) {
    const keyAt = header.salt + header.size + 1;
    const recordAt = keyAt + header.key;
    if (body.length <= recordAt + tag || body[keyAt - 1] !== header.key) throw new TypeError("That is no sealed message.");
    const size = new DataView(body.buffer).getUint32(header.salt);
    if (body.length - recordAt > size) throw new TypeError("A sealed message has one record.");
    return { salt: body.slice(0, header.salt), sender: body.slice(keyAt, recordAt), record: body.slice(recordAt) };
}

/** @param {Uint8Array} plain A record with the mark of its end and the zeros behind it. */
function textOf(plain) {
    let last = plain.length - 1;
    while (last >= 0 && plain[last] === 0) last -= 1;
    if (plain[last] !== end) throw new TypeError("The record of a sealed message is its last.");
    return new TextDecoder("utf-8", { fatal: true }).decode(plain.subarray(0, last));
}

/**
 * HKDF with SHA-256 (RFC 5869).
 * @param {Uint8Array} material
 * @param {Uint8Array} salt
 * @param {Uint8Array} info
 * @param {number} length In bytes.
 */
async function derived(material, salt, info, length) {
    const key = await crypto.subtle.importKey("raw", /** @type {BufferSource} */ (material), "HKDF", false, ["deriveBits"]);
    const how = /** @type {HkdfParams} */ ({ name: "HKDF", hash: "SHA-256", salt, info });
    return new Uint8Array(await crypto.subtle.deriveBits(how, key, length * 8));
}

/** @param {string} text */
const textBytes = (text) => new TextEncoder().encode(text);

/** @param {...Uint8Array} parts */
const joined = (...parts) => new Uint8Array(parts.flatMap((part) => [...part]));

/** @param {Uint8Array} bytes */
export function base64URL(bytes) {
    return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function bytesOf(text) {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
