"""Places without a device: one is added, shown by what people tested there, kept in order with its positions, and a device stands at it."""

import re

from playwright.sync_api import expect

from inspection import inspect, open_in, photograph, require_narrow
from many import MEASURED, Refused, Service, at, serving
from watched import VIEWPORT, Watched, require, seen

SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""
POND, WEIR, ADDED = "tank-000", "site-4x7k2m9q0a", "site-0000000000"
DESKTOP = {"width": 1440, "height": 900}
TEST = {"at": at(-3 * 86_400), "values": [{"parameter": "temperature", "canonicalValue": 8.2}, {"parameter": "ph", "canonicalValue": 9.4}]}
PLACES = [
    {"since": at(-86_400), "latitude": 48.20849, "longitude": 16.37208, "accuracy": 6, "source": "gps"},
    {"since": at(-9 * 86_400), "latitude": None, "longitude": None, "accuracy": None, "source": None},
    {"since": at(-20 * 86_400), "latitude": 48.2, "longitude": 16.3, "accuracy": None, "source": "typed"},
]


class River(Service):
    """A pond, and places beside it."""

    def __init__(self, tanks):
        super().__init__(tanks)
        self.sites = {WEIR: {"name": "Upper weir", "lastTest": TEST, "latitude": 48.20849, "longitude": 16.37208}}
        self.names.append(WEIR)
        self.standing = None

    def device(self, name):
        usual = {**super().device(name), "kind": "device", "accuracy": None, "source": None, "site": None, "lastTest": None}
        if name in self.sites:
            return {**usual, "kind": "site", "online": None, "lastReadingAt": None, **self.sites[name]}
        at_site = {"id": self.standing, "name": self.sites[self.standing]["name"], "since": at(-3600)} if self.standing else None
        return {**usual, "name": "Koi pond", "latitude": 48.209, "longitude": 16.373, "site": at_site}

    def answer(self, method, path, query, body):
        if path == "/readings/latest":
            return [self.latest(tank, name) for tank in self.names if tank not in self.sites for name in MEASURED]
        if (method, path) == ("POST", "/sites"):
            self.sites[ADDED] = {"name": body["name"], "lastTest": None, "latitude": body["latitude"], "longitude": body["longitude"]}
            self.names.append(ADDED)
            return self.device(ADDED)
        if path.endswith("/places"):
            return {"items": PLACES, "next": None}
        if path.endswith("/site"):
            if method == "PUT" and body["site"] == ADDED:
                raise Refused(422, "There is no such place of the same owner.", "invalid-input")
            self.standing = body["site"] if method == "PUT" else None
            return self.device(POND) if method == "PUT" else {}
        if re.fullmatch(r"/devices/[\w-]+/(probes|watchers|invitations|rejects)", path):
            return []
        if path == "/presets":
            return []
        if path == "/map":
            return {"tiles": None, "attribution": None, "attributionLink": None}
        return super().answer(method, path, query, body)


def walk(browser, _):
    with serving(1, River) as (service, origin):
        watched = Watched(browser, service_workers="block", locale="en-GB")
        watched.context.add_init_script(SIGNED_IN)
        shown(watched, origin)
        known(watched, origin)
        stands(watched, service, origin)
        added(watched, service, origin)
        languages(watched, service, origin)


def shown(watched, origin):
    """Its age is what is told, everywhere; nothing waits for a reading."""
    page = watched.page
    page.goto(f"{origin}/tanks")
    tile = page.locator(".tile", has_text="Upper weir")
    expect(tile).to_contain_text("Tested 3 d ago")
    expect(tile).to_contain_text("9.4")
    expect(page.get_by_text("1 tank, within your limits")).to_be_visible()
    inspect(watched, "tanks-site")
    page.goto(f"{origin}/devices")
    card = page.locator(".device-card", has_text="Upper weir")
    expect(card).to_contain_text("Tested 3 d ago")
    expect(page.get_by_role("link", name="Add a place")).to_be_visible()
    inspect(watched, "devices-site")
    card.locator("a").first.click()
    expect(page.locator("h1")).to_contain_text("Tested 3 d ago")
    expect(page.get_by_text("No device stands here")).to_be_visible()
    expect(page.get_by_role("link", name="Write down a test")).to_be_visible()
    inspect(watched, "home-site")
    page.set_viewport_size(DESKTOP)
    photograph(page, "home-site-desktop")
    page.set_viewport_size(VIEWPORT)
    page.goto(f"{origin}/devices/chart")
    expect(page.locator("[data-site] > .place-mark")).to_have_count(1)
    expect(page.locator(".place-mark")).to_have_count(2)
    inspect(watched, "chart-site")
    dragged(page)
    seen("a place among devices")


