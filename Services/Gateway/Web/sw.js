/* The service worker: keeps the app's own files, so that it opens without a connection, and shows alerts. `BUILD` stands
 * before this text as it is served: the version and the files it consists of. What the API answers is never kept here. */

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
    if (url.pathname === "/api" || url.pathname.startsWith("/api/")) return;
    const path = request.mode === "navigate" ? "/" : url.pathname;
    if (!files.has(path)) return;
    event.respondWith((async () => {
        const cache = await caches.open(current);
        return await cache.match(path) ?? await fetch(request);
    })());
});

// MARK: Alerts

self.addEventListener("push", (event) => {
    // Something is shown whatever came: a browser gives up on an app that shows nothing.
    event.waitUntil(show(noticeOf(event.data)));
});

/**
 * What a message says. Safari shows a declarative notification by itself; other browsers hand it to this worker.
 * @param {PushMessageData | null} data
 */
function noticeOf(data) {
    const unknown = { title: "AquaMonitor", body: "", navigate: "/alerts", tag: "unknown" };
    try {
        const message = data?.json();
        if (message?.web_push === 8030 && typeof message.notification?.title === "string") return message.notification;
        return unknown;
    } catch {
        return unknown;
    }
}

async function show(notice) {
    await self.registration.showNotification(notice.title, {
        body: notice.body,
        lang: notice.lang,
        dir: notice.dir,
        tag: notice.tag,
        renotify: notice.renotify === true && typeof notice.tag === "string",
        silent: notice.silent === true,
        timestamp: notice.timestamp,
        requireInteraction: notice.data?.purpose === "alarm",
        icon: "/icons/icon-192.png",
        badge: "/icons/badge-96.png",
        data: { ...notice.data, path: pathOf(notice.navigate) },
    });
    for (const client of await self.clients.matchAll({ type: "window" })) client.postMessage({ pushed: notice.data ?? null });
}

/** A path of this app, wherever the message says that it leads. */
function pathOf(address) {
    try {
        const url = new URL(address, self.location.origin);
        return url.origin === self.location.origin ? url.pathname : "/alerts";
    } catch {
        return "/alerts";
    }
}

self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    const path = event.notification.data?.path ?? "/alerts";
    event.waitUntil((async () => {
        const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
        const open = windows.find((client) => client.visibilityState === "visible") ?? windows[0];
        if (!open) return await self.clients.openWindow(path);
        await open.focus();
        // The app goes there by itself, without loading everything again.
        open.postMessage({ navigate: path });
    })());
});

self.addEventListener("pushsubscriptionchange", (event) => {
    // Only a signed-in window may register the new subscription; each one does so when it starts.
    event.waitUntil((async () => {
        const windows = await self.clients.matchAll({ type: "window" });
        for (const client of windows) client.postMessage({ resubscribe: true });
    })());
});
