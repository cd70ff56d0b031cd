/**
 * What is known of the person's water: devices, parameters, last values. It comes from the service, is brought up to date by
 * the stream of events, and is kept on this device for when there is no connection.
 */

import { fromCanonical } from "./ranges.js";
import { computed, effect, signal } from "./signals.js";

/** @typedef {import("./headline.js").Connection} Connection */
/** @typedef {import("./headline.js").Gauge} Gauge */
/** @typedef {import("./headline.js").Tank} Tank */
/** @typedef {import("./live.js").LiveEvent} LiveEvent */

/**
 * @typedef {object} Device
 * @property {string} id
 * @property {string} name
 * @property {'owner' | 'watcher'} role
 * @property {number | null} latitude
 * @property {number | null} longitude
 * @property {string} since
 * @property {boolean | null} online
 * @property {string | null} silentSince
 * @property {string | null} lastReadingAt
 */

/**
 * @typedef {object} Parameter
 * @property {string} name
 * @property {string} unit
 * @property {string[]} units
 * @property {number | null} minimum
 * @property {number | null} maximum
 * @property {boolean} hasMinimum
 * @property {number} least
 * @property {number} greatest
 * @property {number} decimals
 * @property {string} colour
 * @property {number} position
 * @property {number} version
 */

/**
 * The last value of one parameter, in its canonical unit.
 * @typedef {object} Latest
 * @property {number} value
 * @property {string} time
 * @property {import("./ranges.js").Side | null} side
 * @property {string | null} since
 */

/** @typedef {{language: string, timeZone: string, throttleSeconds: number | null, colourScheme: 'system' | 'light' | 'dark'}} Settings */
/** @typedef {{email: string, language: string, timeZone: string, createdAt: string}} Account */
/** @typedef {{items: Parameter[], tag: string | null}} ParameterList */
/** @typedef {ReturnType<typeof createStore>} Store */

/**
 * @param {object} parts
 * @param {import("./api.js").API} parts.api
 * @param {import("./disk.js").Disk} parts.disk
 */
