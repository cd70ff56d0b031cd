/** The person's reminders on this device: what the service says, with what was done here laid over it. */

import { computed, signal } from "../page/signals.js";
import { aboutOf, overlaid, todoOf } from "../water/care.js";
import { homeLine } from "../water/care-words.js";
import { createCoalesced } from "./coalesced.js";
import { randomKey } from "./api.js";
import { outboxOf } from "./outbox.js";
import { versionTag } from "./versions.js";

/** @typedef {import("../water/care.js").Care} CareAnswer */
/** @typedef {import("../water/care.js").Item} Item */
/** @typedef {import("../water/care.js").Reminder} Reminder */
/** @typedef {import("../water/care.js").What} What */
/** @typedef {ReturnType<typeof createCare>} Care */
/** @typedef {{answer: CareAnswer | null, seenAt: number, isOld: boolean, trouble: unknown}} Known */
/** @typedef {{from: string, until: string}} Span The first and the last day. */

const nothing = Object.freeze({ answer: null, seenAt: 0, isOld: false, trouble: null });

/** @type {WeakMap<object, Care>} */
const cares = new WeakMap();

/**
 * The care that all screens of one person share.
 * @param {{api: import("./api.js").API, store: import("./store.js").Store}} context
 * @returns {Care}
 */
export function careOf(context) {
    let care = cares.get(context.store);
    if (!care) {
        care = createCare({ ...context, outbox: outboxOf(context) });
        cares.set(context.store, care);
    }
    return care;
}

/**
 * @param {object} parts
 * @param {Pick<import("./api.js").API, 'get' | 'post'>} parts.api
 * @param {Pick<import("./store.js").Store, 'account' | 'connection' | 'careNews' | 'keep' | 'kept' | 'keepPage'>} parts.store
 * @param {Pick<import("./outbox.js").Outbox, 'waiting' | 'add' | 'onAnswer' | 'retry' | 'remove'>} parts.outbox
 */
