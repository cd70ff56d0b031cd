/**
 * The alerts as they are listed: read from the service, kept on this device for when there is no connection.
 */

import { computed, signal } from "../page/signals.js";
import { episodesOf } from "../water/alerts.js";
import { createCoalesced } from "./coalesced.js";

/** @typedef {import("../water/alerts.js").Alert} Alert */
/** @typedef {Pick<typeof import("../kinds/index.js"), "openOf" | "isOfDevice" | "isNews">} Kinds What is known of kinds; null until it has come. */
/** @typedef {ReturnType<typeof createAlertList>} AlertList */

/**
 * @typedef {object} Listed
 * @property {readonly Alert[] | null} items The newest first; null while they are not known.
 * @property {string | null} next Where older ones begin; null when there are none.
 * @property {number} seenAt When they were read.
 * @property {boolean} isOld Whether they could not be read since.
 * @property {unknown} trouble Why not.
 */

const pageSize = 100;
/** @type {Listed} */
const nothing = { items: null, next: null, seenAt: 0, isOld: false, trouble: null };

/**
 * @param {object} parts
 * @param {import("./api.js").API} parts.api
 * @param {import("../page/signals.js").Readable<readonly import("../water/headline.js").Tank[] | undefined>} parts.tanks
 * @param {import("../page/signals.js").Readable<readonly import("../water/snoozes.js").Snooze[]>} parts.snoozes
 * @param {import("../page/signals.js").Readable<readonly import("../water/answers.js").Answer[]>} parts.answers
 * @param {import("../page/signals.js").Readable<Kinds | null>} parts.kinds
 * @param {(key: string, value: unknown) => unknown} parts.keep
 * @param {(key: string) => Promise<any>} parts.kept
 */
export function createAlertList({ api, tanks, snoozes, answers, kinds, keep, kept }) {
    const listed = signal(nothing);
    /** Some things are over by the passing of time alone. */
    const beats = signal(0);
    const episodes = computed([listed], () => episodesOf(listed.value.items ?? []));
    const open = computed(
        [episodes, tanks, snoozes, answers, kinds, beats],
        () => kinds.value?.openOf(episodes.value, tanks.value ?? [], snoozes.value, Date.now(), answers.value) ?? [],
    );
    /** Alarms that nobody is on; one trouble counts once, though it be in two alarms. */
    const calling = computed([open], () => open.value.filter(({ answered, isCovered }) => answered === null && !isCovered).length);
    /** Counts the people who have signed in here: what was asked for one is nothing for the next. */
    let generation = 0;

    async function load() {
        const mine = generation;
        try {
            const { data } = await api.get("/alerts", { query: { limit: pageSize } });
            if (mine !== generation) return;
            const { items: had, next, isOld } = listed.value;
            // Older pages that were loaded stay.
            const known = new Set(data.items.map((/** @type {Alert} */ { id }) => id));
            const older = isOld ? [] : (had ?? []).filter(({ id }) => !known.has(id));
            const seenAt = Date.now();
            listed.value = { items: [...data.items, ...older], next: older.length === 0 ? data.next : next, seenAt, isOld: false, trouble: null };
            keep("alerts", { items: data.items, seenAt });
        } catch (error) {
            if (mine === generation) await recall(error);
        }
    }

    /**
     * Shows what was read last, here or on a former visit.
     * @param {unknown} trouble
     */
    async function recall(trouble) {
        const mine = generation;
        let { items, seenAt } = listed.value;
        if (items === null) {
            const had = await kept("alerts");
            if (had?.items) ({ items, seenAt } = had);
        }
        if (mine === generation) listed.value = { items, next: null, seenAt, isOld: items !== null, trouble };
    }

    const reading = createCoalesced(load);

    return {
        listed,
        episodes,
        /** Alerts and water that go on now. */
        open,
        /** How many of them nobody answers. */
        calling,

        /** Reads the newest. Whoever asks while they are read waits for a reading that began after the question. */
        read: reading.ask,

        /** Reads older ones. It throws as the API does. */
        async readMore() {
            const { next } = listed.value;
            if (!next) return;
            const mine = generation;
            const { data } = await api.get("/alerts", { query: { limit: pageSize, cursor: next } });
            if (mine !== generation || listed.value.next !== next) return;
            listed.value = { ...listed.value, items: [...listed.value.items ?? [], ...data.items], next: data.next };
        },

        /** Time has passed. */
        beat() {
            beats.value += 1;
        },

        forget() {
            generation += 1;
            reading.forget();
            listed.value = nothing;
        },
    };
}
