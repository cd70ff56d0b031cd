"""The ways that reach a person, each with its last proof: one is broken, none works, a test to all of them. The service is a stand-in, since
no real way refuses for days when a walk wants it to.
"""

import re

from playwright.sync_api import expect

from asking import until
from inspection import inspect, open_in, photograph, require_narrow
from many import at, serving
from watched import Watched, require, seen

PATH = "/settings/notifications"
DAY = 86_400
SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""
# A browser that has turned alerts on.
PUSHED = """
const registration = { pushManager: { getSubscription: () => Promise.resolve({ options: {}, toJSON: () => ({}) }) }, addEventListener() {} };
const worker = Object.assign(new EventTarget(), { ready: Promise.resolve(registration), controller: null });
Object.assign(worker, { register: () => new Promise(() => {}), getRegistration: () => Promise.resolve(undefined) });
Object.defineProperty(Navigator.prototype, "serviceWorker", { get: () => worker });
Object.defineProperty(Notification, "permission", { get: () => "granted" });
"""


def walk(browser, _):
    with serving(1) as (service, origin):
        watched = opened(browser, service)
        lost(watched, service, origin)
        broken(watched, service, origin)
        one(watched)
        untaken(watched)
        mended(watched)
        tested(watched, service)
        removed(watched)
        fine(watched, service, origin)
        narrow(watched, origin)
        languages(watched, service, origin)
        on_home(watched, service, origin)


def opened(browser, service):
    watched = Watched(browser, service_workers="block", locale="en-GB")
    watched.context.add_init_script(SIGNED_IN + PUSHED)
    watched.allowed.append("404")
    service.outside = {("tank-000", "ph"): "low"}
    return watched


def way(number, channel, host, state="active", service=None, **more):
    return {
        "id": number, "channel": channel, "service": service, "host": host, "state": state, "registeredAt": at(-40 * DAY),
        "nothingSince": None, "lastAcceptedAt": None, "lastArrivedAt": None, "lastArrivedAfterMilliseconds": None, "lastFailure": None,
        "lastStatus": None, "formerSecretUntil": None, "heedsQuietHours": channel != "webhook", **more,
    }  # fmt: skip


def refusing():
    return way(6, "webhook", "farm-log.example", "failing", nothingSince=at(-3 * DAY), lastFailure="retry", lastStatus=401)


def working():
    """Ways that have taken a message: two browsers, of which the first is this one, a mailbox, ntfy and a chat."""
    arrived = {"lastAcceptedAt": at(-3600), "lastArrivedAt": at(-3599)}
    return [
        way(1, "webPush", "fcm.googleapis.com", **arrived, lastArrivedAfterMilliseconds=800),
        way(2, "webPush", "web.push.apple.com", **arrived, lastArrivedAfterMilliseconds=1400, heedsQuietHours=False),
        way(3, "email", "m…@example.org", service="E-mail", lastAcceptedAt=at(-36_000)),
        way(4, "ntfy", "ntfy.sh", service="ntfy", lastAcceptedAt=at(-36_000)),
        way(5, "telegram", "api.telegram.org", service="Telegram", lastAcceptedAt=at(-36_000)),
    ]


def shown(page, headline, lead):
    expect(page.locator("h1")).to_have_text(headline)
    expect(page.locator("header")).to_contain_text(lead)


def row(page, name):
    return page.get_by_role("link", name=re.compile(f"^{name}"))


def lost(watched, service, origin):
    """Nothing works: that is the headline, and stands above every tank."""
    page = watched.page
    page.goto(origin + PATH)
    shown(page, "Nothing reaches you", "only this page knows")
    expect(page.get_by_text("The same sentence stands above every tank")).to_be_visible()
    inspect(watched, "ways-none")
    service.ways = [refusing(), way(7, "email", "m…@example.org", "paused", service="E-mail", nothingSince=at(-DAY))]
    page.reload()
    shown(page, "Nothing reaches you", "None of your 2 ways works.")
    expect(row(page, "farm-log")).to_contain_text("refused since")
    inspect(watched, "ways-nothing")
    seen("that nothing reaches the person")


