/* The service worker: keeps the app's own files, so that it opens without a connection, and shows alerts. `BUILD` stands
 * before this text as it is served: the version, the files it consists of, and the installation's own name and pictures. What the API answers is never kept here. */

const prefix = "aqua-";
const current = prefix + BUILD.version;
const files = new Set(BUILD.files);

self.addEventListener("install", (event) => {
    event.waitUntil((async () => {
        const cache = await caches.open(current);
        // Past the browser's own cache, so that all files are of one version.
        await cache.addAll(BUILD.files.map((path) => new Request(path, { cache: "no-cache" })));
        // The first worker has nobody to wait for; a later one takes over when the person wants it.
        if (!self.registration.active) await self.skipWaiting();
    })());
});

self.addEventListener("activate", (event) => {
    event.waitUntil((async () => {
        const names = await caches.keys();
        await Promise.all(names.filter((name) => name.startsWith(prefix) && name !== current).map((name) => caches.delete(name)));
        await self.clients.claim();
    })());
});

self.addEventListener("message", (event) => {
    if (event.data?.takeOver === true) self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== self.location.origin) return;
    if (url.pathname.startsWith("/tiles/") && request.destination === "image") return event.respondWith(tile(request));
    if (url.pathname === "/api" || ["/api/", "/oidc/", "/ogc/", "/sta/"].some((root) => url.pathname.startsWith(root))) return;
    const path = request.mode === "navigate" ? "/" : url.pathname;
    if (!files.has(path)) return;
    event.respondWith((async () => {
        const cache = await caches.open(current);
        return await cache.match(path) ?? await fetch(request);
    })());
});

/**
 * A tile of the service's own map: what somebody kept is asked of nobody; without a connection one of an earlier version of the map is better
 * than none.
 */
async function tile(request) {
    const kept = await caches.match(request);
    if (kept) return kept;
    try {
        return await fetch(request);
    } catch {
        return await caches.match(request, { ignoreSearch: true }) ?? Response.error();
    }
}

// MARK: Alerts

const { icon, badge } = BUILD;
/** What a press on a notification answers by itself. */
const answers = new Set(["onIt", "snooze", "done", "tomorrow"]);
const answerPatience = 4_000;
/** The purposes of alerts that wait on the screen for somebody. */
const callsFor = new Set(["alarm", "escalation"]);

/** What is shown for a message that says nothing. */
const unknown = { title: BUILD.name, body: "", navigate: "/alerts", tag: "unknown" };

self.addEventListener("push", (event) => {
    // Something is shown whatever came: a browser gives up on an app that shows nothing.
    event.waitUntil((async () => {
        const notice = noticeOf(event.data);
        await uncover(notice).catch(() => {});
        await show(notice).catch(() => show(unknown));
        await tellArrival(notice.data?.receipt).catch(() => {});
        for (const client of await self.clients.matchAll({ type: "window" })) client.postMessage({ pushed: notice.data ?? null });
    })());
});

/**
 * What a message says. Safari shows a declarative notification by itself; other browsers hand it to this worker.
 * @param {PushMessageData | null} data
 */
function noticeOf(data) {
    try {
        const message = data?.json();
        if (message?.web_push === 8030 && typeof message.notification?.title === "string") return message.notification;
        return unknown;
    } catch {
        return unknown;
    }
}

async function show(notice) {
    const isTagged = typeof notice.tag === "string";
    // Push services may deliver one twice; the phone buzzes once.
    const present = isTagged ? await self.registration.getNotifications({ tag: notice.tag }) : [];
    const isRepeated = present.some(({ data }) => data?.alert === notice.data?.alert);
    await self.registration.showNotification(notice.title, {
        body: notice.body,
        lang: notice.lang,
        dir: notice.dir,
        tag: notice.tag,
        renotify: notice.renotify === true && isTagged && !isRepeated,
        silent: notice.silent === true,
        timestamp: notice.timestamp,
        requireInteraction: callsFor.has(notice.data?.purpose),
        actions: actionsOf(notice),
        icon,
        badge,
        data: { ...notice.data, path: pathOf(notice.navigate) },
    });
}

/**
 * Takes what a message tells anew out of those notifications that tell of several alerts at once.
 */
async function uncover({ tag, data }) {
    if (typeof tag !== "string") return;
    const told = new Set([tag, ...coversOf(data).map((cover) => cover.tag)]);
    for (const group of await self.registration.getNotifications()) {
        // The message takes the place of the one that has its own tag.
        const covers = coversOf(group.data);
        const left = covers.filter((cover) => !told.has(cover.tag));
        if (group.tag === tag || left.length === covers.length) continue;
        if (left.length === 0) group.close();
        else await self.registration.showNotification(group.title, lessened(group, left));
    }
}

/** The alerts of which a notification tells a line each; none where it tells of one alone. */
function coversOf(data) {
    return Array.isArray(data?.covers) ? data.covers : [];
}

/** A notification with some of its lines, as it is shown again, without a sound. */
function lessened({ body, tag, lang, dir, timestamp, requireInteraction, actions, data }, covers) {
    const lines = covers.flatMap(({ line }) => typeof line === "string" ? [line] : []);
    // Once it was answered it says that, in place of its lines.
    const isListed = lines.length > 0;
    // The last line says how many more there are.
    if (isListed && data.more > 0) lines.push(body.split("\n").at(-1));
    return {
        body: isListed ? lines.join("\n") : body,
        tag,
        lang,
        dir,
        timestamp,
        requireInteraction,
        actions: actions ?? [],
        renotify: false,
        silent: true,
        icon,
        badge,
        data: { ...data, covers },
    };
}