export function createStore({ api, disk }) {
    const account = signal(/** @type {Account | null} */ (null));
    const settings = signal(/** @type {Settings | null} */ (null));
    const devices = signal(/** @type {Device[] | undefined} */ (undefined));
    const parameters = signal(/** @type {Map<string, ParameterList>} */ (new Map()));
    const latest = signal(/** @type {Map<string, Map<string, Latest>>} */ (new Map()));
    const chosen = signal(/** @type {string | null} */ (null));
    const connection = signal(/** @type {Connection} */ ({ state: "connecting", seenAt: null }));
    /** Counts the alerts that were told by the stream, for screens that list them. */
    const alertNews = signal(0);
    /** @type {string | null} */
    let settingsTag = null;
    let seenAt = 0;
    /** @type {Promise<void> | null} */
    let refreshing = null;
    let isStale = false;
    let generation = 0;

    const tanks = computed([devices, parameters, latest], () => devices.value?.map(tankOf));
    const current = computed([tanks, chosen], () => {
        const all = tanks.value;
        if (!all) return undefined;
        return all.find((tank) => tank.id === chosen.value) ?? all[0] ?? null;
    });
    const alarms = computed(
        [tanks],
        () => (tanks.value ?? []).flatMap((tank) => tank.gauges).filter((gauge) => gauge.side !== null).length,
    );

    /**
     * @param {Device} device
     * @returns {Tank}
     */
    function tankOf(device) {
        const values = latest.value.get(device.id);
        const list = parameters.value.get(device.id)?.items ?? [];
        return {
            id: device.id,
            name: device.name,
            online: device.online,
            silentSince: timeOf(device.silentSince),
            gauges: list.map((parameter) => gaugeOf(parameter, values?.get(parameter.name))),
        };
    }

    /** Everything is read again: after the start of the stream, and whenever it says so. */
    async function refresh() {
        if (refreshing) {
            isStale = true;
            return await refreshing;
        }
        const started = generation;
        refreshing = (async () => {
            do {
                isStale = false;
                await load(started);
            } while (isStale && started === generation);
        })().finally(() => refreshing = null);
        return await refreshing;
    }

    /** @param {number} started */
    async function load(started) {
        const [person, set, owned, values] = await Promise.all([
            api.get("/account"),
            api.get("/settings"),
            api.all("/devices", { query: { limit: 200 } }),
            api.get("/readings/latest"),
        ]);
        const lists = await Promise.all(owned.map(async (/** @type {Device} */ { id }) => {
            const { data, tag } = await api.get(`/devices/${id}/parameters`);
            return /** @type {[string, ParameterList]} */ ([id, { items: data, tag }]);
        }));
        if (started !== generation) return; // somebody else has signed in meanwhile
        account.value = person.data;
        settings.value = set.data;
        settingsTag = set.tag;
        parameters.value = new Map(lists);
        latest.value = newest(latestOf(values.data));
        devices.value = owned;
        keep();
    }

    /**
     * A value that came by the stream while the list was on its way is newer than the list's.
     * @param {Map<string, Map<string, Latest>>} read
     */
    function newest(read) {
        for (const [device, values] of read) {
            for (const [name, value] of values) {
                const known = latest.value.get(device)?.get(name);
                if (known && isLater(known.time, value.time)) values.set(name, { ...value, value: known.value, time: known.time });
            }
        }
        return read;
    }

    let isKeeping = false;
    /** Writes what is known to the device, at most every few seconds. */
    function keep() {
        if (isKeeping) return;
        isKeeping = true;
        const started = generation;
        setTimeout(() => {
            isKeeping = false;
            if (started === generation) write();
        }, 2_000);
    }

    function write() {
        if (!account.value) return;
        disk.set("known", {
            account: account.value,
            settings: settings.value,
            devices: devices.value,
            parameters: [...parameters.value],
            latest: [...latest.value].map(([device, values]) => [device, [...values]]),
            seenAt,
        });
    }

    // Whoever closes the app has what was last seen when it opens again.
    addEventListener("visibilitychange", () => {
        if (document.hidden) write();
    });

    /** @param {LiveEvent} event */
    function apply({ name, data }) {
        seen();
        switch (name) {
            case "reading":
                return applyReading(data);
            case "device":
                return changeDevice(data.device, {
                    online: data.online,
                    silentSince: data.online ? null : data.since,
                });
            case "episode":
                return applyEpisode(data);
            case "alert":
                alertNews.value += 1;
                return;
            case "resync":
            case "ready":
                return void refresh().catch(() => {});
        }
    }

    /** @param {{device: string, time: string, values: Record<string, number>}} reading */
    function applyReading({ device, time, values }) {
        const known = new Map(latest.value.get(device));
        for (const [name, value] of Object.entries(values)) {
            const last = known.get(name);
            if (last && isLater(last.time, time)) continue;
            known.set(name, { value, time, side: last?.side ?? null, since: last?.since ?? null });
        }
        latest.value = new Map(latest.value).set(device, known);
        const found = devices.value?.find(({ id }) => id === device);
        if (found && found.online === null) changeDevice(device, { lastReadingAt: time });
        keep();
    }

    /** @param {{device: string, parameter: string, state: string, side?: import("./ranges.js").Side, since?: string}} episode */
    function applyEpisode({ device, parameter, state, side, since }) {
        const known = new Map(latest.value.get(device));
        const last = known.get(parameter);
        if (!last) return;
        const isOpen = state === "open";
        known.set(parameter, { ...last, side: isOpen ? side ?? null : null, since: isOpen ? since ?? null : null });
        latest.value = new Map(latest.value).set(device, known);
        keep();
    }

    /**
     * @param {string} id
     * @param {Partial<Device>} change
     */
    function changeDevice(id, change) {
        devices.value = devices.value?.map((device) => device.id === id ? { ...device, ...change } : device);
        keep();
    }

    function seen() {
        seenAt = Date.now();
    }

    /** @param {string} id */
    function listOf(id) {
        return parameters.value.get(id)?.items ?? [];
    }

    /**
     * @param {string} device
     * @param {ParameterList} list
     */
    function setList(device, list) {
        parameters.value = new Map(parameters.value).set(device, list);
        keep();
    }

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
        connection,
        alertNews,
        /** All devices with what they measure, in the person's order and units; undefined until they are known. */
        tanks,
        /** The device that the home screen shows; null when there is none. */
        current,
        /** How many parameters are outside of their limits. */
        alarms,
        refresh,
        apply,
        seen,

        /** @param {string} id */
        choose(id) {
            chosen.value = id;
        },

        /** @param {string} id */
        deviceOf: (id) => devices.value?.find((device) => device.id === id) ?? null,

        /**
         * @param {string} device
         * @param {string} name
         */
        parameterOf: (device, name) => listOf(device).find((parameter) => parameter.name === name) ?? null,

        /**
         * @param {Connection['state']} state
         */
        setConnection(state) {
            const next = { state, seenAt: seenAt || connection.value.seenAt };
            if (state !== connection.value.state || state === "live") connection.value = next;
        },

        /** What was known when this was last open. @returns {Promise<boolean>} Whether somebody is signed in here. */
        async recall() {
            const known = await disk.get("known");
            const device = await disk.get("chosen");
            if (typeof device === "string") chosen.value = device;
            if (!known?.account) return false;
            account.value = known.account;
            settings.value = known.settings;
            parameters.value = new Map(known.parameters);
            latest.value = new Map(known.latest.map((/** @type {[string, [string, Latest][]]} */ [id, values]) => [id, new Map(values)]));
            devices.value = known.devices;
            seenAt = known.seenAt ?? 0;
            connection.value = { state: "connecting", seenAt: seenAt || null };
            return true;
        },

        /** Forgets everything, here and on this device. */
        async clear() {
            generation += 1;
            account.value = null;
            settings.value = null;
            settingsTag = null;
            parameters.value = new Map();
            latest.value = new Map();
            devices.value = undefined;
            chosen.value = null;
            seenAt = 0;
            connection.value = { state: "connecting", seenAt: null };
            await disk.clear();
        },

        /**
         * Keeps something for when there is no connection, such as the series of a graph.
         * @param {string} key
         * @param {unknown} value
         */
        keep: (key, value) => account.value ? disk.set(`part ${key}`, value) : Promise.resolve(undefined),
        /**
         * @param {string} key
         * @returns {Promise<any>}
         */
        kept: (key) => disk.get(`part ${key}`),

        // MARK: Changes

        /**
         * Changes limits, unit or colour, unless somebody else has changed them since they were read.
         * @param {string} device
         * @param {Parameter} parameter
         * @param {{unit?: string, minimum?: number | null, maximum?: number | null, colour?: string}} change
         * @returns {Promise<Parameter>}
         */
        async changeParameter(device, parameter, change) {
            const { data } = await api.patch(`/devices/${device}/parameters/${parameter.name}`, change, {
                ifMatch: `"v${parameter.version}"`,
            });
            const items = listOf(device).map((other) => other.name === data.name ? data : other);
            setList(device, { items, tag: null });
            return data;
        },

        /** @param {string} device */
        async readParameters(device) {
            const { data, tag } = await api.get(`/devices/${device}/parameters`);
            setList(device, { items: data, tag });
        },

        /**
         * @param {string} device
         * @param {string[]} order The names of all parameters.
         */
        async reorder(device, order) {
            const before = parameters.value.get(device);
            const items = order.flatMap((name) => listOf(device).find((parameter) => parameter.name === name) ?? []);
            setList(device, { items, tag: before?.tag ?? null });
            try {
                const { data, tag } = await api.put(`/devices/${device}/parameters/order`, { order });
                setList(device, { items: data, tag });
            } catch (error) {
                if (before) setList(device, before);
                throw error;
            }
        },

        /** @param {string} device */
        async resetParameters(device) {
            const { data, tag } = await api.post(`/devices/${device}/parameters/reset`);
            setList(device, { items: data, tag });
        },

        /**
         * @param {Partial<Settings>} change
         */
        async changeSettings(change) {
            const { data, tag } = await api.patch("/settings", change, { ifMatch: settingsTag });
            settings.value = data;
            settingsTag = tag;
            write();
        },

        /** Reads the settings again, after somebody changed them elsewhere. */
        async readSettings() {
            const { data, tag } = await api.get("/settings");
            settings.value = data;
            settingsTag = tag;
        },

        /**
         * @param {string} id
         * @param {{name?: string, latitude?: number | null, longitude?: number | null}} change
         */
        async renameDevice(id, change) {
            const { tag } = await api.get(`/devices/${id}`);
            const { data } = await api.patch(`/devices/${id}`, change, { ifMatch: tag });
            changeDevice(id, data);
        },
    };
}

