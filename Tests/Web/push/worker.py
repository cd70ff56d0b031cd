"""The service worker's handlers, in a real Chromium: messages are handed to it by the browser's protocol, as if a push service had.

worker.py ORIGIN PUSH-SERVICE EMAIL PASSWORD     ends with 0 when everything was seen

The tests' owner has announced a key to subscribe with. What Chromium's own push service would do, which is far away, the worker is
given instead: subscriptions at PUSH-SERVICE.
"""

import json
import os
import re
import sys
import time
import traceback

from playwright.sync_api import expect, sync_playwright

PATIENCE = 120_000
CHROMIUM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser", "chromium")
expect.set_options(timeout=PATIENCE)

UNKNOWN = {"title": "AquaMonitor", "body": "", "tag": "unknown", "path": "/alerts"}

SHOWN = """navigator.serviceWorker.ready.then((registration) => registration.getNotifications()).then((all) =>
    all.map((one) => ({ title: one.title, body: one.body, lang: one.lang, dir: one.dir, tag: one.tag, renotify: one.renotify,
        silent: one.silent, timestamp: one.timestamp, requireInteraction: one.requireInteraction, icon: one.icon, badge: one.badge,
        data: one.data })))"""

CLEAR = """navigator.serviceWorker.ready.then((registration) => registration.getNotifications()).then((all) =>
    all.forEach((one) => one.close()))"""

# Chromium forgets a notification whose list is asked for while it is being shown, so that the list is asked for afterwards.
COUNT = """() => {
    self.shows = 0;
    const show = ServiceWorkerRegistration.prototype.showNotification;
    ServiceWorkerRegistration.prototype.showNotification = async function (...all) {
        await show.apply(this, all);
        self.shows += 1;
    };
}"""

# Subscriptions as a push service near by would give them.
NEARBY = """(address) => {
    self.made = [];
    self.ended = 0;
    let present = null;
    const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    PushManager.prototype.getSubscription = async () => present;
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
        const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
        const made = {
            endpoint: `${address}/push/${crypto.randomUUID()}`,
            keys: { p256dh: text(await crypto.subtle.exportKey("raw", pair.publicKey)), auth: text(crypto.getRandomValues(new Uint8Array(16))) },
        };
        self.made.push({ userVisibleOnly, applicationServerKey, endpoint: made.endpoint });
        present = { toJSON: () => made, unsubscribe: async () => { self.ended += 1; present = null; return true; } };
        return present;
    };
}"""

CHANGE = """() => new Promise((resolve, reject) => {
    const event = new ExtendableEvent("pushsubscriptionchange");
    const waitUntil = event.waitUntil.bind(event);
    self.changes = [];
    Object.defineProperty(event, "waitUntil", { value: (promise) => self.changes.push(promise) });
    self.dispatchEvent(event);
    resolve(self.changes.length);
})"""


class Failed(Exception):
    """Something was not as it should be."""


def require(condition, what, *found):
    if not condition:
        raise Failed(f"{what}: {found}")


def until(page, what, look):
    deadline = time.monotonic() + PATIENCE / 1000
    while not (found := look()):
        if time.monotonic() > deadline:
            raise Failed(f"{what} did not come")
        page.wait_for_timeout(50)
    return found


def seen(what):
    print("seen:", what, flush=True)


class Worker:
    """The app's service worker, and the page that it belongs to."""

    def __init__(self, context, page, origin):
        self.context = context
        self.page = page
        self.origin = origin
        self.registrations = []
        self.protocol = context.new_cdp_session(page)
        self.protocol.on("ServiceWorker.workerRegistrationUpdated", lambda told: self.registrations.extend(told["registrations"]))
        self.protocol.send("ServiceWorker.enable")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        self.id = until(page, "the worker's registration", lambda: self.registrations)[-1]["registrationId"]
        self.world.evaluate(COUNT)

    @property
    def world(self):
        return until(self.page, "the worker", lambda: [one for one in self.context.service_workers if one.url.endswith("/sw.js")])[-1]

    def push(self, text):
        """Hands over a message, and waits until something is shown for it. Returns all that is shown then."""
        before = self.world.evaluate("self.shows")
        self.protocol.send("ServiceWorker.deliverPushMessage", {"origin": self.origin, "registrationId": self.id, "data": text})
        until(self.page, f"a notification for {text!r}", lambda: self.world.evaluate("self.shows") > before)
        return self.page.evaluate(SHOWN)

    def shown(self, text, tag):
        """What a message shows, alone."""
        self.page.evaluate(CLEAR)
        until(self.page, "an empty screen", lambda: self.page.evaluate(SHOWN) == [])
        all_shown = self.push(text)
        require(len(all_shown) == 1 and all_shown[0]["tag"] == tag, f"one notification for {text!r}", all_shown)
        return all_shown[0]


