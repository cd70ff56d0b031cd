"""A device with several temperature probes: its owner says which of them is in the water."""

import re
from datetime import datetime, timedelta, timezone

from playwright.sync_api import expect

from asking import new_device, report, until
from inspection import inspect
from person import link, sign_up
from watched import Watched, require, seen

DEVICE = "two-probes"
WATER, ROOM = "AA01", "BB02"
HEADING = "Which probe is in the water"
ALERT = "0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d8e"


def walk(browser, origin):
    owner, watcher = Watched(browser), Watched(browser)
    sign_up(owner, origin, "paula@example.org")
    link(owner, new_device(DEVICE), "Koi pond")
    one(owner)
    choose(owner, origin)
    watch(owner, watcher, origin)
    replaced(owner, origin)


def open_device(page):
    page.get_by_role("link", name="Devices").click()
    page.get_by_role("link", name=re.compile(r"^Koi pond.*: name, place and sharing$")).click()
    expect(page.get_by_role("button", name="Invite somebody")).to_be_visible()


def one(owner):
    """With one probe there is nothing to choose."""
    page = owner.page
    report(DEVICE, **{WATER: 21.4})
    expect(page.get_by_role("link", name=re.compile(r"Temperature: 21\.4"))).to_be_visible()
    with page.expect_response(re.compile("/probes$")) as answered:
        open_device(page)
    require(len(answered.value.json()) == 1, "the one probe")
    expect(page.get_by_role("heading", name=HEADING)).to_be_hidden()
    seen("one probe")


def rename(owner, origin, name):
    """On another page of the owner's, which the first one hears of."""
    page = owner.open()
    page.goto(f"{origin}/devices/{DEVICE}")
    page.get_by_role("button", name=re.compile("^Name")).click()
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("h1")).to_have_text(name)
    page.close()
    expect(owner.page.locator("h1")).to_have_text(name)


def choose(owner, origin):
    """The other probe is chosen by the keyboard, and measures from then on."""
    page = owner.page
    report(DEVICE, **{WATER: 21.4, ROOM: 17.5})
    until("the other probe is noted", lambda: reported(page) == {WATER, ROOM})
    page.clock.install()
    page.reload()
    group = page.get_by_role("radiogroup", name=HEADING)
    water, room = (group.get_by_role("radio", name=re.compile(id)) for id in (WATER, ROOM))
    expect(water).to_be_checked()
    expect(group).to_contain_text("21.4")
    expect(group).to_contain_text("17.5")
    inspect(owner, "device-probes")
    use = page.get_by_role("button", name="Use this probe")
    saved = []
    page.on("request", lambda request: saved.append(request.url) if request.method == "PUT" else None)
    expect(use).to_be_hidden()
    water.focus()
    page.keyboard.press("ArrowDown")
    expect(room).to_be_checked()
    page.keyboard.press("ArrowUp")
    expect(use).to_be_hidden()
    page.keyboard.press("ArrowDown")
    expect(use).to_be_visible()
    # A row keeps its mark and the focus when the page changes around it, and nothing is saved.
    rename(owner, origin, "Koi pond, deep")
    expect(room).to_be_focused()
    expect(room).to_be_checked()
    inspect(owner, "device-probe-marked")
    require(saved == [], "nothing is saved by a mark")
    page.keyboard.press("Tab")
    expect(use).to_be_focused()
    # An answer that was on its way when the choice was saved does not take it back.
    held = []
    page.route("**/probes", lambda route: held.append((route, route.fetch())))
    page.clock.fast_forward("00:31")
    until("what probes say is read again", lambda: page.wait_for_timeout(50) or held)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"The temperature is that of {ROOM} with its next reading.")).to_be_visible()
    require(len(saved) == 1, "one request")
    for route, response in held:
        with page.expect_event("requestfinished"):
            route.fulfill(response=response)
    page.unroute("**/probes")
    page.evaluate("new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))")
    require(room.is_checked() and not water.is_checked(), "the choice stays")
    expect(room).to_be_focused()
    expect(use).to_be_hidden()
    page.reload()
    expect(room).to_be_checked()
    expect(water).not_to_be_checked()
    page.get_by_role("link", name="Water", exact=True).click()

    def follows():
        report(DEVICE, **{WATER: 21.4, ROOM: 17.6})
        page.wait_for_timeout(1_000)
        return page.get_by_role("link", name=re.compile(r"Temperature: 17\.6")).is_visible()

    until("the temperature is the other probe's", follows)
    expect(page.locator("h1")).to_have_text("All fine")
    seen("the choice of a probe")