/**
 * @param {Parameter} parameter
 * @param {Latest | undefined} last
 * @returns {Gauge}
 */
function gaugeOf(parameter, last) {
    const { name, unit, colour, minimum, maximum, least, greatest, decimals } = parameter;
    return {
        name,
        unit,
        colour,
        range: { minimum, maximum, least, greatest, decimals },
        value: last ? fromCanonical(last.value, unit) : null,
        time: timeOf(last?.time ?? null),
        side: last?.side ?? null,
        since: timeOf(last?.since ?? null),
    };
}

/**
 * @param {{device: string, parameter: string, time: string, canonicalValue: number, state: string, since: string | null}[]} rows
 */
function latestOf(rows) {
    /** @type {Map<string, Map<string, Latest>>} */
    const latest = new Map();
    for (const { device, parameter, time, canonicalValue, state, since } of rows) {
        const values = latest.get(device) ?? new Map();
        const side = state === "low" || state === "high" ? state : null;
        values.set(parameter, { value: canonicalValue, time, side, since });
        latest.set(device, values);
    }
    return latest;
}

/**
 * Times with and without fractions of a second do not sort as texts.
 * @param {string} one
 * @param {string} other
 */
function isLater(one, other) {
    return Date.parse(one) > Date.parse(other);
}

/** @param {string | null} text */
function timeOf(text) {
    return text === null ? null : Date.parse(text);
}
