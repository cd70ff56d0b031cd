/**
 * QR codes of links (ISO/IEC 18004): bytes, error correction M, versions 1 to 10. Which squares are dark; how they look is for components.
 */

/** By version from 1: codewords in all, those that correct one block, blocks. */
const versions = /** @type {const} */ ([
    [26, 10, 1],
    [44, 16, 1],
    [70, 26, 1],
    [100, 18, 2],
    [134, 24, 2],
    [172, 16, 4],
    [196, 18, 4],
    [242, 22, 4],
    [292, 22, 5],
    [346, 26, 5],
]);
/** Bits of the level M in the format. */
const level = 0;

/** Powers of 2 in GF(256) with the polynomial 0x11d, and their logarithms. */
const powers = new Uint8Array(510);
const logarithms = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power += 1) {
    powers[power] = powers[power + 255] = value;
    logarithms[value] = power;
    value = value << 1 ^ (value >= 128 ? 0x11d : 0);
}

/**
 * @param {number} one
 * @param {number} other
 */
const product = (one, other) => one === 0 || other === 0 ? 0 : powers[logarithms[one] + logarithms[other]];

/**
 * @typedef {object} Square
 * @property {number} size In modules, without the quiet zone of four around it.
 * @property {(x: number, y: number) => boolean} isDark
 */

/**
 * @param {string} text
 * @returns {Square | null} null where it is longer than 213 bytes.
 */
export function qrOf(text) {
    const bytes = new TextEncoder().encode(text);
    const version = versions.findIndex((_, index) => bytes.length <= roomOf(index + 1)) + 1;
    if (version === 0) return null;
    const blank = blankOf(version);
    const bits = interleaved(dataOf(bytes, version), version).flatMap((word) => bitsOf(word, 8));
    let best = null;
    for (let mask = 0; mask < 8; mask += 1) {
        const tried = filled(blank, bits, mask);
        const penalty = penaltyOf(tried);
        if (best === null || penalty < best.penalty) best = { modules: tried, penalty };
    }
    const modules = best?.modules ?? [];
    return { size: modules.length, isDark: (x, y) => modules[y]?.[x] === 1 };
}

/** @param {number} version */
function dataWords(version) {
    const [all, correcting, blocks] = versions[version - 1];
    return all - correcting * blocks;
}

/** @param {number} version */
const lengthBits = (version) => version < 10 ? 8 : 16;

/**
 * How many bytes a version holds.
 * @param {number} version
 */
function roomOf(version) {
    return Math.floor((dataWords(version) * 8 - 4 - lengthBits(version)) / 8);
}

/**
 * @param {number} value
 * @param {number} length
 */
function bitsOf(value, length) {
    return Array.from({ length }, (_, index) => value >> length - 1 - index & 1);
}

/**
 * @param {Uint8Array} bytes
 * @param {number} version
 * @returns {number[]} Codewords.
 */
function dataOf(bytes, version) {
    const bits = [...bitsOf(4, 4), ...bitsOf(bytes.length, lengthBits(version)), ...[...bytes].flatMap((byte) => bitsOf(byte, 8))];
    const room = dataWords(version);
    bits.push(...Array(Math.min(4, room * 8 - bits.length)).fill(0));
    bits.push(...Array((8 - bits.length % 8) % 8).fill(0));
    const words = Array.from({ length: bits.length / 8 }, (_, index) => bits.slice(index * 8, index * 8 + 8).reduce((word, bit) => word << 1 | bit, 0));
    for (let pad = 0xec; words.length < room; pad ^= 0xec ^ 0x11) words.push(pad);
    return words;
}

/**
 * The remainder that corrects one block.
 * @param {readonly number[]} block
 * @param {number} length
 */
function correctionOf(block, length) {
    let divisor = [1];
    for (let root = 0; root < length; root += 1) {
        const next = [...divisor, 0];
        divisor.forEach((factor, index) => next[index + 1] ^= product(factor, powers[root]));
        divisor = next;
    }
    const rest = [...block, ...Array(length).fill(0)];
    for (let place = 0; place < block.length; place += 1) {
        const factor = rest[place];
        divisor.forEach((other, index) => rest[place + index] ^= product(other, factor));
    }
    return rest.slice(block.length);
}

/**
 * @param {readonly number[]} words
 * @param {number} version
 */
function interleaved(words, version) {
    const [, correcting, count] = versions[version - 1];
    const short = Math.floor(words.length / count);
    const shorts = count - words.length % count;
    let begin = 0;
    const blocks = Array.from({ length: count }, (_, index) => words.slice(begin, begin += short + (index < shorts ? 0 : 1)));
    const corrections = blocks.map((block) => correctionOf(block, correcting));
    /** @param {readonly number[][]} all */
    const woven = (all) => Array.from({ length: Math.max(...all.map(({ length }) => length)) }, (_, place) => all.flatMap((one) => one[place] ?? [])).flat();
    return [...woven(blocks), ...woven(corrections)];
}

/** @typedef {(0 | 1 | null)[][]} Modules null where data goes. */

/**
 * The patterns that every code of a version has.
 * @param {number} version
 * @returns {Modules}
 */
