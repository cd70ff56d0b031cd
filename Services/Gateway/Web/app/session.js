/**
 * Whether somebody is signed in here, and what belongs to that: the stream of events, what is kept on this device.
 */

import { signal } from "../page/signals.js";
import { SignedOut } from "../words/problem.js";
import { whileNobodyRegisters } from "./subscription-lock.js";

/** @typedef {'unknown' | 'in' | 'out'} SessionState */
/** @typedef {ReturnType<typeof createSession>} SessionKeeper */

/**
 * @param {object} parts
 * @param {import("./api.js").API} parts.api
 * @param {import("./store.js").Store} parts.store
 * @param {import("./live.js").Live} parts.live
 * @param {import("./preferences.js").Preferences} parts.preferences
 * @param {() => void} [parts.onOut] Nobody is signed in any more, and nothing of theirs is left here.
 */
export function createSession({ api, store, live, preferences, onOut = () => {} }) {
    const state = signal(/** @type {SessionState} */ ("unknown"));
    let reading = Promise.resolve();
    /** Tells the other windows of this browser. */
    const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel("aqua-session") : null;
    if (channel) {
        channel.onmessage = ({ data }) => {
            if (data === "out" && state.value === "in") end();
            if (data === "in" && state.value === "out") begin();
        };
    }

    function begin() {
        state.value = "in";
        preferences.isKnown = true;
        preferences.mark("session", true);
        live.start();
        // The stream asks to read everything once it stands; this does not wait for it.
        reading = store.refresh().catch(() => {});
    }

    /** @param {() => Promise<unknown>} [leave] Takes away what else there is of theirs. */
    async function end(leave) {
        state.value = "out";
        preferences.mark("session", false);
        live.stop();
        api.forget();
        await store.clear();
        navigator.clearAppBadge?.().catch(() => {});
        try {
            await leave?.();
        } finally {
            onOut();
        }
    }

    return {
        state,

        /** Resolves once everything was read that is read at the beginning, or was not to be had. */
        read: () => reading,

        /** Finds out whether somebody is signed in: from what is kept here, else from the service. */
        async start() {
            // Who has never signed in here, or has signed out, has no session to renew, and nothing of theirs is kept.
            if (!preferences.has("session")) {
                // Another window may have signed out since this one asked for the renewal.
                api.forget();
                state.value = "out";
                return onOut();
            }
            if (await store.recall()) return begin();
            try {
                await api.token();
                begin();
            } catch (error) {
                // Without an answer nobody knows, and the home screen says so; who was signed in is not asked to sign in.
                if (!(error instanceof SignedOut)) return begin();
                state.value = "out";
                onOut();
            }
        },

        /**
         * @param {string} email
         * @param {string} password
         */
        async signIn(email, password) {
            await store.clear();
            await api.signIn(email, password, preferences.client);
            begin();
            channel?.postMessage("in");
        },

        /** Takes up the session that the sign-in provider has opened here, in a cookie that no script reads. */
        async takeUp() {
            live.stop();
            api.forget();
            await store.clear();
            await api.token();
            begin();
            channel?.postMessage("in");
        },

        /**
         * Ends the session. Without an answer it goes on at the service, and the person is told.
         * @param {() => Promise<unknown>} [leave] Takes away what else there is of theirs.
         */
        async signOut(leave) {
            await whileNobodyRegisters(api.signOut);
            channel?.postMessage("out");
            await end(leave);
        },

        /**
         * The service says that the session has ended.
         * @param {() => Promise<unknown>} [leave] Takes away what else there is of theirs.
         */
        async ended(leave) {
            if (state.value !== "in") return;
            channel?.postMessage("out");
            await end(leave);
        },
    };
}
