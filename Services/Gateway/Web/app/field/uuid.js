/**
 * A UUID of version 7 (RFC 9562, 5.7): 48 bits of milliseconds, then what is random, so that ids sort by the time of their making.
 * @param {number} [now]
 */
export function timedUUID(now = Date.now()) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    for (let place = 0; place < 6; place += 1) bytes[place] = Math.floor(now / 2 ** (8 * (5 - place))) % 256;
    bytes[6] = bytes[6] & 0x0f | 0x70;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return [0, 8, 12, 16, 20].map((from, index, all) => text.slice(from, all[index + 1] ?? 32)).join("-");
}
