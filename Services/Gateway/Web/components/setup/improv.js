/**
 * Packets of Improv Serial, version 1 (improv-wifi.com/serial), and the three commands with which AquaMonitor's own firmware takes its settings:
 *
 *     IMPROV, version, type, length, data, sum of all bytes before it modulo 256, line feed
 */

export const types = { state: 1, error: 2, command: 3, result: 4 };
export const states = { ready: 2, provisioning: 3, provisioned: 4 };
export const errors = { none: 0, invalid: 1, unknown: 2, unableToConnect: 3, notTaken: 0x81 };
export const commands = { join: 1, state: 2, information: 3, networks: 4, part: 0xA5, keep: 0xA6, standing: 0xA7 };

/** "IMPROV", version 1. */
const header = [0x49, 0x4D, 0x50, 0x52, 0x4F, 0x56, 1];
/** Bytes of the settings in one packet. */
const partLength = 200;

/** @typedef {{type: number, data: Uint8Array}} Packet */

/** @param {Iterable<number>} bytes */
const sumOf = (bytes) => [...bytes].reduce((sum, byte) => sum + byte & 0xFF, 0);

/**
 * @param {number} type
 * @param {Iterable<number>} data 255 bytes at most.
 */
export function packetOf(type, data) {
    const content = [...data];
    if (content.length > 255) throw new RangeError("A packet has room for 255 bytes.");
    const bytes = [...header, type, content.length, ...content];
    return Uint8Array.from([...bytes, sumOf(bytes), 10]);
}

/**
 * @param {number} command
 * @param {Iterable<number>} [data] 253 bytes at most.
 */
export function commandOf(command, data = []) {
    const content = [...data];
    return packetOf(types.command, [command, content.length, ...content]);
}

/**
 * Strings as a command takes them, each behind its length.
 * @param {...string} texts
 */
export function bytesOf(...texts) {
    return texts.flatMap((text) => {
        const bytes = new TextEncoder().encode(text);
        return [bytes.length, ...bytes];
    });
}

/**
 * The command and the strings of a result; null where they do not end with the data.
 * @param {Uint8Array} data
 */
export function resultOf(data) {
    if (data.length < 2 || data[1] !== data.length - 2) return null;
    const texts = [];
    for (let at = 2; at < data.length;) {
        const end = at + 1 + data[at];
        if (end > data.length) return null;
        texts.push(new TextDecoder().decode(data.subarray(at + 1, end)));
        at = end;
    }
    return { command: data[0], texts };
}

/**
 * The settings in parts, each with its place.
 * @param {string} text
 */
export function partsOf(text) {
    const bytes = new TextEncoder().encode(text);
    const parts = [];
    for (let at = 0; at < bytes.length; at += partLength) parts.push([at >> 8, at & 0xFF, ...bytes.subarray(at, at + partLength)]);
    return parts;
}

/** Finds packets among the bytes of a port, which has lines of a log as well. A packet whose sum is wrong is passed over. */
export function createPacketReader() {
    /** @type {number[]} */
    let bytes = [];

    /** @param {number} byte @returns {Packet | null} */
    function take(byte) {
        if (bytes.length < header.length) {
            if (header[bytes.length] !== byte) bytes = [];
            if (header[bytes.length] === byte) bytes.push(byte);
            return null;
        }
        if (bytes.length < 9 || bytes.length < 9 + bytes[8]) {
            bytes.push(byte);
            return null;
        }
        const whole = bytes;
        bytes = [];
        return sumOf(whole) === byte ? { type: whole[7], data: Uint8Array.from(whole.slice(9)) } : null;
    }

    return {
        /** @param {Uint8Array} chunk @returns {Packet[]} */
        take: (chunk) => [...chunk].map(take).filter((packet) => packet !== null),
        /** Begins anew with the next byte. */
        clear() {
            bytes = [];
        },
    };
}
