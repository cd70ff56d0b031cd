/** Calls: people who have put the person into a chain, and the person's consent. */

import { signal } from "../page/signals.js";
import { createCoalesced } from "./coalesced.js";

/** @typedef {import("../water/calls.js").Call} Call */
/** @typedef {{api: import("./api.js").API, store: Pick<import("./store.js").Store, "account">}} Parts */
/** @typedef {ReturnType<typeof createCalls>} Calls */

/** @type {WeakMap<object, Calls>} */
const all = new WeakMap();

/**
 * The calls that all screens of one person share.
 * @param {Parts} context
 * @returns {Calls}
 */
export function callsOf(context) {
    const calls = all.get(context.store) ?? createCalls(context);
    all.set(context.store, calls);
    return calls;
}

/** @param {Parts} parts */
function createCalls({ api, store }) {
    /** Empty also while the calls are not known. */
    const known = signal(/** @type {readonly Call[]} */ ([]));
    let generation = 0;
    /** Counts the answers: what was read before one of them says what was. */
    let answers = 0;

    async function load() {
        const [mine, before] = [generation, answers];
        try {
            const { data } = await api.get("/calls");
            if (mine === generation && before === answers) known.value = data;
        } catch {
            // The calls that are known hold; the person is asked nothing else meanwhile.
        }
    }

    const reading = createCoalesced(load);

    store.account.subscribe(() => {
        if (store.account.value) return;
        generation += 1;
        reading.forget();
        known.value = [];
    });

    return {
        known,
        read: reading.ask,

        /**
         * Says whether somebody's alarms may come. It throws as the API does.
         * @param {Call} call
         * @param {import("../water/calls.js").Agreed} agreed
         */
        async answer({ device, person }, agreed) {
            const mine = generation;
            const { data } = await api.put(`/devices/${encodeURIComponent(device)}/calls/${encodeURIComponent(person.id)}`, { agreed });
            if (mine !== generation) return;
            answers += 1;
            known.value = known.value.map((call) => call.device === device && call.person.id === person.id ? data : call);
        },
    };
}
