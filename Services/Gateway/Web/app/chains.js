/** The person's chains, a device each, and the person's endpoints, which can be steps. */

import { signal } from "../page/signals.js";
import { createChangeable } from "./changeable.js";
import { createCoalesced } from "./coalesced.js";

/** @typedef {import("../water/chain.js").Chain} Chain */
/** @typedef {import("../water/chain.js").Step} Step */
/** @typedef {import("./push.js").Endpoint} Endpoint */
/** @typedef {Pick<import("./store.js").Store, "account" | "keep" | "kept">} Store */
/** @typedef {{api: import("./api.js").API, store: Store}} Parts */
/** @typedef {ReturnType<typeof createChains>} Chains */

/** @type {WeakMap<object, Chains>} */
const known = new WeakMap();

/**
 * The chains that all screens of one person share.
 * @param {Parts} context
 * @returns {Chains}
 */
export function chainsOf(context) {
    const chains = known.get(context.store) ?? createChains(context);
    known.set(context.store, chains);
    return chains;
}

/** @param {Parts} parts */
function createChains({ api, store }) {
    const { keep, kept } = store;
    /** @type {Map<string, ReturnType<typeof make>>} */
    const chains = new Map();
    const ways = createWays({ api, store });

    /** @param {string} device */
    function make(device) {
        const path = `/devices/${encodeURIComponent(device)}/chain`;
        return createChangeable({
            /** @returns {Promise<Chain>} */
            get: async () => tagged(await api.get(path)),
            /** @param {readonly Step[]} steps @param {Chain | null} held @returns {Promise<Chain | null>} */
            send: async (steps, held) => tagged(await api.put(path, { steps: steps.map(written) }, { ifMatch: held?.tag ?? undefined })),
            changed: (told, steps) => ({ ...told, steps }),
            part: `chain ${device}`,
            keep,
            kept,
        });
    }

    store.account.subscribe(() => {
        if (store.account.value) return;
        for (const part of [...chains.values(), ways]) part.forget();
        chains.clear();
    });

    return {
        /** @param {string} device */
        of(device) {
            const chain = chains.get(device) ?? make(device);
            chains.set(device, chain);
            return chain;
        },
        ways,
    };
}

/**
 * A chain with its version, which a change names.
 * @param {{data: Omit<Chain, "tag">, tag: string | null}} answer
 * @returns {Chain}
 */
function tagged({ data, tag }) {
    return { ...data, tag };
}

/**
 * A step as the service takes it.
 * @param {Step} step
 */
function written({ after, person, endpoint }) {
    return person ? { after, person: person.id } : { after, endpoint };
}

/** @param {Parts} parts */
function createWays({ api, store }) {
    const known = signal(/** @type {readonly Endpoint[] | null} */ (null));
    let generation = 0;

    async function load() {
        const mine = generation;
        try {
            const { items } = (await api.get("/endpoints")).data;
            if (mine !== generation) return;
            known.value = items;
            store.keep("ways", items);
        } catch {
            const had = await store.kept("ways");
            if (mine === generation && known.value === null && had) known.value = had;
        }
    }

    const reading = createCoalesced(load);

    return {
        /** null while the endpoints are not known. */
        known,
        read: reading.ask,
        forget() {
            generation += 1;
            reading.forget();
            known.value = null;
        },
    };
}
