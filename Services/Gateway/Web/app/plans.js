/** Plans of sites: read when somebody looks at them, and kept on this device with their pictures for when there is no connection. */

import { signal } from "../page/signals.js";
import { isProblem } from "../words/problem.js";
import { createCoalesced } from "./coalesced.js";
import { versionTag } from "./versions.js";

/** @typedef {import("../water/plans.js").Plan} Plan */
/** @typedef {import("../water/plans.js").PlacedPlan} PlacedPlan */
/** @typedef {import("../water/plans.js").Place} Place */
/** @typedef {import("../page/photo.js").Picture} Picture */
/** @typedef {ReturnType<typeof createPlans>} Plans */

/** So many pictures stay at hand. */
const mostPictures = 4;

/** @type {WeakMap<object, Plans>} */
const all = new WeakMap();

/**
 * The plans that all screens share.
 * @param {{api: import("./api.js").API, store: import("./store.js").Store}} context
 * @returns {Plans}
 */
export function plansOf(context) {
    let plans = all.get(context.store);
    if (!plans) all.set(context.store, plans = createPlans(context));
    return plans;
}

/**
 * @param {object} parts
 * @param {Pick<import("./api.js").API, 'get' | 'post' | 'put' | 'patch' | 'delete' | 'open'>} parts.api
 * @param {Pick<import("./store.js").Store, 'account' | 'keep' | 'kept' | 'keepPage'>} parts.store
 */
export function createPlans({ api, store }) {
    const listed = signal(/** @type {{told: Plan[] | null, trouble: unknown}} */ ({ told: null, trouble: null }));
    /** @type {Map<string, Promise<Blob>>} */
    const pictures = new Map();
    let owner = store.account.value?.createdAt;
    store.account.subscribe(() => {
        const next = store.account.value?.createdAt;
        if (next === owner) return;
        owner = next;
        pictures.clear();
        listed.value = { told: null, trouble: null };
    });

    /** @param {string} id */
    const pathOf = (id) => `/plans/${encodeURIComponent(id)}`;

    const reading = createCoalesced(async () => {
        const mine = owner;
        try {
            const { data } = await api.get("/plans");
            if (mine !== owner) return;
            listed.value = { told: data, trouble: null };
            void store.keep("plans", data);
        } catch (trouble) {
            const told = listed.value.told ?? await store.kept("plans") ?? null;
            if (mine === owner) listed.value = { told, trouble };
        }
    });

    /**
     * The answer to a change takes the place of what was known.
     * @param {PlacedPlan} plan
     */
    function take(plan) {
        const { told } = listed.value;
        const isNew = told?.every(({ id }) => id !== plan.id);
        if (told) listed.value = { told: isNew ? [...told, plan] : told.map((one) => one.id === plan.id ? plan : one), trouble: null };
        void store.keepPage(`plan ${plan.id}`, plan);
        return plan;
    }

    /** @param {Plan} plan */
    async function pictureOf({ id, picture }) {
        const key = `plan-picture ${id}`;
        const kept = await store.kept(key);
        if (kept?.tag === picture?.tag && kept?.bytes instanceof ArrayBuffer) return new Blob([kept.bytes], { type: kept.type });
        const response = await api.open(`${pathOf(id)}/picture`);
        const blob = await response.blob();
        void store.keepPage(key, { tag: picture?.tag, type: blob.type, bytes: await blob.arrayBuffer() });
        return blob;
    }

    /** @param {Plan} plan */
    const known = ({ version }) => ({ ifMatch: versionTag(version) });

    return {
        listed,
        read: reading.ask,

        /**
         * A plan with its tanks, as the service says or as it was kept. Throws as the API does where there is neither.
         * @param {string} id
         * @returns {Promise<PlacedPlan>}
         */
        async placed(id) {
            try {
                return take((await api.get(pathOf(id))).data);
            } catch (error) {
                // A plan that is gone, or is no more for this person, is not shown as if it were.
                const kept = isProblem(error) && error.status === 404 ? null : await store.kept(`plan ${id}`);
                if (!kept) throw error;
                return kept;
            }
        },

        /**
         * The picture of a plan that has one. Throws as the API does where it cannot be had.
         * @param {Plan} plan
         * @returns {Promise<Blob>}
         */
        picture(plan) {
            const key = `${plan.id} ${plan.picture?.tag}`;
            const had = pictures.get(key);
            if (had) return had;
            const found = pictureOf(plan);
            pictures.set(key, found);
            found.catch(() => pictures.delete(key));
            const [oldest] = pictures.keys();
            if (pictures.size > mostPictures) pictures.delete(oldest);
            return found;
        },

        /**
         * @param {string} name
         * @param {string | null} project null: for the person themselves.
         * @returns {Promise<PlacedPlan>}
         */
        make: async (name, project) => take((await api.post("/plans", project === null ? { name } : { name, project }, { once: true })).data),

        /**
         * @param {Plan} plan
         * @param {string} name
         * @returns {Promise<PlacedPlan>}
         */
        rename: async (plan, name) => take((await api.patch(pathOf(plan.id), { name }, known(plan))).data),

        /**
         * @param {Plan} plan
         * @param {readonly Place[]} places All of them.
         * @returns {Promise<PlacedPlan>}
         */
        place: async (plan, places) => take((await api.put(`${pathOf(plan.id)}/places`, { places }, known(plan))).data),

        /**
         * @param {Plan} plan
         * @param {Picture | null} picture null: the blank grid.
         * @returns {Promise<PlacedPlan>}
         */
        setPicture: async (plan, picture) => {
            const path = `${pathOf(plan.id)}/picture`;
            const answer = picture ? await api.put(path, picture.bytes, { ...known(plan), type: picture.type }) : await api.delete(path, known(plan));
            return take(answer.data);
        },

        /** @param {Plan} plan */
        async remove({ id }) {
            await api.delete(pathOf(id));
            const { told } = listed.value;
            if (told) listed.value = { told: told.filter((plan) => plan.id !== id), trouble: null };
        },
    };
}
