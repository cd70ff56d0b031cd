"""Areas of the service's own map, kept on this device: how near is asked before, the queue is seen and paused and goes on after a reload, and what
is kept is deleted. The service is a stand-in, whose tiles come when the walk lets them.
"""

import re

from playwright.sync_api import expect

from asking import until
from inspection import inspect, open_in, photograph, require_narrow
from many import Service, serving
from tiles import picture
from watched import Watched, require, seen

PLACES = {"tank-000": (48.21, 16.37), "tank-001": (48.24, 16.42)}
TILE = re.compile(r"/tiles/(\d+)/(\d+)/(\d+)[?]v=1$")
OWN = {"leastZoom": 0, "mostZoom": 15, "west": 15.0, "south": 47.0, "east": 18.0, "north": 49.0, "tileBytes": 20_000}
SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
// The stand-in has no service worker; what that answers has a test of its own.
Object.defineProperty(navigator.serviceWorker, "controller", { get: () => ({}) });
"""
KEPT = """
async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith("map-"));
    return (await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).length))).reduce((sum, count) => sum + count, 0);
}
"""

# As phones tell what they are connected by.
CELLULAR = """
const listeners = [];
const connection = { type: "cellular", addEventListener: (_, listener) => listeners.push(listener), turn: (type) => { connection.type = type; for (const one of listeners) one(); } };
Object.defineProperty(navigator, "connection", { get: () => connection });
"""
# All areas are 34 days older.
AGED = """
() => new Promise((resolve, reject) => {
    const opening = indexedDB.open("aquamonitor", 1);
    opening.onerror = reject;
    opening.onsuccess = () => {
        const store = opening.result.transaction("kept", "readwrite").objectStore("kept");
        const asked = store.get("part areas");
        asked.onsuccess = () => store.put(asked.result.map((area) => ({ ...area, at: area.at - 34 * 86400000 })), "part areas");
        store.transaction.oncomplete = () => (opening.result.close(), resolve());
    };
})
"""


class Atlas(Service):
    def device(self, name):
        latitude, longitude = PLACES[name]
        return {**super().device(name), "latitude": latitude, "longitude": longitude}

    def answer(self, method, path, query, body):
        if path == "/account":
            return {**super().answer(method, path, query, body), "createdAt": "2026-01-01T00:00:00.000001Z"}
        if path == "/map":
            return {"tiles": "/tiles/{z}/{x}/{y}?v=1", "attribution": "© Map contributors", "attributionLink": None, "own": OWN}
        return super().answer(method, path, query, body)


class Tiles:
    """What the app asks for, answered at once or later."""

    def __init__(self, context):
        self.asked, self.held, self.holds, self.image = [], [], False, picture()
        context.route(re.compile("/tiles/"), self.answer)

    def answer(self, route):
        require(TILE.search(route.request.url), f"no tile: {route.request.url}")
        self.asked.append(TILE.search(route.request.url).groups())
        if self.holds:
            self.held.append(route)
        else:
            route.fulfill(status=200, content_type="image/png", body=self.image)

    def release(self):
        self.holds, held, self.held = False, self.held, []
        for route in held:
            route.fulfill(status=200, content_type="image/png", body=self.image)


def walk(browser, _):
    with serving(2, Atlas) as (service, origin):
        watched = Watched(browser, service_workers="block", locale="en-GB")
        watched.context.add_init_script(SIGNED_IN)
        watched.allowed.append(r"ERR_EMPTY_RESPONSE|ERR_CONNECTION")
        tiles = Tiles(watched.context)
        saved(watched, tiles, origin)
        paused(watched, tiles, origin)
        away(watched, service, origin)
        renewed(watched, tiles, origin)
        deleted(watched)
        languages(watched, service, origin)


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def card(page, name):
    return page.locator(".area").filter(has_text=name)


def open_map(page, origin):
    page.goto(f"{origin}/devices/chart")
    expect(page.get_by_text("this service's own")).to_be_visible()
    expect(page.locator(".map-tile[data-here]").first).to_be_visible()


def ask_for(page, name):
    button(page, "Save this area").click()
    sheet = page.get_by_role("dialog", name="Save this area")
    sheet.get_by_label("What it is called").fill(name)
    return sheet


def saved(watched, tiles, origin):
    """The part that is in the window, as near as it is shown."""
    page = watched.page
    open_map(page, origin)
    inspect(watched, "own-map")
    button(page, "Sample here").click()
    page.locator(".map-window").press("Enter")
    expect(page.get_by_role("dialog", name="Sample here")).to_contain_text("No place of yours is within 200 m")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    sheet = ask_for(page, "Danube park")
    expect(sheet.get_by_text(re.compile("^About .* pictures[.]$"))).to_be_visible()
    size = sheet.get_by_text(re.compile("^About")).inner_text()
    sheet.get_by_role("button", name="Closer").click()
    require(sheet.get_by_text(re.compile("^About")).inner_text() != size, "closer takes as much")
    inspect(watched, "save-area")
    sheet.get_by_role("button", name="As it is now").click()
    sheet.get_by_role("button", name="Save it").click()
    page.wait_for_url("**/saved-maps")
    expect(card(page, "Danube park")).to_contain_text(re.compile("saved on"))
    count = page.evaluate(KEPT)
    require(count > 10 and {int(z) for z, _, _ in tiles.asked} >= set(range(0, 10)), f"{count} tiles of {tiles.asked}")
    seen("an area is saved, from the widest level on")


def paused(watched, tiles, origin):
    """A queue that is on its way when the app is closed goes on when it is opened, until somebody pauses it."""
    page = watched.page
    open_map(page, origin)
    sheet = ask_for(page, "Old harbour")
    sheet.get_by_role("button", name="Closer").click()
    tiles.holds = True
    before = len(tiles.asked)
    sheet.get_by_role("button", name="Save it").click()
    page.wait_for_url("**/saved-maps")
    until("two tiles are on their way", lambda: page.evaluate("1") and len(tiles.asked) == before + 2)
    inspect(watched, "saved-maps")
    page.reload()
    until("it goes on by itself", lambda: page.evaluate("1") and len(tiles.asked) == before + 4)
    harbour = card(page, "Old harbour")
    harbour.get_by_role("button", name="Pause").click()
    expect(harbour).to_contain_text("Paused at 0 %")
    tiles.release()
    page.reload()
    expect(card(page, "Old harbour")).to_contain_text("Paused at 0 %")
    require(len(tiles.asked) == before + 4, "a pause asks for nothing")
    card(page, "Old harbour").get_by_role("button", name="Go on").click()
    expect(card(page, "Old harbour")).to_contain_text("saved on")
    seen("a queue is paused, and goes on")


def away(watched, service, origin):
    """The map is known where nobody answers."""
    service.is_away = True
    open_map(watched.page, origin)
    service.is_away = False
    seen("the map without the service")


def renewed(watched, tiles, origin):
    """An old one says how old it is, and is brought anew; by Wi-Fi alone where somebody wishes it, and their phone says what it is connected by."""
    page = watched.page
    page.goto(f"{origin}/saved-maps")
    expect(card(page, "Danube park")).to_contain_text("saved on")
    expect(page.get_by_role("switch", name="Download on Wi-Fi only")).to_have_count(0)
    page.evaluate(AGED)
    page.add_init_script(CELLULAR)
    page.goto(f"{origin}/saved-maps")
    park = card(page, "Danube park")
    expect(park).to_contain_text("34 d old")
    inspect(watched, "saved-maps-old")
    page.get_by_role("switch", name="Download on Wi-Fi only").click()
    before = len(tiles.asked)
    button(park, "Update").click()
    expect(page.get_by_text("Waiting for Wi-Fi.")).to_be_visible()
    expect(park).to_contain_text("What was saved stays until then.")
    inspect(watched, "saved-maps-wifi")
    require(len(tiles.asked) == before, "nothing comes by another connection")
    page.evaluate("navigator.connection.turn('wifi')")
    expect(park).to_contain_text("saved on")
    expect(button(park, "Update")).to_be_hidden()
    page.get_by_role("switch", name="Download on Wi-Fi only").click()
    seen("an old area is brought anew, by Wi-Fi")


def deleted(watched):
    page = watched.page
    page.goto(page.url.replace("/devices/chart", "/saved-maps"))
    before = page.evaluate(KEPT)
    card(page, "Old harbour").get_by_role("button", name="Delete").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(page.locator(".area")).to_have_count(1)
    require(0 < page.evaluate(KEPT) < before, "its tiles are gone, and only they")
    seen("an area is deleted with its tiles")


def languages(watched, service, origin):
    page = watched.page
    for language in ("de", "es", "ja"):
        open_in(language, page, service, f"{origin}/devices/chart")
        page.locator(".map-keeping button").click()
        expect(page.locator(".segmented button")).to_have_count(3)
        require_narrow(page, f"asking for an area in {language}")
        photograph(page, f"save-area-{language}")
        page.goto(f"{origin}/saved-maps")
        expect(page.locator(".area")).to_have_count(1)
        require_narrow(page, f"saved maps in {language}")
        photograph(page, f"saved-maps-{language}")
    seen("the saved maps in other languages")
