/**
 * The projects of a person: read when a screen shows them, kept on this device for when there is no connection, and changed only where
 * the service answers, since it decides who may.
 */

import { signal } from "../page/signals.js";
import { createCoalesced } from "./coalesced.js";

/** @typedef {import("../water/projects.js").Project} Project */
/** @typedef {import("../water/projects.js").Member} Member */
/** @typedef {import("../water/projects.js").Invitation} Invitation */
/** @typedef {ReturnType<typeof createProjects>} Projects */

/**
 * @template T
 * @typedef {{told: T | null, isOld: boolean, trouble: unknown}} Known told: null while it is not known; isOld: it could not be read since.
 */

/** @typedef {{project: Project, tag: string | null, members: Member[], invitations: Invitation[]}} Whole One project with its people. */

/** @type {WeakMap<object, Projects>} */
const all = new WeakMap();

/**
 * The projects that all screens share.
 * @param {{api: import("./api.js").API, store: import("./store.js").Store}} context
 * @returns {Projects}
 */
export function projectsOf(context) {
    let projects = all.get(context.store);
    if (!projects) all.set(context.store, projects = createProjects(context));
    return projects;
}

/**
 * @param {object} parts
 * @param {Pick<import("./api.js").API, 'get' | 'post' | 'put' | 'patch' | 'delete'>} parts.api
 * @param {Pick<import("./store.js").Store, 'account' | 'keep' | 'kept' | 'keepPage'>} parts.store
 */
export function createProjects({ api, store }) {
    const listed = signal(/** @type {Known<Project[]>} */ ({ told: null, isOld: false, trouble: null }));
    let owner = store.account.value?.createdAt;
    store.account.subscribe(() => {
        const next = store.account.value?.createdAt;
        if (next === owner) return;
        owner = next;
        listed.value = { told: null, isOld: false, trouble: null };
    });

    /** @param {string} id */
    const pathOf = (id) => `/projects/${encodeURIComponent(id)}`;

    const reading = createCoalesced(async () => {
        const mine = owner;
        try {
            const { data } = await api.get("/projects");
            if (mine !== owner) return;
            listed.value = { told: data, isOld: false, trouble: null };
            void store.keep("projects", data);
        } catch (trouble) {
            const told = listed.value.told ?? await store.kept("projects") ?? null;
            if (mine === owner) listed.value = { told, isOld: told !== null, trouble };
        }
    });

    return {
        listed,
        read: reading.ask,

        /**
         * One project with its people, as the service says or as it was kept. Throws as the API does where there is neither.
         * @param {string} id
         * @returns {Promise<{whole: Whole, isOld: boolean}>}
         */
        async whole(id) {
            try {
                const [{ data: project, tag }, { data: members }] = await Promise.all([api.get(pathOf(id)), api.get(`${pathOf(id)}/members`)]);
                const mayInvite = project.role === "owner" || project.role === "administrator";
                const invitations = mayInvite ? (await api.get(`${pathOf(id)}/invitations`)).data : [];
                const whole = { project, tag, members, invitations };
                void store.keepPage(`project ${id}`, whole);
                return { whole, isOld: false };
            } catch (error) {
                const kept = await store.kept(`project ${id}`);
                if (!kept) throw error;
                return { whole: kept, isOld: true };
            }
        },

        /**
         * @param {string} name
         * @returns {Promise<Project>}
         */
        create: async (name) => (await api.post("/projects", { name }, { once: true })).data,

        /**
         * @param {string} id
         * @param {string} name
         * @param {string | null} tag
         */
        rename: (id, name, tag) => api.patch(pathOf(id), { name }, { ifMatch: tag ?? undefined }),

        /**
         * The shifts of a project with its people, as the service says or as they were kept.
         * @param {string} id
         * @returns {Promise<{rota: import("../water/shifts.js").Rota, tag: string | null, project: Project, members: Member[], isOld: boolean}>}
         */
        async shifts(id) {
            try {
                const [{ data: project }, { data: members }, { data: rota, tag }] = await Promise.all(
                    ["", "/members", "/shifts"].map((part) => api.get(`${pathOf(id)}${part}`)),
                );
                void store.keepPage(`shifts ${id}`, { rota, tag, project, members });
                return { rota, tag, project, members, isOld: false };
            } catch (error) {
                const kept = await store.kept(`shifts ${id}`);
                if (!kept) throw error;
                return { ...kept, isOld: true };
            }
        },

        /**
         * @param {string} id
         * @param {readonly import("../water/shifts.js").Shift[]} shifts All of them.
         * @param {string | null} tag
         */
        setShifts: (id, shifts, tag) => api.put(`${pathOf(id)}/shifts`, { shifts }, { ifMatch: tag ?? undefined }),

        /**
         * Has a member take another's turn; the same one has theirs back.
         * @param {string} id
         * @param {import("../water/shifts.js").Cover} cover
         */
        cover: (id, cover) => api.put(`${pathOf(id)}/shifts/cover`, cover),

        /**
         * Whether the person is told off shift as well.
         * @param {string} id
         * @param {boolean} always
         */
        tellAlways: (id, always) => api.put(`${pathOf(id)}/shifts/me`, { always }),

        /** @param {string} id */
        dissolve: (id) => api.delete(pathOf(id)),

        /**
         * @param {string} id
         * @param {string} member
         * @param {{role?: import("./acting.js").Role, until?: string | null}} change
         */
        changeMember: (id, member, change) => api.patch(`${pathOf(id)}/members/${encodeURIComponent(member)}`, change),

        /**
         * Takes somebody out, or leaves.
         * @param {string} id
         * @param {string} member
         */
        removeMember: (id, member) => api.delete(`${pathOf(id)}/members/${encodeURIComponent(member)}`),

        /**
         * @param {string} id
         * @param {{role: import("../water/projects.js").Invited, until?: string}} wish
         * @returns {Promise<{invitation: Invitation, token: string, link: string}>} The link is told this once.
         */
        invite: async (id, wish) => (await api.post(`${pathOf(id)}/invitations`, wish, { once: true })).data,

        /**
         * @param {string} id
         * @param {string} invitation
         */
        revoke: (id, invitation) => api.delete(`${pathOf(id)}/invitations/${encodeURIComponent(invitation)}`),

        /**
         * @param {string} id
         * @param {string} device One of the person's own.
         */
        moveIn: (id, device) => api.post(`${pathOf(id)}/devices`, { device }, { once: true }),

        /**
         * Sets limits of one parameter for many of a project's tanks.
         * @param {string} id
         * @param {string} parameter
         * @param {{devices: string[], minimum?: number | null, maximum?: number | null}} limits
         * @returns {Promise<number>} How many changed.
         */
        limit: async (id, parameter, limits) => (await api.put(`${pathOf(id)}/parameters/${encodeURIComponent(parameter)}`, limits)).data.changed,
    };
}