def dragged(page):
    """A button that is let go beside the map drags it no longer, and after a drag a mark still follows a key."""
    box = page.locator(".map-window").bounding_box()
    mark = page.locator("[data-site] > .place-mark")
    before = mark.bounding_box()["x"]
    left, low = box["x"], box["y"] + box["height"] - 60

    def moved():
        page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        return round(mark.bounding_box()["x"] - before)

    page.mouse.move(left + 2, low)
    page.mouse.down()
    page.mouse.move(left - 1, low)
    page.mouse.up()
    page.mouse.move(left + 40, low)
    require(moved() == 0, f"the map follows no pointer without a button: {moved()}")
    page.mouse.down()
    page.mouse.move(left + 60, low)
    page.mouse.up()
    require(moved() == 20, f"the map follows a pointer: {moved()}")
    mark.press("Enter")
    expect(page.locator("h1")).to_contain_text("Upper weir")


def known(watched, origin):
    page = watched.page
    page.goto(f"{origin}/devices/{WEIR}")
    expect(page.locator("h1")).to_have_text("Upper weir")
    for gone in ("Second probe", "On the move", "Last heard", "Set up the device"):
        expect(page.get_by_text(gone, exact=True)).to_have_count(0)
    inspect(watched, "site")
    page.get_by_role("button", name="Where it was").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("48.20849°, 16.37208°")
    expect(sheet).to_contain_text("now · within 6 m · by satellite")
    expect(sheet).to_contain_text("No position")
    require_narrow(page, "where a place was")
    photograph(page, "site-places")
    seen("where a place was")


def stands(watched, service, origin):
    page = watched.page
    page.goto(f"{origin}/devices/{POND}")
    row = page.get_by_role("button", name=re.compile("^Stands at"))
    expect(row).to_contain_text("At no place")
    row.click()
    inspect(watched, "stands-choice")
    page.get_by_role("dialog").get_by_role("button", name="Upper weir").click()
    expect(row).to_contain_text("Upper weir, since")
    require(("/devices/tank-000/site", {"site": WEIR}) in service.posted, "what was asked of the service")
    inspect(watched, "stands")
    page.goto(f"{origin}/devices/{WEIR}")
    expect(page.get_by_text("Devices here")).to_be_visible()
    expect(page.get_by_role("link", name="Koi pond")).to_be_visible()
    page.goto(f"{origin}/devices/{POND}")
    row.click()
    page.get_by_role("dialog").get_by_role("button", name="At no place").click()
    expect(row).to_contain_text("At no place")
    require(service.standing is None, "it stands nowhere")
    seen("a device that stands at a place")


def added(watched, service, origin):
    page = watched.page
    page.goto(f"{origin}/devices/link")
    page.get_by_role("link", name="Without a device: add a place").click()
    expect(page.locator("h1")).to_have_text("Add a place")
    inspect(watched, "add-place")
    page.get_by_role("button", name="Add the place").click()
    name = page.get_by_label("Name")
    expect(name).to_be_focused()
    name.fill("Lower shore")
    page.get_by_label(re.compile("^Latitude")).fill("48.1")
    page.get_by_role("button", name="Add the place").click()
    expect(page.get_by_label(re.compile("^Longitude"))).to_be_focused()
    page.get_by_label(re.compile("^Longitude")).fill("16.2")
    page.get_by_role("button", name="Add the place").click()
    page.get_by_role("dialog").get_by_role("button").filter(has_text=re.compile("Usual|usual|manual", re.I)).first.click()
    page.get_by_role("button", name="Add the place").click()
    expect(page.locator("h1")).to_contain_text("Not tested yet")
    asked = next(body for path, body in service.posted if path == "/sites")
    require((asked["name"], asked["latitude"], asked["source"]) == ("Lower shore", 48.1, "typed"), f"what was asked of the service: {asked}")
    inspect(watched, "home-new-site")
    seen("a place that is added")


def languages(watched, service, origin):
    page = watched.page
    for language in ("es", "ja", "de"):
        open_in(language, page, service, f"{origin}/devices/place")
        expect(page.locator("h1")).not_to_be_empty()
        require_narrow(page, f"adding a place in {language}")
        photograph(page, f"add-place-{language}")
        page.goto(f"{origin}/devices/{WEIR}")
        expect(page.locator("h1")).to_have_text("Upper weir")
        require_narrow(page, f"a place in {language}")
        photograph(page, f"site-{language}")
        page.goto(f"{origin}/")
        require_narrow(page, f"home of a place in {language}")
        photograph(page, f"home-site-{language}")
    seen("places in each language")
