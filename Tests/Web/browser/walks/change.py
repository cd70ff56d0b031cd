"""What changed where: points with numbers and shapes, moments by fingers and keys, zones that are drawn, changed and removed, the table that says the same, offline
as it was known, on narrow phones, in all languages and both schemes. What is asked of the service is counted; nobody is told where the person is.
"""

import re

from playwright.sync_api import expect

from asking import until
from inspection import at_rest, inspect, open_in, photograph, require_narrow
from many import serving
from river import CHANGES, River
from tiles import picture
from watched import Watched, require, seen

DESKTOP = {"width": 1440, "height": 900}
# What screens have kept of their own of what changed.
FORGET = """
() => new Promise((resolve, reject) => {
    const opening = indexedDB.open("aquamonitor", 1);
    opening.onerror = reject;
    opening.onsuccess = () => {
        const transaction = opening.result.transaction("kept", "readwrite");
        transaction.objectStore("kept").delete(IDBKeyRange.bound("part change ", "part change \\uffff"));
        transaction.oncomplete = () => (opening.result.close(), resolve());
    };
})
"""
NO_ANSWER = r"ERR_EMPTY_RESPONSE|ERR_CONNECTION|ERR_SOCKET"
PLACE = {"latitude": 47.52, "longitude": 9.53, "accuracy": 12}
SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
// The stand-in has no service worker; what that answers has a test of its own.
Object.defineProperty(navigator.serviceWorker, "controller", { get: () => ({}) });
"""
OWN = {"leastZoom": 0, "mostZoom": 15, "west": 5.0, "south": 45.0, "east": 15.0, "north": 50.0, "tileBytes": 20_000}


def walk(browser, _):
    with serving(len(CHANGES), River) as (service, origin):
        watched = Watched(browser, service_workers="block", locale="en-GB", geolocation=PLACE, permissions=["geolocation"])
        watched.context.add_init_script(SIGNED_IN)
        service.outside[("tank-000", "dissolved_oxygen")] = "low"
        shown(watched, service, origin)
        timed(watched, service)
        listed(watched)
        placed(watched, service)
        sampled(watched, origin)
        drawn(watched, service)
        changed(watched, service)
        offline(watched, service, origin)
        kept(watched, service, origin)
        large(watched)
        dragged(watched)
        languages(watched, service, origin)


def button(page, name, exact=True):
    return page.get_by_role("button", name=name, exact=exact)


def marks(page):
    return page.locator(".change-mark")


def shown(watched, service, origin):
    """From the map of all tanks; a point has its number, a shape by how it is known, and red where its water is outside now."""
    page = watched.page
    page.goto(f"{origin}/change")
    expect(page.get_by_role("heading", name="What changed where")).to_be_visible()
    page.get_by_label("Value").select_option(label="Dissolved oxygen")
    until("it was asked for", lambda: service.wishes and service.wishes[-1]["parameter"] == "dissolved_oxygen")
    fell = page.get_by_role("button", name="Gauge 0: −2.2 ppm, fell greatly")
    expect(fell).to_have_text("−2.2")
    expect(fell).to_have_attribute("data-class", "fell3")
    expect(fell).to_have_attribute("data-outside", "")
    expect(page.get_by_role("button", name="Gauge 9: too little is known")).to_have_attribute("data-class", "none")
    expect(page.get_by_role("button", name="Gauge 2: −0.8 ppm, fell a little")).to_have_attribute("data-square", "")
    expect(page.locator(".change-name")).to_contain_text("Upper river")
    expect(page.locator(".change-legend-bounds")).to_contain_text("−2")
    inspect(watched, "change")
    fell.click()
    sheet = page.get_by_role("dialog", name="Gauge 0")
    expect(sheet).to_contain_text("8.7 → 6.5 ppm")
    expect(sheet).to_contain_text("below your limit")
    expect(sheet.get_by_role("link", name="History")).to_have_attribute("href", "/p/tank-000/dissolved_oxygen")
    expect(sheet.locator(".sparkline-line").first).to_be_visible()
    inspect(watched, "change-point")
    page.keyboard.press("Escape")
    seen("what changed where")


def timed(watched, service):
    """A distance, then the handles: what rests is asked for once, and windows never lie on each other."""
    page = watched.page
    before = len(service.wishes)
    button(page, "1 y").click()
    until("a year is asked for", lambda: len(service.wishes) == before + 1 and service.wishes[-1]["span"] == "168")
    expect(page.get_by_text(re.compile(r"^\d+ \w+ \d{4} – \d+ \w+ \d{4}$"))).to_be_visible()
    button(page, "24 h").click()
    until("a day is asked for", lambda: len(service.wishes) == before + 2 and service.wishes[-1]["span"] == "24")
    expect(page.get_by_text(re.compile(r"^\d+ \w+, [\d:]+ – \d+ \w+, [\d:]+$"))).to_be_visible()
    end = page.get_by_role("slider", name="Second moment")
    begin = page.get_by_role("slider", name="First moment")
    last = int(end.input_value())
    for _ in range(5):
        end.press("ArrowLeft")
    until("the end is five hours earlier, and so is the beginning", lambda: int(end.input_value()) == last - 5 * 3_600_000)
    require(int(end.input_value()) - int(begin.input_value()) == 86_400_000, "the distance stays")
    until("what rests is asked for once", lambda: len(service.wishes) == before + 3)
    begin.press("End")
    require(int(end.input_value()) - int(begin.input_value()) == 86_400_000, "no nearer than a day")
    begin.press("Home")
    until("a month is asked for", lambda: len(service.wishes) == before + 4)
    expect(begin).to_have_attribute("aria-valuetext", page.locator(".time-slider-texts > span").nth(1).inner_text())
    button(page, "7 d").click()
    expect(button(page, "7 d")).to_have_attribute("aria-pressed", "true")
    until("a week is asked for", lambda: len(service.wishes) == before + 5)
    seen("two moments")


def listed(watched):
    """The table has all points, those that changed most first; by name on a press."""
    page = watched.page
    rows = page.locator(".change-table tbody > tr")
    expect(rows).to_have_count(len(CHANGES))
    expect(rows.first).to_contain_text("+2.3")
    expect(rows.last).to_contain_text("Too little is known")
    button(page, "Place").click()
    expect(rows.first).to_contain_text("Gauge 0")
    button(page, "By hand only").click()
    expect(rows).to_have_count(2)
    button(page, f"All {len(CHANGES)}").click()
    expect(rows).to_have_count(len(CHANGES))
    seen("the same as a table")


def placed(watched, service):
    """The place of the phone is on the map, and in no request."""
    page = watched.page
    asked = len(service.asked)
    button(page, "Where I am").click()
    until("it is drawn", lambda: page.locator(".change-here").get_attribute("cx") is not None)
    require(len(service.asked) == asked, f"told: {service.asked[asked:]}")
    page.locator(".map-window").press("0")
    seen("where somebody is, for themselves")


def sampled(watched, origin):
    """A sample is begun at a point, at a place near a press, or where there is none yet."""
    page = watched.page
    fell = page.get_by_role("button", name="Gauge 0: −2.2 ppm, fell greatly")
    fell.click()
    expect(page.get_by_role("dialog", name="Gauge 0").get_by_role("link", name="Sample here")).to_have_attribute("href", "/field/new?device=tank-000")
    page.keyboard.press("Escape")
    begin = page.locator(".change-over").get_by_role("button", name="Sample here")
    begin.click()
    expect(page.get_by_text("Press the map where the sample is taken")).to_be_visible()
    fell.click()
    sheet = page.get_by_role("dialog", name="Sample here")
    expect(sheet.get_by_role("button", name=re.compile("m from here$"))).to_have_count(1)
    inspect(watched, "change-sample")
    page.keyboard.press("Escape")
    begin.click()
    box = page.locator(".map-window").bounding_box()
    page.mouse.click(box["x"] + 0.04 * box["width"], box["y"] + 0.9 * box["height"])
    expect(sheet).to_contain_text("No place of yours is within 200 m")
    button(sheet, "New place here").click()
    page.wait_for_url(re.compile(r"/field/new#at=47[.]\d+,9[.]\d+$"))
    expect(page.get_by_label("Name of the place")).to_be_visible()
    page.goto(f"{origin}/change")
    expect(marks(page).first).to_be_visible()
    page.locator(".map-window").press("Enter")
    expect(sheet).to_have_count(0)
    begin.click()
    page.locator(".map-window").press("Enter")
    expect(sheet).to_be_visible()
    page.keyboard.press("Escape")
    seen("a sample where the map is pressed")


def drawn(watched, service):
    """By presses, a corner taken back, and by keys; sides that cross are said; around the points that are shown."""
    page = watched.page
    button(page, "Draw a zone").click()
    panel = page.get_by_role("region", name="Draw a zone")
    window = page.locator(".map-window")
    box = window.bounding_box()
    for x, y in ((0.2, 0.2), (0.8, 0.8), (0.8, 0.2), (0.2, 0.8)):
        page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
    expect(panel).to_contain_text("Sides cross")
    expect(button(panel, "Done")).to_be_disabled()
    for _ in range(4):
        button(panel, "Take the last corner back").click()
    expect(panel).to_contain_text("0 corners")
    for keys in (["ArrowLeft"], ["ArrowUp", "ArrowRight"], ["ArrowRight"]):
        for key in keys:
            window.press(key)
        window.press("Enter")
    expect(panel).to_contain_text("3 corners")
    inspect(watched, "change-drawing")
    button(panel, "Around the places shown").click()
    expect(button(panel, "Done")).to_be_enabled()
    button(panel, "Done").click()
    sheet = page.get_by_role("dialog", name="Draw a zone")
    inspect(watched, "change-zone")
    button(sheet, "Save").click()
    expect(sheet).to_contain_text("It has no name")
    watched.faults.clear()  # the refusal is in the browser's log as well
    sheet.get_by_label("Name of the zone").fill("All of it")
    button(sheet, "Save").click()
    expect(page.locator(".change-sum")).to_contain_text("All of it")
    require(len(service.zones) == 2 and service.zones["2"]["favourite"], f"{service.zones}")
    expect(page.locator(".change-table tbody > tr")).to_have_count(len(CHANGES))
    seen("a zone by fingers, by keys, and around places")


def changed(watched, service):
    page = watched.page
    page.locator(".change-sum").get_by_role("button", name="Favourite").click()
    until("it is no favourite", lambda: not service.zones["2"]["favourite"])
    button(page, "Change the zone").click()
    sheet = page.get_by_role("dialog", name="All of it")
    sheet.get_by_label("Name of the zone").fill("Everything")
    button(sheet, "Save").click()
    expect(page.locator(".change-sum")).to_contain_text("Everything")
    require(service.zones["2"]["version"] == 3, f"{service.zones['2']}")
    button(page, "Change the zone").click()
    button(page.get_by_role("dialog", name="Everything"), "Remove the zone").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Remove the zone").click()
    until("it is gone", lambda: list(service.zones) == ["1"])
    expect(page.locator(".change-sum")).to_be_hidden()
    seen("a zone that is changed and removed")


def offline(watched, service, origin):
    """What was known last is there, and says so."""
    page = watched.page
    watched.allowed.append(NO_ANSWER)
    service.is_away = True
    button(page, "24 h").click()
    button(page, "7 d").click()
    expect(page.get_by_text("as it was known last")).to_be_visible()
    expect(marks(page).first).to_be_visible()
    service.is_away = False
    button(page, "Try again").click()
    expect(page.get_by_text("as it was known last")).to_be_hidden()
    seen("without a connection")


def kept(watched, service, origin):
    """A zone is kept with its map and its month; in a browser that has seen no month before, it is there without a connection, and says of when it is."""
    page = watched.page
    service.map = {"tiles": "/tiles/{z}/{x}/{y}?v=1", "attribution": "© Map contributors", "attributionLink": None, "own": OWN}
    watched.context.route(re.compile("/tiles/"), lambda route: route.fulfill(status=200, content_type="image/png", body=picture()))
    page.goto(f"{origin}/change")
    keep = button(page, "Save the zone on this device")
    expect(marks(page).first).to_be_visible()
    expect(keep).to_be_hidden()
    button(page, "★ Upper river").click()
    keep.click()
    sheet = page.get_by_role("dialog", name="Save this area")
    expect(sheet).to_contain_text("a month of its values")
    expect(sheet.get_by_label("What it is called")).to_have_value("Upper river")
    inspect(watched, "change-keep")
    service.wishes.clear()
    button(sheet, "Save it").click()
    page.wait_for_url("**/saved-maps")
    expect(page.locator(".area").filter(has_text="Upper river")).to_contain_text(re.compile("saved on"))
    require(service.wishes and all("bbox" in wish and wish["span"] == "24" for wish in service.wishes), f"{service.wishes}")
    inside = sum(47.50 < point["latitude"] < 47.54 and 9.50 < point["longitude"] < 9.54 for point in map(service.point, range(service.count)))
    page.evaluate(FORGET)
    service.is_away = True
    page.goto(f"{origin}/change")
    expect(page.get_by_text("as it was known last")).to_be_visible()
    expect(button(page, "30 d")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".change-table tbody > tr")).to_have_count(inside)
    marks(page).first.click()
    expect(page.get_by_role("dialog").locator(".sparkline-line").first).to_be_visible()
    inspect(watched, "change-kept")
    page.keyboard.press("Escape")
    service.is_away = False
    seen("a zone without a connection, as it was kept")


def large(watched):
    page = watched.page
    page.set_viewport_size(DESKTOP)
    at_rest(page)
    photograph(page, "change-large")
    page.set_viewport_size({"width": 390, "height": 844})


def dragged(watched):
    """What is drawn goes with the finger, and is drawn anew when it leaves."""
    page = watched.page
    at_rest(page)
    moved = "document.querySelector('.map-plane').style.transform"
    mark = marks(page).first
    before, box = mark.bounding_box(), page.locator(".map-window").bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + box["height"] - 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 70, box["y"] + box["height"] - 80, steps=3)
    until("it goes along", lambda: abs(mark.bounding_box()["x"] - before["x"] - 30) < 1.5 and abs(mark.bounding_box()["y"] - before["y"] + 20) < 1.5)
    page.mouse.up()
    until("it is drawn anew", lambda: page.evaluate(moved) == "")
    require(abs(mark.bounding_box()["x"] - before["x"] - 30) < 1.5, "and stands where it went")
    page.locator(".map-window").press("0")
    seen("a map that is dragged")


def languages(watched, service, origin):
    """The longest words fit."""
    for language in ("ja", "es", "de"):
        open_in(language, watched.page, service, f"{origin}/change")
        expect(marks(watched.page).first).to_be_visible()
        require_narrow(watched.page, f"change in {language}")
        photograph(watched.page, f"change-{language}")
    watched.require_no_faults()
    seen("in all languages")
