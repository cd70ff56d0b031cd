/** Tests by hand: the kits, the last values of each device, and how a new test reaches the service. */

/** @typedef {import("../water/by-hand.js").Entry} Entry */
/** @typedef {import("../water/by-hand.js").HandPoint} HandPoint */
/** @typedef {import("../water/by-hand.js").HandValue} HandValue */
/** @typedef {import("../water/by-hand.js").Kit} Kit */
/** @typedef {import("../water/by-hand.js").Latest} Latest */
/** @typedef {import("../water/series.js").Period} Period */
/** @typedef {{at: string, kit: string | null, note: string | null, values: Entry[], confirmed: boolean}} NewTest */
/** @typedef {{values: HandValue[]}} WrittenTest */
/** @typedef {{id: string, method: "PUT", path: string, body: unknown, subject: string, about: import("../water/hand-tests.js").About}} Deed */
/** @typedef {{keep: (key: string, value: unknown) => unknown, kept: (key: string) => Promise<any>}} Keeping */
/** @typedef {{api: Pick<import("./api.js").API, 'get'>, store: Keeping}} Parts */

/** @param {string} device */
const base = (device) => `/devices/${encodeURIComponent(device)}`;

/**
 * The values by hand of one parameter, oldest first.
 * @param {Pick<import("./api.js").API, 'get'>} api
 * @param {string} device
 * @param {string} parameter
 * @param {Period} period
 * @returns {Promise<HandPoint[]>}
 */
export async function readByHand(api, device, parameter, { from, to }) {
    const path = `${base(device)}/parameters/${encodeURIComponent(parameter)}/by-hand`;
    const query = { from: new Date(from).toISOString(), until: new Date(to).toISOString() };
    // A service of before has none.
    return (await api.get(path, { query })).data?.points ?? [];
}

/**
 * @param {Parts} parts
 * @param {(deed: Deed) => Promise<any>} deliver Brings what a person did to the service, and says what it answered; null: it will later.
 */
export function createHandTests({ api, store }, deliver) {
    /**
     * Asks the service, and what is kept on this device where nothing answers.
     * @template T
     * @param {string} part
     * @param {string} path
     * @param {(data: any) => T} read
     * @returns {Promise<T>}
     */
    async function ask(part, path, read) {
        try {
            const told = read((await api.get(path)).data);
            store.keep(part, told);
            return told;
        } catch (error) {
            const kept = await store.kept(part);
            if (kept === undefined || kept === null) throw error;
            return kept;
        }
    }

    return {
        /** @returns {Promise<Kit[]>} */
        kits: () => ask("kits", "/kits", (data) => data),

        /**
         * @param {string} device
         * @returns {Promise<Latest[]>}
         */
        latest: (device) => ask(`hand ${device}`, `${base(device)}/tests/latest`, (data) => data.items ?? []),

        /**
         * Writes a test down, under an id that makes it count once however often it is sent.
         * @param {string} device
         * @param {string} id
         * @param {NewTest} test
         * @param {readonly HandValue[]} values As they are shown until the service has answered.
         * @returns {Promise<WrittenTest | null>} null where it is sent later.
         */
        write(device, id, test, values) {
            const { at, kit } = test;
            /** @type {import("../water/hand-tests.js").About} */
            const about = { hand: "test", device, test: { id, at, kit, by: null, values } };
            return deliver({ id, method: "PUT", path: `${base(device)}/tests/${id}`, body: test, subject: `test ${id}`, about });
        },
    };
}
