/**
 * What a person changes: told to the service first, and known here once the service has taken it.
 */

import { replaced as withAnswer } from "../water/answers.js";
import { replaced } from "../water/snoozes.js";
import { isProblem } from "../words/problem.js";

/** @typedef {import("../water/tanks.js").Parameter} Parameter */

/**
 * @param {object} parts
 * @param {import("./api.js").API} parts.api
 * @param {import("./known.js").Known} parts.known
 */
export function createChanges({ api, known }) {
    /**
     * The tag of something that is about to be changed.
     * @param {string} path
     * @param {string | null} tag As it is known; null where it has to be asked for.
     * @returns {Promise<string>}
     */
    async function tagOf(path, tag) {
        const found = tag ?? (await api.get(path)).tag;
        if (found === null) throw new Error(`${path} has no tag.`);
        return found;
    }

    /**
     * What somebody else has changed meanwhile stays, and the order is the person's wish all the same.
     * @param {string} path
     * @param {string[]} order
     * @param {string | null} tag Of the list as it is known; null where it has to be asked for.
     * @returns {Promise<{data: Parameter[], tag: string | null}>}
     */
    async function putOrder(path, order, tag) {
        const ifMatch = await tagOf(path, tag);
        try {
            return await api.put(`${path}/order`, { order }, { ifMatch });
        } catch (error) {
            if (tag === null || !isProblem(error) || error.status !== 412) throw error;
            return await putOrder(path, order, null);
        }
    }

    /**
     * The id of the last alert about something; null when there is none.
     * @param {import("../water/snoozes.js").Subject} subject
     * @returns {Promise<string | null>}
     */
    async function alertOf({ device, kind, parameter, side }) {
        const { data } = await api.get("/alerts", { query: { device, kind, parameter, limit: 200 } });
        const found = data.items.find((/** @type {import("../water/alerts.js").Alert} */ alert) => alert.parameter === parameter && alert.side === side);
        return found?.id ?? null;
    }

    /**
     * @param {string} device
     * @param {string[]} order
     * @param {string | null} tag
     */
    function setOrder(device, order, tag) {
        const items = order.flatMap((name) => known.listOf(device).find((parameter) => parameter.name === name) ?? []);
        known.setList(device, { items, tag });
    }

    const changes = {
        /**
         * Changes limits, unit or colour, unless somebody else has changed them since they were read.
         * @param {string} device
         * @param {Parameter} parameter
         * @param {import("../water/limits.js").RangeChange} change
         * @returns {Promise<Parameter>}
         */
        async changeParameter(device, parameter, change) {
            const { data } = await api.patch(`/devices/${device}/parameters/${parameter.name}`, change, {
                ifMatch: `"v${parameter.version}"`,
            });
            const items = known.listOf(device).map((other) => other.name === data.name ? data : other);
            known.setList(device, { items, tag: null });
            return data;
        },

        /**
         * Gives limits of one's own up for those of the project, and their changes.
         * @param {string} device
         * @param {string} parameter
         */
        async followProject(device, parameter) {
            await api.put(`/devices/${device}/parameters/${parameter}/following`, {});
            await changes.readParameters(device);
        },

        /** @param {string} device */
        async readParameters(device) {
            const { data, tag } = await api.get(`/devices/${device}/parameters`);
            known.setList(device, { items: data, tag });
        },

        /**
         * The order shows at once, and goes back when the service refuses it.
         * @param {string} device
         * @param {string[]} order The names of all parameters.
         */
        async reorder(device, order) {
            const before = known.parameters.value.get(device);
            const former = known.listOf(device).map(({ name }) => name);
            setOrder(device, order, before?.tag ?? null);
            try {
                const { data, tag } = await putOrder(`/devices/${device}/parameters`, order, before?.tag ?? null);
                known.setList(device, { items: data, tag });
            } catch (error) {
                // Only the order: limits may have changed meanwhile.
                setOrder(device, former, known.parameters.value.get(device)?.tag ?? null);
                throw error;
            }
        },

        /** @param {string} device */
        async resetParameters(device) {
            const { data, tag } = await api.post(`/devices/${device}/parameters/reset`);
            known.setList(device, { items: data, tag });
        },

        /**
         * Takes over the limits of a preset, unless somebody else has changed any since they were read.
         * @param {string} device
         * @param {string} preset
         * @param {string | null} tag Of the list of parameters.
         */
        async applyPreset(device, preset, tag) {
            const path = `/devices/${device}/parameters`;
            const { data, tag: next } = await api.post(`${path}/preset`, { preset }, { ifMatch: await tagOf(path, tag) });
            known.setList(device, { items: data, tag: next });
        },

        /** @param {Partial<import("./known.js").Settings>} change */
        async changeSettings(change) {
            // Settings that were kept on this device are shown before they are read, and have no tag.
            const ifMatch = await tagOf("/settings", known.settingsTag);
            const { data, tag } = await api.patch("/settings", change, { ifMatch });
            known.settings.value = data;
            known.settingsTag = tag;
            known.write();
        },

        /** Reads the settings again, after somebody changed them elsewhere. */
        async readSettings() {
            const { data, tag } = await api.get("/settings");
            known.settings.value = data;
            known.settingsTag = tag;
        },

        /**
         * Snoozes or acknowledges what the person was alerted of, or cancels that.
         * @param {import("../water/snoozes.js").Subject} subject
         * @param {import("../water/snoozes.js").SnoozeLength | null} length null cancels.
         * @param {string} [alert] The id of an alert about it, where one is known.
         * @returns {Promise<boolean>} Whether there was anything to snooze: an alert of it.
         */
        async snooze(subject, length, alert) {
            const id = alert ?? await alertOf(subject);
            if (id === null) return false;
            /** @type {import("../water/snoozes.js").Snooze | null} */
            let next = null;
            if (length === null) await api.delete(`/alerts/${id}/snooze`);
            else if (length === "over") next = (await api.post(`/alerts/${id}/acknowledge`)).data;
            else next = (await api.post(`/alerts/${id}/snooze`, length)).data;
            known.setSnoozes(replaced(known.snoozes.value, subject, next));
            return true;
        },

        /**
         * Says to all who share a device what the person does about an alarm.
         * @param {import("../water/snoozes.js").Subject} subject
         * @param {import("../water/answers.js").Reply} answer
         * @returns {Promise<{onIt: import("../water/answers.js").Answer | null}>} Who is on it now, who may have been faster.
         */
        async answer(subject, answer) {
            const { device, kind, parameter, side } = subject;
            /** @type {Record<string, string>} */
            const about = { kind, ...(parameter === null ? {} : { parameter }), ...(side === null ? {} : { side }) };
            const { data } = await api.post(`/devices/${encodeURIComponent(device)}/answer`, { ...about, answer });
            known.setAnswers(withAnswer(known.answers.value, subject, data.onIt));
            return data;
        },

        /**
         * Begins work on a device's water, now.
         * @param {string} device
         * @param {import("../water/work.js").WorkKind} kind
         */
        async beginWork(device, kind) {
            const { data } = await api.put(`/devices/${encodeURIComponent(device)}/work/${crypto.randomUUID()}`, { kind });
            known.changeDevice(device, { work: data });
        },

        /**
         * Lets work last longer, or finishes it.
         * @param {string} device
         * @param {string} work
         * @param {{minutes: number} | null} longer null finishes it.
         */
        async changeWork(device, work, longer) {
            const path = `/devices/${encodeURIComponent(device)}/work/${work}/${longer ? "extend" : "finish"}`;
            const { data } = await api.post(path, longer ?? {});
            known.changeDevice(device, { work: data.endedAt === null ? data : null });
        },

        /**
         * @param {string} id
         * @param {{name?: string, latitude?: number | null, longitude?: number | null, showsOnDevice?: boolean, moves?: boolean}} change
         */
        async renameDevice(id, change) {
            const ifMatch = await tagOf(`/devices/${id}`, null);
            const { data } = await api.patch(`/devices/${id}`, change, { ifMatch });
            known.changeDevice(id, data);
        },
    };

    return {
        ...changes,
        /** @type {typeof changes.changeParameter} */
        changeParameter: (...all) => known.changed(() => changes.changeParameter(...all)),
        /** @type {typeof changes.followProject} */
        followProject: (...all) => known.changed(() => changes.followProject(...all)),
        /** @type {typeof changes.reorder} */
        reorder: (...all) => known.changed(() => changes.reorder(...all)),
        /** @type {typeof changes.resetParameters} */
        resetParameters: (...all) => known.changed(() => changes.resetParameters(...all)),
        /** @type {typeof changes.applyPreset} */
        applyPreset: (...all) => known.changed(() => changes.applyPreset(...all)),
        /** @type {typeof changes.changeSettings} */
        changeSettings: (...all) => known.changed(() => changes.changeSettings(...all)),
        /** @type {typeof changes.snooze} */
        snooze: (...all) => known.changed(() => changes.snooze(...all)),
        /** @type {typeof changes.answer} */
        answer: (...all) => known.changed(() => changes.answer(...all)),
        /** @type {typeof changes.beginWork} */
        beginWork: (...all) => known.changed(() => changes.beginWork(...all)),
        /** @type {typeof changes.changeWork} */
        changeWork: (...all) => known.changed(() => changes.changeWork(...all)),
        /** @type {typeof changes.renameDevice} */
        renameDevice: (...all) => known.changed(() => changes.renameDevice(...all)),
    };
}