def broken(watched, service, origin):
    """The one that is broken comes first, the others with their last proof."""
    page = watched.page
    service.ways = [*working(), refusing()]
    service.here = 1
    service.bars = {6: {2: (1, 0), 6: (2, 0), 13: (1, 0), 18: (0, 2), 24: (0, 1)}, 1: {2: (1, 0), 18: (2, 0), 24: (1, 0)}}
    service.untaken = {
        6: [
            service.missed("tank-000", "ph", "low", 2 * DAY, status=401),
            service.missed("tank-000", "nitrate", "high", 3 * DAY, status=401),
            service.missed("tank-000", "dissolved_oxygen", "low", 3 * DAY + 3600, outcome="ambiguous"),
        ]
    }
    page.goto(origin + PATH)
    shown(page, "One way is broken", "farm-log.example refuses alerts. 5 others work.")
    expect(page.locator("h2").first).to_have_text("Needs a hand")
    expect(row(page, "This device")).to_contain_text(re.compile(r"Push · arrived .*, after 0\.8 s"))
    expect(row(page, "Safari")).to_contain_text("also in quiet hours")
    expect(row(page, "Telegram")).to_contain_text("accepted")
    inspect(watched, "ways")
    seen("the ways, the broken one first")


def one(watched):
    """A way says what the other side said, what mends it, and what it took."""
    page = watched.page
    row(page, "farm-log").click()
    expect(page.locator("h1")).to_have_text("farm-log.example")
    expect(page.get_by_text(re.compile("^Refused since"))).to_be_visible()
    expect(page.get_by_text("It says “401”: it does not let us in. Your other ways got all 3 alerts that it did not take.")).to_be_visible()
    expect(page.get_by_role("img", name="Last 7 days: 4 taken, 3 not taken.")).to_be_visible()
    expect(page.locator(".way-bar")).to_have_count(28)
    expect(page.locator(".way-bar-untaken")).to_have_count(2)
    expect(page.locator(".way-week li")).to_have_count(5)
    inspect(watched, "way-broken")
    seen("a way that is broken")


def untaken(watched):
    """What was not taken leads to the alert."""
    page = watched.page
    missed = page.get_by_role("link", name=re.compile("Tank 000 · .* · 401"))
    expect(missed).to_have_count(2)
    expect(page.get_by_role("link", name=re.compile("Tank 000 · .* · no answer"))).to_have_count(1)
    missed.first.click()
    page.wait_for_url("**/alerts/tank-000.ph.low")
    page.go_back()
    expect(page.locator("h1")).to_have_text("farm-log.example")
    seen("what a way did not take")


def mended(watched):
    """Another secret is shown once."""
    page = watched.page
    page.locator(".way-actions").get_by_role("button", name="New secret").click()
    expect(page.locator(".secret")).to_contain_text("whsec_")
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    seen("what mends a way")


def outcome(number, **more):
    return {"endpoint": number, "host": "a.example", "state": "pending", "endedAt": None, "arrivedAt": None, "nextAttemptAt": None, "attempts": [], **more}


