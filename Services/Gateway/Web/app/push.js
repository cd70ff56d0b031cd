/**
 * Alerts on this device (Web Push): whether they are possible, and registering the browser with the service.
 */

import { isTabOnApple } from "../page/installed.js";
import { isProblem } from "../words/problem.js";
import { subscriptionLock } from "./subscription-lock.js";

/**
 * An address of the person's alerts, as the service knows it.
 * @typedef {object} Endpoint
 * @property {number} id
 * @property {string} channel webhook, webPush, apns or fcm (an app), or that of a service that brings messages.
 * @property {string | null} [service] The own name of such a service.
 * @property {string} host
 * @property {'active' | 'failing' | 'paused' | 'gone'} state
 * @property {string} registeredAt
 * @property {string | null} nothingSince
 * @property {string | null} lastAcceptedAt
 * @property {string | null} [lastArrivedAt] As the browser itself said.
 * @property {number | null} [lastArrivedAfterMilliseconds]
 * @property {string | null} lastFailure
 * @property {number | null} lastStatus
 * @property {'all' | 'urgent' | 'nothing'} [reaches] For what it reaches the person now; a service of before says nothing of it.
 * @property {string | null} [unconfirmedSince] Since when it confirms nothing any more, unlike before.
 * @property {string | null} formerSecretUntil
 * @property {string | null} [form] Of a webhook, the form of what it is sent; a service of before says nothing of it.
 * @property {boolean} [heedsQuietHours] Whether alerts wait in quiet hours; a service of before says nothing of it.
 * @property {boolean} [onlyUrgent] Whether it is told of nothing but what is critical, and calls; a service of before says nothing of it.
 */

/**
 * @typedef {object} PushStanding
 * @property {'on' | 'off' | 'denied' | 'install' | 'unsupported' | 'serviceOff'} state install: an iPhone delivers only to
 *     apps on its Home Screen; denied: the person refused the browser's question.
 * @property {Endpoint | null} endpoint What this installation has registered.
 */

/** @typedef {import("./api.js").API} API */

/** The problems after which the browser has to subscribe anew. */
const anew = new Set(["push-key-unknown", "subscription-gone", "endpoint-taken"]);

function isSupported() {
    return "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
}

/** An iPhone or iPad whose browser lends push only to apps on the Home Screen. */
const needsInstallation = () => isTabOnApple() && !("PushManager" in globalThis);

/**
 * @param {API} api
 * @returns {Promise<PushStanding>}
 */
export async function standingOf(api) {
    if (needsInstallation()) return { state: "install", endpoint: null };
    if (!isSupported()) return { state: "unsupported", endpoint: null };
    const { data } = await api.get("/push-subscription");
    if (data.applicationServerKey === null) return { state: "serviceOff", endpoint: null };
    if (Notification.permission === "denied") return { state: "denied", endpoint: data.endpoint };
    // Where the service worker was refused it is never ready.
    const registration = await Promise.race([ready(), new Promise((resolve) => setTimeout(resolve, 5_000, null))]);
    if (!registration) return { state: "unsupported", endpoint: data.endpoint };
    const subscription = await registration.pushManager.getSubscription();
    return { state: subscription && data.endpoint ? "on" : "off", endpoint: data.endpoint };
}

/**
 * Asks the browser's question, which has to come from a press of the person, and registers.
 * @param {API} api
 * @returns {Promise<'on' | 'denied' | 'dismissed'>}
 */
export async function turnOn(api) {
    const permission = await Notification.requestPermission();
    if (permission === "denied") return "denied";
    if (permission !== "granted") return "dismissed";
    await exclusively(() => register(api));
    return "on";
}

/**
 * @param {API} api
 */
export async function turnOff(api) {
    await exclusively(async () => {
        await api.delete("/push-subscription");
        await (await (await ready()).pushManager.getSubscription())?.unsubscribe();
    });
}

/**
 * At each start: what the browser has is what the service knows, also after either of them changed.
 * @param {API} api
 */
export async function renew(api) {
    if (!isSupported() || Notification.permission !== "granted") return;
    await exclusively(async () => {
        const subscription = await (await ready()).pushManager.getSubscription();
        const { data } = await api.get("/push-subscription");
        if (data.applicationServerKey === null) return;
        // Whoever turned it off has neither; a browser that lost its subscription has an endpoint alone.
        if (subscription || data.endpoint) await register(api, data.applicationServerKey);
    });
}

/**
 * @param {API} api
 * @param {string} [known] The service's key, where it was asked for already.
 */
async function register(api, known) {
    const key = known ?? (await api.get("/push-subscription")).data.applicationServerKey;
    if (key === null) return;
    const { pushManager } = await ready();
    let subscription = await pushManager.getSubscription();
    if (subscription && textOf(subscription.options.applicationServerKey) !== key) {
        await subscription.unsubscribe();
        subscription = null;
    }
    subscription ??= await subscribe(pushManager, key);
    try {
        await send(api, subscription, key);
    } catch (error) {
        if (!isProblem(error) || !anew.has(error.code)) throw error;
        await subscription.unsubscribe();
        const { data } = await api.get("/push-subscription");
        await send(api, await subscribe(pushManager, data.applicationServerKey), data.applicationServerKey);
    }
}

/**
 * @param {PushManager} manager
 * @param {string} key
 */
function subscribe(manager, key) {
    return manager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) });
}

/**
 * @param {API} api
 * @param {PushSubscription} subscription
 * @param {string} key
 */
async function send(api, subscription, key) {
    const { endpoint, keys } = subscription.toJSON();
    await api.put("/push-subscription", {
        endpoint,
        p256dh: keys?.p256dh,
        auth: keys?.auth,
        applicationServerKey: key,
    });
}

/**
 * A service worker needs HTTPS, and where that is there are locks.
 * @param {() => Promise<void>} run
 */
async function exclusively(run) {
    await ready();
    await navigator.locks.request(subscriptionLock, run);
}

function ready() {
    return navigator.serviceWorker.ready;
}

/** @param {string} text In base64url. */
export function bytesOf(text) {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

/** @param {ArrayBuffer | null} bytes */
export function textOf(bytes) {
    if (!bytes) return "";
    const plain = String.fromCharCode(...new Uint8Array(bytes));
    return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
