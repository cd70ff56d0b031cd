/**
 * What is known of the person's water, and how it comes to be known: read from the service, brought up to date by the
 * stream of events, changed by the person, kept on this device for when there is no connection.
 */

import { signal } from "../page/signals.js";
import { many } from "../water/leading.js";
import { createAlertList } from "./alert-list.js";
import { createChanges } from "./changes.js";
import { createKnown } from "./known.js";
import { followTurns } from "./limit-turns.js";
import { createQuietHours } from "./quiet-hours.js";
import { createStream } from "./stream.js";
import { createSummary } from "./summary.js";

/** @typedef {ReturnType<typeof createStore>} Store */

/** So many screens are kept, such as of alerts that were looked at. */
const mostPages = 50;

/**
 * @param {object} parts
 * @param {import("./api.js").API} parts.api
 * @param {import("./disk.js").Disk} parts.disk
 * @param {import("../page/signals.js").Readable<import("./alert-list.js").Kinds | null>} parts.kinds
 */
export function createStore({ api, disk, kinds }) {
    const known = createKnown(disk);
    /** Counts the alerts that were told by the stream, for screens that list them. */
    const alertNews = signal(0);
    /** Counts the changes of chains, and of what people agreed to, that the stream told of. */
    const callNews = signal(0);
    /** Counts the changes of what the person's tanks need that the stream told of. */
    const careNews = signal(0);
    /** Counts the changes of what people wrote down that the stream told of. */
    const journalNews = signal(0);
    const { read, refresh, apply } = createStream({ api, known, alertNews, callNews, careNews, journalNews, kinds });
    followTurns({ parameters: known.parameters, read: () => refresh(["parameters"]) });
    const { account, settings, devices, parameters, latest, snoozes, answers, connection, tanks, current, chosen } = known;
    /** @type {(key: string, value: unknown) => Promise<unknown>} */
    const keep = (key, value) => account.value ? disk.set(`part ${key}`, value) : Promise.resolve(undefined);
    /** @type {(key: string) => Promise<any>} */
    const kept = (key) => disk.get(`part ${key}`);
    const told = createAlertList({ api, tanks, snoozes, answers, kinds, keep, kept });
    const quiet = createQuietHours({ api, keep, kept });
    const summary = createSummary({ api, keep, kept });

    return {
        account,
        settings,
        devices,
        parameters,
        latest,
        snoozes,
        answers,
        connection,
        tanks,
        current,
        chosen,
        /** The alerts, and what of them goes on. */
        told,
        /** Quiet hours, and what waits. */
        quiet,
        /** What the person is told regularly. */
        summary,
        alertNews,
        callNews,
        careNews,
        journalNews,
        /** What the tanks need, once it has come. */
        care: signal(/** @type {import("./care.js").Care | null} */ (null)),
        /** What people measure themselves, likewise. */
        hand: signal(/** @type {import("./hand-keeping.js").HandKeeping | null} */ (null)),
        /** The tanks that are compared, while that is on the screen: the list beside the tabs chooses the other one. */
        comparing: signal(/** @type {{of: readonly (string | null)[], choose: (id: string) => void} | null} */ (null)),
        /** How the probes stand, likewise. */
        probes: signal(/** @type {import("./probes.js").Probes | null} */ (null)),
        read,
        refresh,
        apply,
        seen: known.seen,
        accountKept: known.accountKept,
        setConnection: known.setConnection,
        recall: () => known.recall(),
        clear() {
            told.forget();
            quiet.forget();
            summary.forget();
            return known.clear();
        },
        ...createChanges({ api, known }),

        /** Whether the water opens with all tanks: there are many, and the person has chosen none. */
        opensAll: () => known.chosen.value === null && (devices.value?.length ?? 0) >= many,

        /** @param {string | null} id null: all of them. */
        choose(id) {
            known.chosen.value = id;
        },

        /** @param {string} id */
        deviceOf: (id) => devices.value?.find((device) => device.id === id) ?? null,

        /**
         * @param {string} device
         * @param {string} name
         */
        parameterOf: (device, name) => known.listOf(device).find((parameter) => parameter.name === name) ?? null,

        /**
         * Whether a device of the person's has a parameter; undefined while that is not known.
         * @param {string} device
         * @param {string} name
         */
        hasParameter: (device, name) => devices.value && known.listOf(device).some((parameter) => parameter.name === name),

        /** Keeps something for when there is no connection, such as the series of a graph. */
        keep,
        kept,

        /**
         * Keeps what a screen has shown, of the last ones that were seen.
         * @param {string} key
         * @param {unknown} value
         */
        async keepPage(key, value) {
            if (!account.value) return;
            const seen = [key, ...(await kept("pages") ?? []).filter((/** @type {string} */ other) => other !== key)];
            const entries = new Map([[`part ${key}`, value], ["part pages", seen.slice(0, mostPages)]]);
            await disk.put(entries, seen.slice(mostPages).map((gone) => `part ${gone}`));
        },
    };
}
