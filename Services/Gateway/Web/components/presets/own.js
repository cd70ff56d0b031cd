/** Presets of a person's or a project's own, as the service keeps them. */

import { wholeOf } from "../../water/presets.js";

/** @typedef {import("../../water/presets.js").OwnPreset} OwnPreset */
/** @typedef {import("../../water/presets.js").WholeLimits} WholeLimits */
/** @typedef {{preset: OwnPreset, tag: string | null}} Told */

/** The most devices that the service takes in a request. */
const batch = 100;

/** @param {Pick<import("../../app/context.js").Context, "api">} context */
export function ownPresetsOf({ api }) {
    /** @param {string} id */
    const pathOf = (id) => `/presets/${encodeURIComponent(id)}`;
    return {
        /**
         * @param {string} id
         * @returns {Promise<Told>}
         */
        async read(id) {
            const { data, tag } = await api.get(pathOf(id));
            return { preset: data, tag };
        },

        /**
         * @param {string} name
         * @param {readonly WholeLimits[]} limits
         * @returns {Promise<OwnPreset>}
         */
        make: async (name, limits) => (await api.post("/presets", { name, limits }, { once: true })).data,

        /**
         * @param {Told} told As it was read.
         * @param {{name?: string, parameters?: readonly import("../../water/tanks.js").Parameter[]}} change
         * @returns {Promise<Told>}
         */
        async change({ preset, tag }, { name = preset.name, parameters = preset.parameters }) {
            const limits = parameters.map(wholeOf);
            const { data, tag: next } = await api.put(pathOf(preset.id), { name, limits }, { ifMatch: tag ?? undefined });
            return { preset: data, tag: next };
        },

        /** @param {string} id */
        remove: (id) => api.delete(pathOf(id)),

        /**
         * Has many devices take over a preset.
         * @param {string} preset
         * @param {readonly string[]} devices
         * @param {(count: number) => void} tell How many have it by now.
         */
        async applyTo(preset, devices, tell) {
            for (let start = 0; start < devices.length; start += batch) {
                const some = devices.slice(start, start + batch);
                await api.post("/parameters/preset", { preset, devices: some });
                tell(start + some.length);
            }
        },
    };
}
