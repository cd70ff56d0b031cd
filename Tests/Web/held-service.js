/** A service whose answers are held until they are released. */

import { isNews, isOfDevice, openOf } from "../../Services/Gateway/Web/kinds/index.js";
import { signal } from "../../Services/Gateway/Web/page/signals.js";
import { createStream } from "../../Services/Gateway/Web/app/stream.js";

export const device = { id: "tank", name: "Koi", online: true, silentSince: null, lastReadingAt: null };

/**
 * A service whose answers are held until they are released, with what it knew when it was asked.
 * @param {import("../../Services/Gateway/Web/app/alert-list.js").Kinds | null} [kinds] What has come of the kinds of alerts.
 */
export function world(kinds = { openOf, isOfDevice, isNews }) {
    /** @type {any[]} */
    let rows = [];
    /** @type {any[]} */
    let snoozes = [];
    /** @type {any[]} */
    let answers = [];
    /** @type {any[]} */
    let devices = [device];
    /** The parameters of each device. */
    const lists = [{ device: "tank", tag: '"v1"', parameters: [] }];
    /** @type {(() => void)[]} */
    let held = [];
    /** What paths answer instead. @type {Map<string, Error>} */
    const failing = new Map();
    const reads = { count: 0 };
    /** The paths that were asked for. @type {string[]} */
    const asked = [];
    /** @type {any} */
    const known = {
        generation: 0,
        account: {},
        settings: {},
        parameters: {},
        latest: { value: new Map() },
        snoozes: { value: [] },
        devices: { value: undefined },
        changes: 0,
        settled: () => Promise.resolve(),
        seen() {},
        keep() {},
        answers: { value: [] },
        setAnswers: (/** @type {any} */ next) => known.answers.value = next,
        setSnoozes: (/** @type {any} */ next) => known.snoozes.value = next,
        setLatest: (/** @type {string} */ id, /** @type {any} */ values) => known.latest.value = new Map(known.latest.value).set(id, values),
        changeDevice: (/** @type {string} */ id, /** @type {any} */ change) =>
            known.devices.value = known.devices.value?.map((/** @type {any} */ one) => one.id === id ? { ...one, ...change } : one),
    };
    /** @type {any} */
    const api = {
        get(/** @type {string} */ path) {
            const data = path === "/readings/latest" ? rows : path === "/snoozes" ? snoozes : path === "/answers" ? answers : path.endsWith("/parameters") ? [{ name: "ph" }] : {};
            if (path === "/account") reads.count += 1;
            asked.push(path);
            const fault = failing.get(path);
            return new Promise((resolve, reject) => held.push(() => fault ? reject(fault) : resolve({ data, tag: null })));
        },
        all(/** @type {string} */ path) {
            asked.push(path);
            return failing.has(path) ? Promise.reject(failing.get(path)) : Promise.resolve(path === "/devices" ? devices : lists);
        },
    };
    /** @type {number[]} */
    const pauses = [];
    /** @type {any} */
    const alertNews = { value: 0 };
    /** @type {any} */
    const callNews = { value: 0 };
    /** @type {any} */
    const careNews = { value: 0 };
    /** @type {any} */
    const journalNews = { value: 0 };
    const { read, refresh, apply } = createStream({
        api,
        known,
        alertNews,
        callNews,
        careNews,
        journalNews,
        kinds: signal(kinds),
        sleep: (pause) => {
            pauses.push(pause);
            failing.clear();
            return Promise.resolve();
        },
    });
    return {
        known,
        read,
        refresh,
        reads,
        asked,
        lists,
        pauses,
        failing,
        alertNews,
        callNews,
        journalNews,
        careNews,
        /** @param {string} name @param {any} data */
        tell: (name, data) => apply({ name, id: "", data }),
        /** @param {any[]} now */
        store: (now) => rows = now,
        /** @param {any[]} now */
        own: (now) => devices = now,
        /** @param {any[]} now */
        snooze: (now) => snoozes = now,
        /** @param {any[]} now */
        answerBy: (now) => answers = now,
        /** Answers all that was asked for, and what is asked for then. */
        async answer() {
            for (let round = 0; round < 20; round += 1) {
                const ready = held;
                held = [];
                for (const release of ready) release();
                await new Promise((resolve) => setTimeout(resolve, 0));
            }
        },
        value: (/** @type {string} */ name) => known.latest.value.get("tank")?.get(name)?.value,
    };
}

/** Until everything was asked for. */
export const begun = () => new Promise((resolve) => setTimeout(resolve, 0));

export const at = "2026-11-23T10:00:00Z";
export const later = "2026-11-23T10:00:30.5Z";
export const row = (/** @type {number} */ value, /** @type {string} */ time) => ({
    device: "tank",
    parameter: "temperature",
    time,
    canonicalValue: value,
    state: "within",
    since: null,
});

/**
 * A world that knows everything, and has asked for nothing since.
 * @param {Parameters<typeof world>} kinds
 */
export async function caughtUp(...kinds) {
    const made = world(...kinds);
    const reading = made.refresh();
    await made.answer();
    await reading;
    made.asked.length = 0;
    return made;
}
