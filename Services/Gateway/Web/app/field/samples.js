/** Samples and protocols as the service tells them, with what this device keeps of them for when there is no connection. */

import { isProblem } from "../../words/problem.js";
import { createListing } from "./listing.js";

/** @typedef {import("../../water/field/draft.js").Sample} Sample */
/** @typedef {import("../../water/field/protocol.js").Protocol} Protocol */
/** By what a sample was taken; without a device by a protocol that comes with the service. @typedef {Pick<Sample, 'protocol' | 'protocolVersion'> & {device: string | null}} Taken */
const page = 50;
/** Of the protocols of one place. */
const mostVersions = 10;

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

    // The list of all is wanted first without a connection; those of a place are kept as long as there is room.
    /** @param {string | null} device The only one of which they are; null: those of all. */
    const listing = (device) => createListing({ store, owner }, {
        key: device === null ? "field-samples" : `field-samples ${device}`,
        isFirst: device === null,
        async ask(/** @type {string | null} */ after) {
            const { data } = await api.get("/field-samples", { query: { device, after, limit: page } });
            return { items: /** @type {Sample[]} */ (data.items), next: data.next ?? null };
        },
    });

    return {
        ...listing(null),

        /** The samples of one place. @param {string} device */
        of: (device) => listing(device),

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
