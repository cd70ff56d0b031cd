/** Samples and protocols as the service tells them, with what this device keeps of them for when there is no connection. */

import { signal } from "../../page/signals.js";
import { isProblem } from "../../words/problem.js";

/** @typedef {import("../../water/field/draft.js").Sample} Sample */
/** @typedef {import("../../water/field/protocol.js").Protocol} Protocol */
/** By what a sample was taken; without a device by a protocol that comes with the service. @typedef {Pick<Sample, 'protocol' | 'protocolVersion'> & {device: string | null}} Taken */
/** @typedef {{items: readonly Sample[] | null, next: string | null, isOld: boolean, trouble: unknown}} Listed items: newest first; null: nothing is known yet. */

const page = 50;
/** So many of the newest are kept on this device. */
const mostKept = 50;
/** Of the protocols of one place. */
const mostVersions = 10;

/**
 * @param {object} parts
 * @param {Pick<import("../api.js").API, 'get'>} parts.api
 * @param {Pick<import("../store.js").Store, 'keep' | 'kept' | 'keepPage'>} parts.store
 * @param {() => string | null} parts.owner
 * @param {string | null} device The only one of which they are; null: those of all.
 */
function createListing({ api, store, owner }, device) {
    const key = device === null ? "field-samples" : `field-samples ${device}`;
    const listed = signal(/** @type {Listed} */ ({ items: null, next: null, isOld: false, trouble: null }));
    let turn = 0;

    /** @param {string | null} after */
    const asked = async (after) => {
        const { data } = await api.get("/field-samples", { query: { device, after, limit: page } });
        return { samples: /** @type {Sample[]} */ (data.items), next: /** @type {string | null} */ (data.next ?? null) };
    };

    async function read() {
        const [mine, whose] = [turn += 1, owner()];
        if (listed.value.items === null) {
            const had = await store.kept(key);
            if (mine === turn && had && listed.value.items === null) listed.value = { ...listed.value, items: had, isOld: true };
        }
        try {
            const { samples, next } = await asked(null);
            if (mine !== turn || whose !== owner()) return;
            listed.value = { items: samples, next, isOld: false, trouble: null };
            // The list of all is wanted first without a connection; those of a place are kept as long as there is room.
            void (device === null ? store.keep(key, samples.slice(0, mostKept)) : store.keepPage(key, samples.slice(0, mostKept)));
        } catch (error) {
            if (mine === turn) listed.value = { ...listed.value, isOld: listed.value.items !== null, trouble: error };
        }
    }

    return {
        listed,
        read,

        async readMore() {
            const { items, next } = listed.value;
            if (next === null) return;
            const mine = turn;
            const more = await asked(next);
            if (mine === turn) listed.value = { ...listed.value, items: [...items ?? [], ...more.samples], next: more.next };
        },

        /** Takes in what the service said of a sample elsewhere. @param {Sample} sample */
        take(sample) {
            const { items } = listed.value;
            // What is asked for just now may be without it.
            if (items === null) return void read();
            const others = items.filter(({ id }) => id !== sample.id);
            listed.value = { ...listed.value, items: [sample, ...others] };
        },

        forget() {
            turn += 1;
            listed.value = { items: null, next: null, isOld: false, trouble: null };
        },
    };
}

/**
 * @param {object} parts
 * @param {Pick<import("../api.js").API, 'get'>} parts.api
 * @param {Pick<import("../store.js").Store, 'keep' | 'kept' | 'keepPage'>} parts.store
 * @param {() => string | null} parts.owner
 * @param {() => string} parts.language
 */
export function createSamples({ api, store, owner, language }) {
    /** @param {Taken} sample @returns {Promise<Protocol>} */
    const versionOf = async ({ device, protocol, protocolVersion }) =>
        (await api.get(`/field-protocols/${encodeURIComponent(protocol)}`, { query: { version: protocolVersion, device } })).data;

    return {
        ...createListing({ api, store, owner }, null),

        /** The samples of one place. @param {string} device */
        of: (device) => createListing({ api, store, owner }, device),

        /** A sample as the service has it now. @param {string} id @param {number} [version] Else the present one. @returns {Promise<Sample>} */
        one: async (id, version) => (await api.get(`/field-samples/${id}`, { query: { version } })).data,

        /**
         * A sample with its way, which lists leave out; without a connection as it was last seen here.
         * @param {string} id
         * @returns {Promise<Sample>}
         */
        async last(id) {
            const part = `field-sample ${id}`;
            try {
                const sample = await this.one(id);
                void store.keepPage(part, sample);
                return sample;
            } catch (error) {
                const had = isProblem(error) ? undefined : await store.kept(part);
                if (!had) throw error;
                return had;
            }
        },

        /** @param {string} id @returns {Promise<{version: number, state: string, changedAt: string, by: {name: string, isMe: boolean} | null}[]>} Newest first. */
        versions: async (id) => (await api.get(`/field-samples/${id}/versions`)).data,

        /**
         * The protocols of a place; without a connection those that are kept of it, or of any other.
         * @param {string | null} device
         * @returns {Promise<readonly Protocol[]>}
         */
        async protocols(device) {
            const [own, any] = [`field-protocols ${language()} ${device ?? ""}`, `field-protocols ${language()}`];
            try {
                const { data } = await api.get("/field-protocols", { query: { device } });
                void store.keep(own, data.protocols);
                void store.keep(any, data.protocols);
                return data.protocols;
            } catch (error) {
                const had = await store.kept(own) ?? await store.kept(any);
                if (!had) throw error;
                return had;
            }
        },

        /**
         * A protocol of one's own, in its newest version.
         * @param {string} id
         * @returns {Promise<Protocol>}
         */
        protocolNow: async (id) => (await api.get(`/field-protocols/${encodeURIComponent(id)}`)).data,

        /**
         * One protocol in the version that a sample names.
         * @param {Taken} sample
         * @returns {Promise<Protocol>}
         */
        async protocolOf({ device, protocol, protocolVersion }) {
            const known = (await this.protocols(device).catch(() => [])).find(({ id, version }) => id === protocol && version === protocolVersion);
            return known ?? await versionOf({ device, protocol, protocolVersion });
        },

        /**
         * The protocols by which samples of one place were taken, each in the versions that they name, without those that cannot be had now. Those of
         * the place are kept for when there is no connection.
         * @param {string | null} device null: they are others' samples, and protocols of the service's.
         * @param {readonly Taken[]} taken The newest first.
         * @returns {Promise<Protocol[]>}
         */
        async protocolsOf(device, taken) {
            const present = await this.protocols(device).catch(() => []);
            const each = new Map(taken.map((sample) => [`${sample.protocol} ${sample.protocolVersion}`, sample]));
            const found = await Promise.all([...each.values()].slice(0, mostVersions).map(async (sample) =>
                present.find(({ id, version }) => id === sample.protocol && version === sample.protocolVersion) ?? await versionOf(sample).catch(() => null)
            ));
            return found.flatMap((one) => one ?? []);
        },
    };
}