def tested(watched, service):
    """A test to all: first on its way, then each with what is known of it."""
    page = watched.page
    decided = at(-30)
    test = {**service.alert("tank-000", "ph", "low"), "id": "test", "kind": "test", "purpose": "test", "decidedAt": decided}
    ended = {"state": "accepted", "endedAt": at(-28.1)}
    done = [
        outcome(1, **ended, arrivedAt=at(-29.2)),
        outcome(2, **ended, arrivedAt=at(-28.6)),
        outcome(3, **ended),
        outcome(4, state="accepted", endedAt=at(-29.6)),
        outcome(5, **ended),
        outcome(6, attempts=[{"startedAt": decided, "durationMilliseconds": 80, "outcome": "retry", "status": 401, "detail": ""}]),
    ]
    service.tested = [
        {**test, "state": "decided", "deliveries": []},
        {**test, "state": "sending", "deliveries": [outcome(number) for number in range(1, 7)]},
        {**test, "state": "sending", "deliveries": done},
    ]
    page.get_by_role("button", name="Back").click()
    page.get_by_role("button", name="Test all 6").click()
    page.wait_for_url(f"**{PATH}/tests/test")
    lines = page.locator(".told > li")
    expect(lines.first).to_contain_text("This device")
    expect(lines.first).to_contain_text(re.compile(r"0\.8 s.*arrived"))
    expect(lines.nth(2)).to_contain_text("accepted by its server")
    expect(lines.last).to_contain_text("refused: 401")
    expect(page.locator("header")).to_contain_text("5 of 6 took it")
    require(("/test-alerts", {}) in service.posted, f"no test to all: {service.posted}")
    inspect(watched, "ways-test")
    count = len(service.posted)
    page.get_by_role("button", name="Test again").click()
    until("another test is sent", lambda: len(service.posted) == count + 1)
    expect(lines).to_have_count(6)
    seen("a test to all ways")


def removed(watched):
    page = watched.page
    page.get_by_role("button", name="Back").click()
    row(page, "farm-log").click()
    page.get_by_role("button", name="Remove farm-log.example").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Remove").click()
    shown(page, "Alerts reach you", "All 5 ways work.")
    seen("a way that is removed")


def fine(watched, service, origin):
    """One that works says by whose word; one that is not there says so."""
    page = watched.page
    row(page, "This device").click()
    expect(page.get_by_text("Alerts arrive", exact=True)).to_be_visible()
    expect(page.get_by_role("switch", name="Alerts on this device")).to_be_checked()
    inspect(watched, "way")
    page.goto(f"{origin}{PATH}/99")
    expect(page.get_by_text("There is no such way.")).to_be_visible()
    page.get_by_role("link", name="All ways").click()
    shown(page, "Alerts reach you", "All 5 ways work.")
    service.ways.append(refusing())


def narrow(watched, origin):
    """Text of twice the size is not cut (WCAG 1.4.4)."""
    page = watched.page
    for path, name in ((PATH, "large-ways"), (f"{PATH}/6", "large-way"), (f"{PATH}/tests/test", "large-test")):
        page.goto(origin + path)
        expect(page.locator(".rows, .told").first).to_be_visible()
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        require_narrow(page, f"{path} with text of twice the size")
        photograph(page, name)


def languages(watched, service, origin):
    page = watched.page
    for language in ("es", "ja", "de"):
        for path, name in ((PATH, "ways"), (f"{PATH}/6", "way"), (f"{PATH}/tests/test", "test")):
            open_in(language, page, service, origin + path)
            expect(page.locator(".rows, .told > li").first).to_be_visible()
            require_narrow(page, f"{path} in {language}")
            photograph(page, f"{name}-{language}")
    service.language = "en"
    page.evaluate("localStorage.setItem('aqua-language', 'en')")
    seen("the ways in each language")


def on_home(watched, service, origin):
    """Nothing reaches the person: above everything else; one of several is broken: quietly, and not beside an alarm."""
    page = watched.page
    notices = page.locator(".home-notices a")
    page.goto(origin)
    expect(page.locator("h1")).to_have_text("pH is low")
    expect(page.get_by_text("A way to reach you is broken")).to_have_count(0)
    service.outside = {}
    page.goto(origin)
    expect(page.locator("h1")).to_have_text("All fine")
    expect(notices).to_have_text(["A way to reach you is broken: see which"])
    inspect(watched, "home-way-broken")
    service.ways = [refusing()]
    service.outside = {("tank-000", name): "low" for name in ("ph", "nitrate")}
    page.goto(origin)
    expect(notices.first).to_have_text("Nothing reaches you: see why")
    inspect(watched, "home-nothing")
    seen("whether alerts come, on the home screen")
