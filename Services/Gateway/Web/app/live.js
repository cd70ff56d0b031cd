/**
 * The stream of events: what happens, while it happens. Of several windows of one browser one has the stream and passes it
 * on to the others.
 */

import { NoAnswer, SignedOut } from "../words/problem.js";

/** @typedef {{name: string, id: string, data: any}} LiveEvent */
/** @typedef {'connecting' | 'live'} LiveState */

/**
 * @typedef {object} Listening
 * @property {import("./api.js").API} api
 * @property {(event: LiveEvent) => void} onEvent
 * @property {(state: LiveState) => void} onState
 */

/** The service sends a comment every 15 seconds when nothing else comes. */
const silence = 45_000;
const leastPause = 1_000;
const mostPause = 60_000;
/** A hidden window gives the stream up after so long; it catches up when it is seen again. */
const hiddenPatience = 60_000;
const leadership = "aqua-live";

/** @typedef {ReturnType<typeof createLive>} Live */

/** @param {Listening} listening */
export function createLive({ api, onEvent, onState }) {
    let isRunning = false;
    /** @type {AbortController | null} */
    let work = null;
    /** @type {BroadcastChannel | null} */
    let channel = null;
    let position = "";
    let heardAt = 0;
    let isLeader = false;
    /** Whether this window has been asked to read everything since it started. */
    let isCaughtUp = false;
    /** Whether the service keeps up, as it said last: a window that comes later has to know. @type {LiveEvent | null} */
    let intake = null;
    /** @type {LiveState} */
    let state = "connecting";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let hiddenTimer;
    /** Ends a pause between two attempts. @type {(() => void) | null} */
    let hurry = null;

    /** @param {LiveState} next */
    function tell(next) {
        state = next;
        onState(next);
        channel?.postMessage({ state: next, position });
    }

    /** Has the stream, or waits for it, until it is stopped. */
    async function run() {
        const own = work = new AbortController();
        const { signal } = own;
        try {
            await asLeader(signal, async () => {
                isLeader = true;
                await keepReading(signal);
            });
        } catch (error) {
            if (!signal.aborted && !(error instanceof DOMException)) throw error;
        } finally {
            isLeader = false;
        }
        if (signal.aborted) return;
        // The stream was taken over by another window, which passes it on: what still reads here ends with the lock.
        own.abort();
        if (isRunning) run();
    }

    /**
     * @param {AbortSignal} signal
     * @param {() => Promise<void>} lead
     */
    async function asLeader(signal, lead) {
        if (!navigator.locks) return await lead();
        const waiting = new AbortController();
        const stop = () => waiting.abort();
        signal.addEventListener("abort", stop, { once: true });
        // A leader that says nothing for so long is frozen: its place is taken.
        const watch = setInterval(() => {
            if (isLeader || document.hidden || Date.now() - heardAt < silence) return;
            clearInterval(watch);
            waiting.abort("steal");
        }, 5_000);
        try {
            await navigator.locks.request(leadership, { signal: waiting.signal }, () => {
                clearInterval(watch);
                return lead();
            });
        } catch (error) {
            if (waiting.signal.reason !== "steal" || signal.aborted) throw error;
            await navigator.locks.request(leadership, { steal: true }, lead);
        } finally {
            clearInterval(watch);
            signal.removeEventListener("abort", stop);
        }
    }

    /** @param {AbortSignal} signal */
    async function keepReading(signal) {
        let pause = leastPause;
        while (!signal.aborted) {
            const began = Date.now();
            try {
                await readOnce(signal);
            } catch (error) {
                if (signal.aborted || error instanceof SignedOut) return;
                const wait = /** @type {{retryAfter?: number | null}} */ (error).retryAfter;
                if (wait) pause = Math.max(pause, wait * 1000);
                if (error instanceof NoAnswer || wait) tell("connecting");
            }
            if (signal.aborted) return;
            // A stream that lasted has ended in good order: it begins again soon.
            pause = Date.now() - began > 60_000 ? leastPause : Math.min(mostPause, pause * 2);
            await sleep(pause * (0.5 + Math.random() / 2), signal);
        }
    }

    /** @param {AbortSignal} signal */
    async function readOnce(signal) {
        const attempt = new AbortController();
        const stop = () => attempt.abort();
        signal.addEventListener("abort", stop, { once: true });
        heardAt = Date.now();
        const watch = setInterval(() => {
            if (Date.now() - heardAt > silence) attempt.abort();
        }, 5_000);
        try {
            /** @type {Record<string, string>} */
            const headers = { Accept: "text/event-stream" };
            if (position) headers["Last-Event-ID"] = position;
            const response = await api.open("/live", { headers, signal: attempt.signal });
            if (!response.body) return;
            const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
            const parser = createParser((event) => {
                if (event.id) position = event.id;
                if (event.name === "intake") intake = event;
                if (event.name === "ready" || event.name === "resync") tell("live");
                pass(event);
                channel?.postMessage({ event });
            });
            for (;;) {
                const { value, done } = await reader.read();
                if (done) return;
                heardAt = Date.now();
                parser.push(value);
                channel?.postMessage({ alive: true });
            }
        } finally {
            clearInterval(watch);
            signal.removeEventListener("abort", stop);
            attempt.abort();
        }
    }

    /**
     * @param {number} duration
     * @param {AbortSignal} signal
     */
    function sleep(duration, signal) {
        return new Promise((resolve) => {
            const end = () => {
                clearTimeout(timer);
                signal.removeEventListener("abort", end);
                hurry = null;
                resolve(undefined);
            };
            const timer = setTimeout(end, duration);
            signal.addEventListener("abort", end, { once: true });
            hurry = end;
        });
    }

    /** @param {MessageEvent} message */
    function hear({ data }) {
        heardAt = Date.now();
        if (data.asks && isLeader) channel?.postMessage({ state, position, ...intake ? { event: { ...intake, id: "" } } : {} });
        if (isLeader) return;
        if (data.state) {
            if (data.position) position = data.position;
            state = data.state;
            onState(data.state);
            // What the stream told before this window listened reached the others alone.
            if (state === "live" && !isCaughtUp) pass({ name: "ready", id: "", data: {} });
        }
        if (data.event) {
            if (data.event.id) position = data.event.id;
            pass(data.event);
        }
    }

    /** @param {LiveEvent} event */
    function pass(event) {
        if (event.name === "ready" || (event.name === "resync" && event.data?.parts === undefined)) isCaughtUp = true;
        onEvent(event);
    }

    function onVisibility() {
        clearTimeout(hiddenTimer);
        if (document.hidden) hiddenTimer = setTimeout(pauseReading, hiddenPatience);
        else resumeReading();
    }

    function pauseReading() {
        work?.abort();
        work = null;
    }

    function resumeReading() {
        if (!isRunning) return;
        hurry?.();
        if (!work) run();
    }

    return {
        start() {
            if (isRunning) return;
            isRunning = true;
            isCaughtUp = false;
            heardAt = Date.now();
            if (typeof BroadcastChannel === "function") {
                channel = new BroadcastChannel(leadership);
                channel.onmessage = hear;
                channel.postMessage({ asks: true });
            }
            document.addEventListener("visibilitychange", onVisibility);
            addEventListener("online", resumeReading);
            addEventListener("pagehide", pauseReading);
            addEventListener("pageshow", resumeReading);
            run();
        },
        stop() {
            isRunning = false;
            pauseReading();
            position = "";
            clearTimeout(hiddenTimer);
            channel?.close();
            channel = null;
            document.removeEventListener("visibilitychange", onVisibility);
            removeEventListener("online", resumeReading);
            removeEventListener("pagehide", pauseReading);
            removeEventListener("pageshow", resumeReading);
        },
        /** Tries at once, instead of at the end of a pause. */
        hurry: resumeReading,
    };
}

/**
 * Makes events of a stream's text, however it is cut (WHATWG HTML §9.2.6).
 * @param {(event: LiveEvent) => void} onEvent
 */
export function createParser(onEvent) {
    let rest = "";
    let name = "";
    let id = "";
    /** @type {string[]} */
    let data = [];

    /** @param {string} line */
    function take(line) {
        if (line === "") {
            if (data.length > 0) {
                let value = null;
                try {
                    value = JSON.parse(data.join("\n"));
                } catch {
                    value = null; // an event that cannot be read is skipped
                }
                if (value !== null) onEvent({ name: name || "message", id, data: value });
            }
            name = "";
            data = [];
            return;
        }
        const colon = line.indexOf(":");
        const field = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
        if (field === "event") name = value;
        else if (field === "data") data.push(value);
        else if (field === "id") id = value;
    }

    return {
        /** @param {string} text */
        push(text) {
            rest += text;
            // A carriage return at the end may be the first half of a line's end.
            const lines = rest.split(/\r\n|\n|\r(?!$)/);
            rest = lines.pop() ?? "";
            for (const line of lines) take(line);
        },
    };
}
