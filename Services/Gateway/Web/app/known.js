/**
 * Everything that is known, in one place: who is signed in, the devices, their parameters and last values, and the
 * connection. It is kept on this device for when there is no connection.
 */

import { computed, effect, isMadeOf, signal } from "../page/signals.js";
import { leadingOf } from "../water/leading.js";
import { tankOf } from "../water/tanks.js";
import { createKeeping } from "./keeping.js";

/** @typedef {import("../water/headline.js").Connection} Connection */
/** @typedef {import("../water/headline.js").Tank} Tank */
/** @typedef {import("../water/tanks.js").Device} Device */
/** @typedef {import("../water/tanks.js").Latest} Latest */
/** @typedef {import("../water/tanks.js").ParameterList} ParameterList */
/**
 * @typedef {{language: string, timeZone: string, throttleSeconds: number | null, colourScheme: 'system' | 'light' | 'dark', name?: string | null}}
 *     Settings What was kept on this device may lack the name.
 */
/**
 * @typedef {{email: string, language: string, timeZone: string, createdAt: string, name?: string, isOperator?: boolean}} Account What was kept on this device
 *     may lack the name, and whether the person operates the installation.
 */
/** @typedef {ReturnType<typeof createKnown>} Known */

/** @param {import("./disk.js").Disk} disk */
export function createKnown(disk) {
    const account = signal(/** @type {Account | null} */ (null));
    const settings = signal(/** @type {Settings | null} */ (null));
    const devices = signal(/** @type {Device[] | undefined} */ (undefined));
    const parameters = signal(/** @type {Map<string, ParameterList>} */ (new Map()));
    const latest = signal(/** @type {Map<string, Map<string, Latest>>} */ (new Map()));
    const snoozes = signal(/** @type {readonly import("../water/snoozes.js").Snooze[]} */ ([]));
    const answers = signal(/** @type {readonly import("../water/answers.js").Answer[]} */ ([]));
    /** The device that was chosen in this visit. */
    const chosen = signal(/** @type {string | null} */ (null));
    /** The device that was chosen in the last one. @type {string | null} */
    let remembered = null;
    /** The device that was shown last. @type {string | null} */
    let held = null;
    const connection = signal(/** @type {Connection} */ ({ state: "connecting", seenAt: null }));
    let seenAt = 0;
    let generation = 0;
    let changes = 0;
    /** What the person changes at this moment. @type {Set<Promise<unknown>>} */
    const changing = new Set();

    /** The tanks, and what each was made of: what changes one leaves the others as they are. @type {Map<string, {parts: unknown[], tank: Tank}>} */
    let made = new Map();
    const tanks = computed([devices, parameters, latest, snoozes, answers], () => {
        const former = made;
        made = new Map();
        return devices.value?.map((device) => {
            const parts = [device, parameters.value.get(device.id), latest.value.get(device.id), snoozes.value, answers.value];
            const had = former.get(device.id);
            const tank = had && isMadeOf(had.parts, parts)
                ? had.tank
                : tankOf(device, listOf(device.id), latest.value.get(device.id), snoozes.value, answers.value);
            made.set(device.id, { parts, tank });
            return tank;
        });
    });
    const current = computed([tanks, chosen], () => {
        if (!tanks.value) return undefined;
        const tank = leadingOf(tanks.value, { chosen: chosen.value, held, remembered }, Date.now());
        held = tank?.id ?? null;
        return tank;
    });
    /** @param {string} device */
    function listOf(device) {
        return parameters.value.get(device)?.items ?? [];
    }

    const { keep, write, keepAccount, forget, recalled } = createKeeping(disk, () => account.value && {
        account: account.value,
        settings: settings.value,
        snoozes: snoozes.value,
        answers: answers.value,
        seenAt,
        devices: devices.value,
        parameters: parameters.value,
        latest: latest.value,
    });

    /** Whose name was written here. @type {string | null} */
    let keptFor = null;
    /** Resolves once it stands there. @type {Promise<unknown>} */
    let accountKept = Promise.resolve();
    account.subscribe(() => {
        const { value } = account;
        if ((value?.createdAt ?? null) === keptFor) return;
        keptFor = value?.createdAt ?? null;
        accountKept = value ? keepAccount(value) : Promise.resolve();
    });

    // The choice of a device outlasts a visit; it is no secret, and goes with everything else when the person signs out.
    effect([chosen], () => {
        if (chosen.value !== null && account.value) disk.set("chosen", chosen.value);
    });

    return {
        account,
        settings,
        devices,
        parameters,
        latest,
        snoozes,
        answers,
        chosen,
        connection,
        /** All devices with what they measure, in the person's order and units; undefined until they are known. */
        tanks,
        /** The device that the home screen shows; null when there is none. */
        current,
        /** What the settings were when they were read. @type {string | null} */
        settingsTag: null,
        /** Counts the people who have signed in here: what was asked for one is nothing for the next. */
        get generation() {
            return generation;
        },
        /** Counts what the person has changed here, at its beginning and at its end. */
        get changes() {
            return changes;
        },
        /**
         * Runs a change of the person's, which is kept soon.
         * @template T
         * @param {() => Promise<T>} change
         * @returns {Promise<T>}
         */
        async changed(change) {
            changes += 1;
            const running = change();
            changing.add(running);
            try {
                const result = await running;
                keep(true);
                return result;
            } finally {
                changes += 1;
                changing.delete(running);
            }
        },
        /** Waits until nothing is being changed. */
        async settled() {
            while (changing.size > 0) await Promise.allSettled(changing);
        },
        listOf,
        keep,
        write,
        /** Resolves once this device knows for good who is signed in. */
        accountKept: () => accountKept,

        /**
         * @param {string} device
         * @param {ParameterList} list
         */
        setList(device, list) {
            parameters.value = new Map(parameters.value).set(device, list);
            keep();
        },

        /**
         * @param {string} device
         * @param {Map<string, Latest>} values
         */
        setLatest(device, values) {
            latest.value = new Map(latest.value).set(device, values);
            keep();
        },

        /**
         * @param {string} id
         * @param {Partial<Device>} change
         */
        changeDevice(id, change) {
            devices.value = devices.value?.map((device) => device.id === id ? { ...device, ...change } : device);
            keep();
        },

        /** @param {readonly import("../water/snoozes.js").Snooze[]} next */
        setSnoozes(next) {
            snoozes.value = next;
            keep();
        },

        /** @param {readonly import("../water/answers.js").Answer[]} next */
        setAnswers(next) {
            answers.value = next;
            keep();
        },

        /** The service was heard. */
        seen() {
            seenAt = Date.now();
        },

        /** @param {Connection['state']} state */
        setConnection(state) {
            const next = { ...connection.value, state, seenAt: seenAt || connection.value.seenAt };
            if (state !== connection.value.state || state === "live") connection.value = next;
        },

        /**
         * Whether the service keeps up with readings.
         * @param {number | null} lateSince
         */
        setLate(lateSince) {
            if ((connection.value.lateSince ?? null) !== lateSince) connection.value = { ...connection.value, lateSince };
        },

        /** What was known when this was last open. @returns {Promise<boolean>} Whether somebody is signed in here. */
        async recall() {
            const [known, device] = await Promise.all([recalled(), disk.get("chosen")]);
            if (typeof device === "string") remembered = device;
            if (!known) return false;
            account.value = known.account;
            settings.value = known.settings;
            parameters.value = known.parameters;
            latest.value = known.latest;
            snoozes.value = known.snoozes ?? [];
            answers.value = known.answers ?? [];
            devices.value = known.devices;
            seenAt = known.seenAt ?? 0;
            connection.value = { state: "connecting", seenAt: seenAt || null };
            return true;
        },

        /** Forgets everything, here and on this device. */
        async clear() {
            generation += 1;
            forget();
            account.value = null;
            settings.value = null;
            this.settingsTag = null;
            parameters.value = new Map();
            latest.value = new Map();
            snoozes.value = [];
            answers.value = [];
            devices.value = undefined;
            chosen.value = null;
            remembered = null;
            held = null;
            seenAt = 0;
            connection.value = { state: "connecting", seenAt: null };
            await disk.clear();
        },
    };
}
