/**
 * The changes that an event of the stream makes to the known state.
 */

import { afterEpisode as answersAfter } from "../water/answers.js";
import { afterEpisode } from "../water/snoozes.js";
import { isLater } from "../water/tanks.js";

/** @typedef {import("./live.js").LiveEvent} LiveEvent */

/**
 * @param {import("./known.js").Known} known
 * @returns {(event: LiveEvent) => void} Enters an event in what is known; to do it twice does no harm.
 */
export function createChange(known) {
    /** @param {{device: string, time: string, values: Record<string, number>}} reading */
    function applyReading({ device, time, values }) {
        const latest = new Map(known.latest.value.get(device));
        for (const [name, value] of Object.entries(values)) {
            const last = latest.get(name);
            if (last && isLater(last.time, time)) continue;
            latest.set(name, { value, time, side: last?.side ?? null, since: last?.since ?? null });
        }
        known.setLatest(device, latest);
        const found = known.devices.value?.find(({ id }) => id === device);
        if (found && found.online === null) known.changeDevice(device, { lastReadingAt: time });
    }

    /**
     * An episode is over, and with it what was said of it.
     * @param {{device: string, kind: string, parameter: string | null}} episode
     */
    function end(episode) {
        known.setSnoozes(afterEpisode(known.snoozes.value, episode));
        known.setAnswers(answersAfter(known.answers.value, episode));
    }

    /** @param {{device: string, kind?: string, parameter: string, state: string, side?: import("../water/ranges.js").Side, since?: string}} episode */
    function applyEpisode({ device, kind = "range", parameter, state, side, since }) {
        const latest = new Map(known.latest.value.get(device));
        const last = latest.get(parameter);
        if (!last) return;
        const isOpen = state === "open";
        if (last.since !== null && (!isOpen || Date.parse(since ?? "") !== Date.parse(last.since))) {
            end({ device, kind, parameter });
        }
        latest.set(parameter, { ...last, side: isOpen ? side ?? null : null, since: isOpen ? since ?? null : null });
        known.setLatest(device, latest);
    }

    /** @param {{device: string, kind: string, parameter: string | null, state: string}} trouble */
    function applyTrouble({ state, ...trouble }) {
        if (state === "closed") end(trouble);
    }

    return function change({ name, data }) {
        switch (name) {
            case "reading":
                return applyReading(data);
            case "device":
                return known.changeDevice(data.device, {
                    online: data.online,
                    silentSince: data.online ? null : data.since,
                });
            case "episode":
                return applyEpisode(data);
            // Says nothing of values: water that changes no longer fast may be out of range.
            case "trouble":
                return applyTrouble(data);
        }
    };
}