export function createCare({ api, store, outbox }) {
    const known = signal(/** @type {Known} */ (nothing));
    const months = signal(/** @type {ReadonlyMap<string, Known>} */ (new Map()));
    /** The month that was looked at last. @type {[string, Span] | null} */
    let looked = null;
    let owner = store.account.value?.createdAt;
    const present = createCoalesced(() => load(known, "care", undefined));

    const shown = computed([known, outbox.waiting], () => {
        const { answer } = known.value;
        return answer && overlaid(answer, outbox.waiting.value, Date.now());
    });

    /**
     * Reads into a place; what cannot be read is what was kept there.
     * @param {{value: Known}} place
     * @param {string} part
     * @param {Span | undefined} query
     */
    async function load(place, part, query) {
        const mine = owner;
        try {
            const { data } = await api.get("/care", { query });
            if (mine !== owner) return;
            const seenAt = Date.now();
            place.value = { answer: data, seenAt, isOld: false, trouble: null };
            await (query ? store.keepPage(part, { answer: data, seenAt }) : store.keep(part, { answer: data, seenAt }));
        } catch (error) {
            if (mine !== owner) return;
            const { answer, seenAt } = place.value;
            const had = answer ? { answer, seenAt } : await store.kept(part);
            if (mine !== owner) return;
            place.value = { answer: had?.answer ?? null, seenAt: had?.seenAt ?? 0, isOld: Boolean(had), trouble: error };
        }
    }

    store.account.subscribe(() => {
        if (store.account.value?.createdAt === owner) return;
        owner = store.account.value?.createdAt;
        present.forget();
        known.value = nothing;
        months.value = new Map();
        looked = null;
        if (owner) void present.ask();
    });
    store.careNews.subscribe(renew);
    // What could not be read is read as soon as there is hope.
    store.connection.subscribe(() => store.connection.value.state === "live" && known.value.trouble !== null && void renew());
    // What the service has taken stays as it is shown until it is read again.
    outbox.onAnswer((row, { data }) => {
        const told = aboutOf(row);
        if (!told) return;
        // The next change of it names the version that this one made.
        const about = told.care === "reminder" ? { ...told, reminder: { ...told.reminder, version: data?.version ?? told.reminder.version } } : told;
        /** @param {Known} one @returns {Known} */
        const taken = (one) => one.answer ? { ...one, answer: overlaid(one.answer, [{ about }], Date.now()) } : one;
        known.value = taken(known.value);
        months.value = new Map([...months.value].map(([month, one]) => [month, taken(one)]));
        void renew();
    });

    /** Reads again what is shown. */
    async function renew() {
        await Promise.all([present.ask(), looked ? readMonth(...looked) : null]);
    }

    /**
     * @param {string} month
     * @param {Span} span
     */
    async function readMonth(month, span) {
        looked = [month, span];
        const place = {
            get value() {
                return months.value.get(month) ?? nothing;
            },
            set value(next) {
                months.value = new Map(months.value).set(month, next);
            },
        };
        await load(place, `care-month ${month}`, span);
    }

    /** @param {{device: string, id: string}} reminder */
    const pathOf = ({ device, id }) => `/devices/${encodeURIComponent(device)}/reminders/${id}`;
    /** @param {string} id */
    const subjectOf = (id) => `care ${id}`;

    return {
        /** What the service said, and when. */
        known,
        /** The same with what was done here. */
        shown,
        months,
        waiting: outbox.waiting,
        /** Sends once more what the service has refused. */
        retry: outbox.retry,
        /** Gives up what the service has refused. */
        giveUp: outbox.remove,
        read: present.ask,
        renew,
        readMonth,

        /**
         * @param {string} month
         * @param {number} now
         */
        monthOf(month, now) {
            const found = months.value.get(month) ?? nothing;
            return { ...found, answer: found.answer && overlaid(found.answer, outbox.waiting.value, now) };
        },

        /**
         * What is to be done today or late.
         * @param {number} now
         * @param {string} zone
         */
        todo: (now, zone) => todoOf(shown.value, now, zone),

        /**
         * What is due at one tank, in a line.
         * @param {import("../words/format.js").Voice} voice
         * @param {string} device
         * @param {number} now
         */
        lineOf: (voice, device, now) => homeLine(voice, shown.value, device, now),

        /**
         * Does something about an occurrence; resolves once that is kept.
         * @param {Item} item
         * @param {What} what
         * @param {{at?: number, until?: number | null}} [more]
         * @returns {Promise<() => Promise<void>>} What takes it back.
         */
        async act({ reminder, occurrence: { on } }, what, { at = Date.now(), until = null } = {}) {
            const id = randomKey();
            const [atText, untilText] = [new Date(at).toISOString(), until === null ? null : new Date(until).toISOString()];
            /** @type {import("../water/care.js").About} */
            const about = { care: "act", reminder: reminder.id, on, act: id, what, at: atText, until: untilText };
            const body = { what, on, at: atText, ...untilText === null ? {} : { until: untilText } };
            await outbox.add({ id, method: "PUT", path: `${pathOf(reminder)}/acts/${id}`, body, subject: subjectOf(reminder.id), about });
            return () => this.undo(reminder, id);
        },

        /**
         * Takes back what was done about an occurrence.
         * @param {Reminder} reminder
         * @param {string} act
         */
        async undo(reminder, act) {
            const about = { care: "undo", reminder: reminder.id, act };
            await outbox.add({ id: `${act} undo`, method: "DELETE", path: `${pathOf(reminder)}/acts/${act}`, subject: subjectOf(reminder.id), about });
        },

        /**
         * Makes or changes a reminder.
         * @param {Reminder} reminder
         */
        async save(reminder) {
            const { name, activity, rhythm, at, zone, startsOn, who, notes = "" } = reminder;
            const people = who ? { who: who.map(({ id }) => id) } : {};
            const body = { name, activity, rhythm, at, zone, startsOn, notes, ...people };
            const ifMatch = versionTag(reminder.version);
            const about = { care: "reminder", reminder };
            await outbox.add({ id: reminder.id, method: "PUT", path: pathOf(reminder), body, ifMatch, subject: subjectOf(reminder.id), about });
        },

        /**
         * Ends a reminder.
         * @param {Reminder} reminder
         */
        async end(reminder) {
            const about = { care: "end", reminder: reminder.id };
            await outbox.add({ id: `${reminder.id} end`, method: "DELETE", path: pathOf(reminder), subject: subjectOf(reminder.id), about });
        },

        /**
         * The next times of a rhythm.
         * @param {Pick<Reminder, 'rhythm' | 'at' | 'zone' | 'startsOn'>} plan
         * @returns {Promise<string[]>} Their dates.
         */
        preview: async ({ rhythm, at, zone, startsOn }) => {
            const { data } = await api.post("/care/preview", { rhythm, at, zone, startsOn });
            return data.map((/** @type {{on: string}} */ { on }) => on.slice(0, 10));
        },

        /**
         * What was done about a reminder, the last first.
         * @param {Reminder} reminder
         */
        history: async (reminder) => (await api.get(`${pathOf(reminder)}/acts`)).data.items,
    };
}