function blankOf(version) {
    const size = version * 4 + 17;
    /** @type {Modules} */
    const modules = Array.from({ length: size }, () => Array(size).fill(null));
    /**
     * @param {number} x
     * @param {number} y
     * @param {number | boolean} isDark
     */
    const put = (x, y, isDark) => {
        if (x >= 0 && y >= 0 && x < size && y < size) modules[y][x] = isDark ? 1 : 0;
    };
    for (let place = 8; place < size - 8; place += 1) {
        put(place, 6, place % 2 === 0);
        put(6, place, place % 2 === 0);
    }
    for (const [left, top] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
        for (let dy = -4; dy <= 4; dy += 1) {
            for (let dx = -4; dx <= 4; dx += 1) {
                const ring = Math.max(Math.abs(dx), Math.abs(dy));
                put(left + dx, top + dy, ring !== 2 && ring !== 4);
            }
        }
    }
    const places = version === 1 ? [] : version < 7 ? [6, size - 7] : [6, (size - 1) / 2, size - 7];
    for (const y of places) {
        for (const x of places) {
            if ((x === 6 && y === 6) || (x === 6 && y === size - 7) || (x === size - 7 && y === 6)) continue;
            for (let dy = -2; dy <= 2; dy += 1) for (let dx = -2; dx <= 2; dx += 1) put(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
        }
    }
    if (version >= 7) {
        bitsOf(version << 12 | remainder(version, 12, 0x1f25), 18).reverse().forEach((bit, index) => {
            put(size - 11 + index % 3, Math.floor(index / 3), bit);
            put(Math.floor(index / 3), size - 11 + index % 3, bit);
        });
    }
    for (const [x, y] of formatPlaces(size).flat()) put(x, y, 0);
    put(8, size - 8, 1);
    return modules;
}

/**
 * The remainder of a value in a code with so many check bits.
 * @param {number} value
 * @param {number} checks
 * @param {number} divisor
 */
function remainder(value, checks, divisor) {
    let rest = value;
    for (let turn = 0; turn < checks; turn += 1) rest = rest << 1 ^ (rest >> checks - 1 & 1) * divisor;
    return rest & (1 << checks) - 1;
}

/**
 * Where the format stands, twice: the least bit first.
 * @param {number} size
 * @returns {[number, number][][]}
 */
function formatPlaces(size) {
    /** @type {[number, number][]} */
    const first = [];
    /** @type {[number, number][]} */
    const second = [];
    for (let bit = 0; bit < 15; bit += 1) {
        first.push(bit < 6 ? [8, bit] : bit < 8 ? [8, bit + 1] : bit === 8 ? [7, 8] : [14 - bit, 8]);
        second.push(bit < 8 ? [size - 1 - bit, 8] : [8, size - 15 + bit]);
    }
    return [first, second];
}

/** Whether a mask turns a module over. @type {readonly ((x: number, y: number) => boolean)[]} */
const masks = [
    (x, y) => (x + y) % 2 === 0,
    (_, y) => y % 2 === 0,
    (x) => x % 3 === 0,
    (x, y) => (x + y) % 3 === 0,
    (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
    (x, y) => x * y % 2 + x * y % 3 === 0,
    (x, y) => (x * y % 2 + x * y % 3) % 2 === 0,
    (x, y) => ((x + y) % 2 + x * y % 3) % 2 === 0,
];

/**
 * @param {Modules} blank
 * @param {readonly number[]} bits
 * @param {number} mask
 * @returns {number[][]} 1 is dark.
 */
function filled(blank, bits, mask) {
    const size = blank.length;
    /** @type {number[][]} */
    const modules = blank.map((row) => row.map((module) => module ?? 0));
    let next = 0;
    for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
        // The column of the timing pattern is left out.
        if (right === 6) right = 5;
        for (let step = 0; step < size; step += 1) {
            const y = isUp ? size - 1 - step : step;
            for (const x of [right, right - 1]) {
                if (blank[y][x] !== null) continue;
                modules[y][x] = (bits[next] ?? 0) ^ Number(masks[mask](x, y));
                next += 1;
            }
        }
    }
    const format = level << 3 | mask;
    const told = (format << 10 | remainder(format, 10, 0x537)) ^ 0x5412;
    for (const places of formatPlaces(size)) places.forEach(([x, y], bit) => modules[y][x] = told >> bit & 1);
    return modules;
}

/** A pattern that looks like the mark in a corner. */
const lookalikes = ["10111010000", "00001011101"];

/** @param {readonly (readonly number[])[]} modules */
function penaltyOf(modules) {
    const size = modules.length;
    const lines = [...modules.map((row) => row.join("")), ...modules.map((_, x) => modules.map((row) => row[x]).join(""))];
    let penalty = 0;
    for (const line of lines) {
        for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
        for (const mark of lookalikes) for (let at = line.indexOf(mark); at >= 0; at = line.indexOf(mark, at + 1)) penalty += 40;
    }
    for (let y = 1; y < size; y += 1) {
        for (let x = 1; x < size; x += 1) {
            const same = modules[y][x];
            if (modules[y][x - 1] === same && modules[y - 1][x] === same && modules[y - 1][x - 1] === same) penalty += 3;
        }
    }
    const dark = modules.flat().filter((module) => module === 1).length;
    return penalty + Math.floor(Math.abs(dark * 20 / (size * size) - 10)) * 10;
}