/** What can be answered without opening the app, as far as the browser has room for it. */
function actionsOf({ actions, data }) {
    if (!Array.isArray(actions) || typeof data?.answer !== "string") return [];
    const known = actions.filter(({ action, title }) => answers.has(action) && typeof title === "string");
    return known.slice(0, self.Notification?.maxActions ?? 0).map(({ action, title }) => ({ action, title }));
}

/** A path of this app, wherever the message says that it leads. */
function pathOf(address) {
    try {
        const { origin, pathname } = new URL(address ?? "/alerts", self.location.origin);
        // Two slashes in front would be another host.
        return origin === self.location.origin && !pathname.startsWith("//") ? pathname : "/alerts";
    } catch {
        return "/alerts";
    }
}

self.addEventListener("notificationclick", (event) => {
    const { action, notification } = event;
    const { data } = notification;
    if (answers.has(action) && typeof data?.answer === "string") return event.waitUntil(answer(notification, action));
    notification.close();
    event.waitUntil(open(data?.path ?? "/alerts"));
});

async function open(path) {
    const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const shown = windows.find((client) => client.visibilityState === "visible") ?? windows[0];
    if (!shown) return await self.clients.openWindow(path);
    // The app goes there by itself, without loading everything again, and also where the browser does not raise windows.
    shown.postMessage({ navigate: path });
    await shown.focus().catch(() => {});
}

/**
 * Answers by the notification's own secret, whoever is signed in here: in its place stands how it is now. What fails is answered on the
 * page of that secret.
 */
async function answer(notification, action) {
    const { title, tag, lang, dir, data } = notification;
    const { answer: token, ...others } = data;
    // What is to be done for the water is answered elsewhere than an alarm.
    const isCare = others.answers === "/care-answers";
    // The words about the answer stand in the place of the lines; the tags stay, so that later messages still find the group.
    const answered = others.covers ? { ...others, covers: coversOf(others).map((cover) => ({ tag: cover.tag })) } : others;
    let said;
    try {
        const response = await call(isCare ? "/care-answers" : "/answers", {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ token, answer: action }),
            credentials: "omit",
            // Browsers let a press open a window for a few seconds only.
            signal: AbortSignal.timeout(answerPatience),
        });
        ({ said } = await response.json());
    } catch {
        const path = isCare ? `/care/answer#${token}` : `/answer#${token}`;
        try {
            await open(path);
            notification.close();
        } catch {
            // No window may be opened so late: a press on the alert itself leads there.
            await self.registration.showNotification(title, { body: notification.body, lang, dir, tag, silent: true, icon, badge, data: { ...others, path } });
        }
        return;
    }
    // Where there is no tag, nothing takes its place.
    if (!tag) notification.close();
    await self.registration.showNotification(title, { body: said, lang, dir, tag, silent: true, icon, badge, data: answered });
    for (const client of await self.clients.matchAll({ type: "window" })) client.postMessage({ pushed: answered });
}

// MARK: The subscription

self.addEventListener("pushsubscriptionchange", (event) => {
    // What fails now, each window does when it starts.
    event.waitUntil(navigator.locks.request("aqua-subscription", resubscribe).catch(() => {}));
});

/** The browser or its push service has ended the subscription: registers another, also while no window is open. */
async function resubscribe() {
    const token = await renewSession();
    if (token === null) return;
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const { applicationServerKey, endpoint } = await (await call("/push-subscription", { headers })).json();
    // Whoever turned alerts off has no endpoint.
    if (!applicationServerKey || !endpoint) return;
    const { pushManager } = self.registration;
    // Whatever stands there may be of an older key.
    await (await pushManager.getSubscription())?.unsubscribe();
    const subscription = (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })).toJSON();
    const { p256dh, auth } = subscription.keys;
    await call("/push-subscription", {
        method: "PUT",
        headers,
        body: JSON.stringify({ endpoint: subscription.endpoint, p256dh, auth, applicationServerKey }),
    });
}

/**
 * A token of the person who is signed in here; null for nobody. The windows hold the same lock while they renew the session, sign
 * in or sign out: a refresh token that came twice would end it.
 */
async function renewSession() {
    return await navigator.locks.request("aqua-renewal", async () => {
        const headers = { "Content-Type": "application/json" };
        // The answer brings the next cookie, also when the browser ends this worker meanwhile.
        const response = await call("/sessions/renewal", { method: "POST", headers, body: "{}", keepalive: true }, [401]);
        return response.ok ? (await response.json()).accessToken : null;
    });
}

/** Tells the service that a message has arrived, by its receipt; a message of an earlier version has none. */
async function tellArrival(token) {
    if (typeof token !== "string") return;
    const headers = { "Content-Type": "application/json" };
    await call("/receipts", { method: "POST", headers, body: JSON.stringify({ token }), keepalive: true });
}

/** Asks the API; throws unless it succeeds or answers one of the statuses that are expected. */
async function call(path, init, expected = []) {
    const response = await fetch("/api/v1" + path, {
        credentials: "same-origin",
        cache: "no-store",
        redirect: "error",
        // The windows wait for the locks that are held meanwhile.
        signal: AbortSignal.timeout(30_000),
        ...init,
    });
    if (!response.ok && !expected.includes(response.status)) throw new Error(`${path}: ${response.status}`);
    return response;
}
