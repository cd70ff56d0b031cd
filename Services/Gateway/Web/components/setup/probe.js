/** A probe at the end of a cable: what it is asked, and what it answers, one thing after the other. */

import { bytesOf, commandOf, commands, createPacketReader, errors, partsOf, resultOf, states, types } from "./improv.js";

/** @typedef {import("./improv.js").Packet} Packet */
/** @typedef {{name: string, signal: number, isSecured: boolean}} Network */
/** @typedef {{id: string, broker: string, access: {name: string, password: string}}} Standing */

/**
 * The part of a port of Web Serial that is used here.
 * @typedef {object} Port
 * @property {(options: {baudRate: number}) => Promise<void>} open
 * @property {() => Promise<void>} close
 * @property {ReadableStream<Uint8Array> | null} readable
 * @property {WritableStream<Uint8Array> | null} writable
 * @property {(signals: {dataTerminalReady: boolean, requestToSend: boolean}) => Promise<void>} [setSignals]
 */

/** @typedef {'port' | 'silent' | 'lost' | 'network' | 'refused' | 'settings'} FaultCode */

/** Why a probe did not do what it was asked. */
export class ProbeFault extends Error {
    /** @param {FaultCode} code port: it cannot be opened; silent: it answers nothing, or nothing of this; lost: the cable or the port is gone. */
    constructor(code) {
        super(`probe: ${code}`);
        this.code = code;
    }
}

const baudRate = 115_200;
/** So long an answer is awaited, in milliseconds: a probe that measures listens to nothing. */
const patience = 2_500;
/** A board that starts when the port is opened takes a while. */
const startTries = 6;
const tries = 3;
const scanPatience = 15_000;
const joinPatience = 30_000;

/**
 * @param {Port} port
 * @param {(milliseconds: number, ring: () => void) => () => void} [wait] Rings later; returns what prevents it.
 */
export async function openProbe(port, wait = ringing) {
    try {
        await port.open({ baudRate });
    } catch {
        throw new ProbeFault("port");
    }
    // The lines with which a board is reset and flashed are let go.
    await port.setSignals?.({ dataTerminalReady: false, requestToSend: false }).catch(() => {});
    if (!port.readable || !port.writable) throw new ProbeFault("lost");
    const reader = port.readable.getReader();
    const writer = port.writable.getWriter();
    const packets = createPacketReader();
    let isLost = false;
    /** @type {{take: (packet: Packet) => void, fail: (fault: ProbeFault) => void} | null} */
    let asked = null;

    async function read() {
        try {
            for (;;) {
                const { value, done } = await reader.read();
                if (done) break;
                for (const packet of packets.take(value)) asked?.take(packet);
            }
        } catch {
            // A cable that was pulled.
        }
        isLost = true;
        asked?.fail(new ProbeFault("lost"));
    }
    const reading = read();

    /**
     * @template T
     * @param {Uint8Array} bytes
     * @param {(packet: Packet) => T | undefined} answer What a packet answers; undefined: it is not the answer.
     * @param {number} patience
     * @returns {Promise<T>}
     */
    function once(bytes, answer, patience) {
        if (isLost) return Promise.reject(new ProbeFault("lost"));
        return new Promise((resolve, reject) => {
            /** @param {() => void} ended */
            const end = (ended) => {
                cancel();
                asked = null;
                ended();
            };
            const fail = (/** @type {ProbeFault} */ fault) => end(() => reject(fault));
            const cancel = wait(patience, () => fail(new ProbeFault("silent")));
            asked = {
                fail,
                take(packet) {
                    const fault = packet.type === types.error && packet.data.length === 1 ? faultOf(packet.data[0]) : null;
                    if (fault) return fail(fault);
                    const found = answer(packet);
                    if (found !== undefined) end(() => resolve(found));
                },
            };
            packets.clear();
            writer.write(bytes).catch(() => asked?.fail(new ProbeFault("lost")));
        });
    }

    /**
     * Asks again where noise took the question or its answer.
     * @template T
     * @param {Uint8Array} bytes
     * @param {() => (packet: Packet) => T | undefined} answer
     * @param {number} [count]
     * @param {number} [time]
     */
    async function ask(bytes, answer, count = tries, time = patience) {
        for (let left = count - 1;; left--) {
            try {
                return await once(bytes, answer(), time);
            } catch (fault) {
                const isPassing = fault instanceof ProbeFault && (fault.code === "silent" || fault.code === "refused");
                if (!isPassing || left <= 0) throw fault;
            }
        }
    }

    /** @param {number} command */
    const textsOf = (command) => () => (/** @type {Packet} */ packet) => {
        const result = packet.type === types.result ? resultOf(packet.data) : null;
        return result?.command === command ? result.texts : undefined;
    };

    const probe = {
        /** Asks whether it is in a network: the first question, while a board may be starting. */
        async isJoined() {
            const state = await ask(
                commandOf(commands.state),
                () => (packet) => packet.type === types.state && packet.data.length === 1 ? packet.data[0] : undefined,
                startTries,
            );
            return state === states.provisioned;
        },
        /** The networks in its reach, the strongest first. @returns {Promise<Network[]>} */
        networks() {
            const listed = () => {
                /** @type {Network[]} */
                const found = [];
                return (/** @type {Packet} */ packet) => {
                    const texts = textsOf(commands.networks)()(packet);
                    if (texts === undefined) return undefined;
                    if (texts.length < 3) return found;
                    found.push({ name: texts[0], signal: Number(texts[1]), isSecured: texts[2] !== "NO" });
                };
            };
            return ask(commandOf(commands.networks), listed, 2, scanPatience);
        },
        /**
         * @param {string} name
         * @param {string} password Empty: an open network.
         */
        async join(name, password) {
            await ask(commandOf(commands.join, bytesOf(name, password)), textsOf(commands.join), 2, joinPatience);
        },
        /** @param {string} text Its settings. */
        async give(text) {
            for (const part of partsOf(text)) await ask(commandOf(commands.part, part), textsOf(commands.part));
            // Once: what was kept is gone from where it was gathered.
            await ask(commandOf(commands.keep), textsOf(commands.keep), 1, 2 * patience);
        },
        /** The probe's standing with the broker: none, trying, connected or refused. @returns {Promise<Standing>} */
        async standing() {
            const [id = "", broker = "", name = "", password = ""] = await ask(commandOf(commands.standing), textsOf(commands.standing));
            return { id, broker, access: { name, password } };
        },
        async close() {
            await reader.cancel().catch(() => {});
            await reading;
            reader.releaseLock();
            await writer.abort().catch(() => {});
            writer.releaseLock();
            await port.close().catch(() => {});
        },
    };
    return probe;
}

/** @typedef {Awaited<ReturnType<typeof openProbe>>} Probe */

/** @param {number} code */
function faultOf(code) {
    if (code === errors.none) return null;
    if (code === errors.unableToConnect) return new ProbeFault("network");
    if (code === errors.notTaken) return new ProbeFault("settings");
    return new ProbeFault(code === errors.unknown ? "silent" : "refused");
}

/**
 * @param {number} milliseconds
 * @param {() => void} ring
 */
function ringing(milliseconds, ring) {
    const timer = setTimeout(ring, milliseconds);
    return () => clearTimeout(timer);
}