def message(**parts):
    return json.dumps({
        "web_push": 8030,
        "notification": {
            "title": "Koi: 水温", "body": "87.8 °F", "lang": "ja", "dir": "ltr", "tag": "one", "renotify": True, "silent": False,
            "timestamp": 1_800_000_000_000, "data": {"alert": "5_1", "device": "tank-1", "purpose": "alarm"}, **parts,
        },
    })


def sign_in(page, origin, email, password):
    page.goto(f"{origin}/sign-in")
    page.get_by_label("Email").fill(email)
    page.get_by_role("textbox", name="Password").fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.locator("h1")).to_have_text("No device yet")


def messages(worker, origin):
    page = worker.page
    page.evaluate("() => { window.told = []; navigator.serviceWorker.addEventListener('message', (event) => window.told.push(event.data)); }")
    shown = worker.shown(message(navigate=f"{origin}/alerts/5_1"), "one")
    expected = {
        "title": "Koi: 水温", "body": "87.8 °F", "lang": "ja", "dir": "ltr", "tag": "one", "renotify": True, "silent": False,
        "timestamp": 1_800_000_000_000, "requireInteraction": True, "icon": f"{origin}/icons/icon-192.png", "badge": f"{origin}/icons/badge-96.png",
        "data": {"alert": "5_1", "device": "tank-1", "purpose": "alarm", "path": "/alerts/5_1"},
    }
    require(shown == expected, "a message is shown as it says", shown)
    until(page, "the window is told", lambda: page.evaluate("window.told.some((one) => one.pushed?.alert === '5_1')"))
    seen("a message is shown as it says, and the window is told")

    [shown] = worker.push(message(body="the same once more"))
    require(shown["body"] == "the same once more", "the same again", shown)
    require(not shown["renotify"], "one that comes twice buzzes once", shown)
    [shown] = worker.push(message(body="a reminder", data={"alert": "5_2", "purpose": "reminder"}))
    require(shown["body"] == "a reminder", "a reminder", shown)
    require(shown["renotify"], "a reminder buzzes", shown)
    seen("a reminder buzzes again, a repetition does not")

    [shown] = worker.push(message(title="Koi: fine", renotify=False, data={"purpose": "recovery"}))
    require(shown["title"] == "Koi: fine", "the all-clear", shown)
    require(not shown["requireInteraction"] and not shown["renotify"], "an all-clear goes away by itself", shown)
    seen("the all-clear replaces its alarm")

    for text in (
        "", "not JSON", "null", "[]", "5", '{"web_push":8030}', '{"web_push":8030,"notification":{"title":5}}',
        '{"web_push":8031,"notification":{"title":"x","tag":"x"}}', '{"notification":{"title":"x","tag":"x"}}',
        message(dir="sideways"), message(title=None),
    ):
        shown = worker.shown(text, "unknown")
        found = {"title": shown["title"], "body": shown["body"], "tag": shown["tag"], "path": shown["data"]["path"]}
        require(found == UNKNOWN, f"the unknown notice for {text!r}", found)
    seen("whatever comes, something is shown")

    for navigate in (
        "https://evil.example/alerts/1", "//evil.example/x", f"{origin}//evil.example/x", "javascript:alert(1)", "data:text/html,x",
        "http://[", "https://127.0.0.1/alerts/1", None,
    ):
        shown = worker.shown(message(navigate=navigate), "one")
        require(shown["data"]["path"] == "/alerts", f"where {navigate} leads", shown["data"])
    require(worker.shown(message(navigate="/alerts/5_2"), "one")["data"]["path"] == "/alerts/5_2", "a path of ours")
    # The data of a message name no other path.
    shown = worker.shown(message(navigate="/alerts/5_2", data={"path": "//evil.example/x"}), "one")
    require(shown["data"]["path"] == "/alerts/5_2", "the path", shown["data"])
    seen("a message leads nowhere but into the app")


def press(worker, origin):
    page = worker.page
    worker.shown(message(navigate=f"{origin}/alerts"), "one")
    worker.world.evaluate("""async () => {
        const [notification] = await self.registration.getNotifications();
        self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
    }""")
    expect(page.locator("h1")).to_have_text("Alerts")
    require(page.url == f"{origin}/alerts", "the open window goes there", page.url)
    until(page, "a closed notification", lambda: page.evaluate(SHOWN) == [])
    require(len(worker.context.pages) == 1, "no other window", worker.context.pages)
    seen("a press leads the open window there")


def endpoint_of(page):
    """What the service has registered for this installation: asked with a token of the page's own."""
    return page.evaluate("""async () => {
        const token = await navigator.locks.request("aqua-renewal", async () => {
            const answer = await fetch("/api/v1/sessions/renewal", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
            if (answer.status === 401) return null;
            if (!answer.ok) throw new Error(await answer.text());
            return (await answer.json()).accessToken;
        });
        if (token === null) return "signed out";
        const answer = await fetch("/api/v1/push-subscription", { headers: { Authorization: `Bearer ${token}` } });
        if (!answer.ok) throw new Error(await answer.text());
        return await answer.json();
    }""")


