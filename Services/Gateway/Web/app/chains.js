/** Who is told when nobody answers: the person's chains, a device each, and their endpoints, which can be steps. */

import { signal } from "../page/signals.js";
import { wireOf } from "../water/chain.js";
import { createChangeable } from "./changeable.js";
import { createCoalesced } from "./coalesced.js";

/** @typedef {import("../water/chain.js").Chain} Chain */
/** @typedef {import("../water/chain.js").Step} Step */
/** @typedef {import("./push.js").Endpoint} Endpoint */

/**
 * @param {object} parts
 * @param {import("./api.js").API} parts.api
 * @param {(key: string, value: unknown) => unknown} parts.keep
 * @param {(key: string) => Promise<any>} parts.kept
 */
export function createChains({ api, keep, kept }) {
    /** @type {Map<string, ReturnType<typeof make>>} */
    const chains = new Map();

    /** @param {string} device */
    function make(device) {
        const path = `/devices/${encodeURIComponent(device)}/chain`;
        return createChangeable({
            /** @returns {Promise<Chain>} */
            get: async () => (await api.get(path)).data,
            /** @param {readonly Step[]} steps @returns {Promise<Chain | null>} */
            send: async (steps) => (await api.put(path, { steps: wireOf(steps) })).data,
            changed: (told, steps) => ({ ...told, steps }),
            part: `chain ${device}`,
            keep,
            kept,
        });
    }

    return {
        /** @param {string} device */
        of(device) {
            const chain = chains.get(device) ?? make(device);
            chains.set(device, chain);
            return chain;
        },

        forget() {
            for (const chain of chains.values()) chain.forget();
            chains.clear();
        },
    };
}

/**
 * @param {object} parts
 * @param {import("./api.js").API} parts.api
 * @param {(key: string, value: unknown) => unknown} parts.keep
 * @param {(key: string) => Promise<any>} parts.kept
 */
export function createWays({ api, keep, kept }) {
    const known = signal(/** @type {readonly Endpoint[]} */ ([]));
    let generation = 0;

    async function load() {
        const mine = generation;
        try {
            const { items } = (await api.get("/endpoints")).data;
            if (mine !== generation) return;
            known.value = items;
            keep("ways", items);
        } catch {
            const had = await kept("ways");
            if (mine === generation && known.value.length === 0 && had) known.value = had;
        }
    }

    const reading = createCoalesced(load);

    return {
        known,
        read: reading.ask,
        forget() {
            generation += 1;
            reading.forget();
            known.value = [];
        },
    };
}
