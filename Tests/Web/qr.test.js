/** QR codes: read again by what the standard says of them, and one that another encoder made. */

import { ok, strictEqual as equal } from "node:assert/strict";
import { createHash } from "node:crypto";
import { qrOf } from "../../Services/Gateway/Web/drawing/qr.js";

/** By version, how many blocks of how many data codewords (ISO/IEC 18004, table 9, level M). @type {Record<number, number[]>} */
const blocks = { 1: [16], 2: [28], 5: [43, 43], 6: [27, 27, 27, 27], 8: [38, 38, 39, 39], 10: [43, 43, 43, 43, 44] };
const masks = [
    (/** @type {number} */ x, /** @type {number} */ y) => (x + y) % 2,
    (/** @type {number} */ _, /** @type {number} */ y) => y % 2,
    (/** @type {number} */ x) => x % 3,
    (/** @type {number} */ x, /** @type {number} */ y) => (x + y) % 3,
    (/** @type {number} */ x, /** @type {number} */ y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2,
    (/** @type {number} */ x, /** @type {number} */ y) => (x * y) % 2 + (x * y) % 3,
    (/** @type {number} */ x, /** @type {number} */ y) => ((x * y) % 2 + (x * y) % 3) % 2,
    (/** @type {number} */ x, /** @type {number} */ y) => ((x + y) % 2 + (x * y) % 3) % 2,
];

/**
 * Whether a place has a pattern of its own.
 * @param {number} size
 * @param {number} x
 * @param {number} y
 */
function isReserved(size, x, y) {
    const version = (size - 17) / 4;
    if (x === 6 || y === 6 || (x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8)) return true;
    if (version >= 7 && ((x >= size - 11 && y < 6) || (y >= size - 11 && x < 6))) return true;
    const places = version < 2 ? [] : version < 7 ? [size - 7] : [6, (size - 1) / 2, size - 7];
    const centres = places.flatMap((cx) => places.map((cy) => [cx, cy])).filter(([cx, cy]) => !(cx === 6 && cy === size - 7) && !(cy === 6 && cx === size - 7) && !(cx === 6 && cy === 6));
    return centres.some(([cx, cy]) => Math.abs(cx - x) <= 2 && Math.abs(cy - y) <= 2);
}

/** @param {string} text */
function readBack(text) {
    const code = qrOf(text);
    if (!code) throw new Error("none");
    const { size, isDark } = code;
    const version = (size - 17) / 4;
    const format = [0, 1, 2, 3, 4].map((x) => Number(isDark(x, 8))).join("");
    const mask = (parseInt(format, 2) ^ 0b10101) & 7;
    equal((parseInt(format, 2) ^ 0b10101) >> 3, 0, "level M");
    /** @type {number[]} */
    const bits = [];
    let isUp = true;
    for (let right = size - 1; right > 0; right -= 2) {
        if (right === 6) right = 5;
        for (let step = 0; step < size; step += 1) {
            const y = isUp ? size - 1 - step : step;
            for (const x of [right, right - 1]) if (!isReserved(size, x, y)) bits.push(Number(isDark(x, y)) ^ Number(masks[mask](x, y) === 0));
        }
        isUp = !isUp;
    }
    const words = Array.from({ length: Math.floor(bits.length / 8) }, (_, index) => parseInt(bits.slice(index * 8, index * 8 + 8).join(""), 2));
    const lengths = blocks[version];
    const data = lengths.map(() => /** @type {number[]} */ ([]));
    let next = 0;
    for (let place = 0; place < Math.max(...lengths); place += 1) {
        lengths.forEach((length, index) => {
            if (place < length) data[index].push(words[next++]);
        });
    }
    const all = data.flat().map((word) => word.toString(2).padStart(8, "0")).join("");
    equal(all.slice(0, 4), "0100", "bytes");
    const counted = version < 10 ? 8 : 16;
    const length = parseInt(all.slice(4, 4 + counted), 2);
    const bytes = Array.from({ length }, (_, index) => parseInt(all.slice(4 + counted + index * 8, 12 + counted + index * 8), 2));
    return { version, text: new TextDecoder().decode(new Uint8Array(bytes)) };
}

const link = `https://water.example/join#aqj_${"0".repeat(49)}`;

for (const [text, version] of /** @type {const} */ ([["a", 1], ["b".repeat(20), 2], [link, 5], ["ü".repeat(50), 6], ["x".repeat(140), 8], ["y".repeat(213), 10]])) {
    Deno.test(`a code of version ${version} is read as it was written`, () => {
        const read = readBack(text);
        equal(read.version, version);
        equal(read.text, text);
    });
}

Deno.test("a code is the one that another encoder makes", () => {
    const code = qrOf("z".repeat(213));
    ok(code);
    const rows = Array.from({ length: code.size }, (_, y) => Array.from({ length: code.size }, (_, x) => Number(code.isDark(x, y))).join("")).join("\n");
    equal(createHash("sha256").update(rows).digest("hex"), "f6862dc828d614e511c1aea5f5a112d3daed5599ae635fd3e675eb5a0f04fc3a");
});

Deno.test("what is too long has no code", () => equal(qrOf("z".repeat(214)), null));