def register(worker, push_service):
    """As a person does who turns alerts on: through the app's own code, with the nearby push service."""
    worker.page.evaluate(f"({NEARBY})({json.dumps(push_service)})")
    worker.world.evaluate(NEARBY, push_service)
    page = worker.page
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Notifications").click()
    page.get_by_role("button", name="Turn on alerts").click()
    expect(this_device(page)).to_be_visible()


def this_device(page):
    """The row of the browser itself, among the ways that reach the person."""
    return page.get_by_role("link", name=re.compile("^This device"))


def change(worker, push_service):
    page = worker.page
    before = endpoint_of(page)["endpoint"]
    require(before is not None, "the browser is registered")
    # A window is about to renew the session: the worker has to wait, for a token that comes twice ends it.
    page.evaluate("""() => new Promise((begun) => {
        navigator.locks.request("aqua-renewal", () => { begun(); return new Promise((release) => window.release = release); });
    })""")
    require(worker.world.evaluate(CHANGE) == 1, "the event is waited for")
    until(page, "the worker waits for the session", lambda: page.evaluate(
        "navigator.locks.query().then(({ pending }) => pending.some(({ name }) => name === 'aqua-renewal'))"))
    held = page.evaluate("navigator.locks.query().then(({ held }) => held.map(({ name }) => name))")
    require({"aqua-renewal", "aqua-subscription"} <= set(held), "what is held meanwhile", held)
    require(worker.world.evaluate("self.made.length") == 0, "nothing is subscribed before")
    page.evaluate("window.release()")
    worker.world.evaluate("() => Promise.all(self.changes)")
    [made] = worker.world.evaluate("self.made")
    after = endpoint_of(page)
    require(made["userVisibleOnly"] is True and made["applicationServerKey"] == after["applicationServerKey"], "how it subscribed", made)
    require(after["endpoint"]["id"] != before["id"] and after["endpoint"]["state"] == "active", "registered anew", before, after)
    seen("the worker registers a new subscription, and waits for its turn")

    # Again and again while the window renews its session: nobody is signed out by that.
    for _ in range(8):
        worker.world.evaluate(CHANGE)
        require(endpoint_of(page)["endpoint"] is not None, "the session goes on")
        worker.world.evaluate("() => Promise.all(self.changes)")
    require(worker.world.evaluate("self.ended") == 8, "the subscription before is ended", worker.world.evaluate("self.ended"))
    seen("the session outlives it")


def strangers(worker):
    """Who turned alerts off, or signed out, is not registered by the worker."""
    page = worker.page
    made = worker.world.evaluate("self.made.length")
    # It has been registered anew since the ways were listed.
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Notifications").click()
    this_device(page).click()
    page.get_by_role("switch", name="Alerts on this device").click()
    expect(page.get_by_role("button", name="Turn on alerts")).to_be_visible()
    worker.world.evaluate(CHANGE)
    worker.world.evaluate("() => Promise.all(self.changes)")
    require(worker.world.evaluate("self.made.length") == made, "turned off stays off")
    page.get_by_role("button", name="Turn on alerts").click()
    expect(this_device(page)).to_be_visible()
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Account").click()
    page.get_by_role("button", name="Sign out", exact=True).first.click()
    page.get_by_role("alertdialog").get_by_role("button", name="Sign out").click()
    expect(page.locator("h1")).to_have_text("AquaMonitor")
    worker.world.evaluate(CHANGE)
    worker.world.evaluate("() => Promise.all(self.changes)")
    require(worker.world.evaluate("self.made.length") == made, "signed out stays out")
    require(endpoint_of(page) == "signed out", "signed out")
    seen("nobody is registered who does not want it")


def main():
    origin, push_service, email, password = sys.argv[1:]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(locale="en-GB", viewport={"width": 390, "height": 844}, reduced_motion="reduce")
        context.set_default_timeout(PATIENCE)
        context.grant_permissions(["notifications"], origin=origin)
        page = context.new_page()
        faults = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        try:
            sign_in(page, origin, email, password)
            worker = Worker(context, page, origin)
            messages(worker, origin)
            press(worker, origin)
            register(worker, push_service)
            change(worker, push_service)
            strangers(worker)
            require(not faults, "no errors", faults)
        except Exception:
            traceback.print_exc()
            print("at", page.url, json.dumps(page.locator("body").inner_text()[:2000]), faults, file=sys.stderr)
            sys.exit(1)
        finally:
            browser.close()
    print("all seen", flush=True)


main()