def reported(page):
    with page.expect_response(re.compile("/probes$")) as answered:
        page.reload()
    return {probe["id"] for probe in answered.value.json()}


def watch(owner, watcher, origin):
    """Whoever watches sees the probes, and chooses none."""
    page = owner.page
    open_device(page)
    page.get_by_role("button", name="Invite somebody").click()
    page.get_by_role("button", name="Make the link").click()
    shown = page.get_by_text(re.compile(r"/join#aqw_"))
    expect(shown).to_be_visible()
    address = shown.inner_text()
    page.get_by_role("button", name="Close").click()
    sign_up(watcher, origin, "walter@example.org")
    page = watcher.page
    page.goto(address)
    page.get_by_role("button", name="Watch this device").click()
    expect(page.locator("h1")).to_have_text("Linked")
    page.goto(f"{origin}/devices/{DEVICE}")
    expect(page.get_by_text("You watch it")).to_be_visible()
    # What was reported before is not the watcher's: the probe in the water is all that they know of.
    expect(page.get_by_role("heading", name=HEADING)).to_be_hidden()

    def replace(route):
        probes = [
            {"id": ROOM, "chosen": True, "value": 17.6, "unit": "C", "reportedAt": stamp()},
            {"id": WATER, "chosen": False, "value": 21.4, "unit": "C", "reportedAt": stamp()},
        ]
        route.fulfill(json=probes)

    page.route("**/probes", replace)
    page.reload()
    expect(page.get_by_role("heading", name=HEADING)).to_be_visible()
    expect(page.get_by_text("Its owner chooses.")).to_be_visible()
    expect(page.get_by_text("21.4")).to_be_visible()
    expect(page.get_by_role("radio")).to_have_count(0)
    inspect(watcher, "device-probes-watched")
    seen("probes of a device that is watched")


def stamp(minutes=0):
    return (datetime.now(timezone.utc) - timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def replaced(owner, origin):
    """As if the probe in the water had been heard an hour ago: the device's page says so, and so does the alert of the silence."""
    page = owner.page

    def lagging(route):
        probes = route.fetch().json()
        for probe in probes:
            if probe["chosen"]:
                probe["reportedAt"] = stamp(60)
        route.fulfill(json=probes, headers={"ETag": '"o1-x"', "Content-Type": "application/json"})

    def silence(route):
        alert = {
            "id": ALERT, "kind": "silence", "purpose": "alarm", "state": "delivered", "title": "", "text": "",
            "decidedAt": stamp(), "eventTime": stamp(), "since": stamp(), "acceptedAt": None,
            "device": {"id": DEVICE, "name": "Koi pond"}, "parameter": "temperature", "side": None, "unit": None,
            "value": None, "worst": None, "limit": None, "checkProbe": True, "reasons": [], "deliveries": [],
        }
        route.fulfill(json=alert)

    page.route("**/probes", lagging)
    page.route(f"**/api/v1/alerts/{ALERT}", silence)
    page.goto(f"{origin}/alerts/{ALERT}")
    expect(page.locator("h1")).to_contain_text("Temperature is silent")
    expect(page.get_by_text("If you have replaced it, choose the other one.")).to_be_visible()
    inspect(owner, "alert-probe-replaced")
    page.get_by_role("link", name="Choose the probe").click()
    expect(page.get_by_text("If you have replaced it, choose the other one here.")).to_be_visible()
    inspect(owner, "device-probe-replaced")
    # Somebody else was faster: the tag is of no choice that is there.
    owner.allowed.append(r"412.*/probes/chosen")
    page.get_by_role("radio", name=re.compile(WATER)).check()
    page.get_by_role("button", name="Use this probe").click()
    expect(page.get_by_text(re.compile("changed elsewhere"))).to_be_visible()
    expect(page.get_by_role("radio", name=re.compile(ROOM))).to_be_checked()
    seen("a probe that was replaced")
