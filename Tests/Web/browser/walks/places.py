"""Where devices are: on the operator's map, whose pictures come from the one server that the operator chose, or do not come."""

import math
import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from asking import ask, new_device, publish, until
from inspection import at_rest, inspect, true_in
from person import link, sign_up
from tiles import serving
from watched import Watched, require, seen

DEVICE = "placed-tank"
PLACE = (48.20849, 16.37208)
TILE = re.compile(r"/v1/(\d+)/(\d+)/(\d+)[.]png[?]key=a1")
# Every place of the window, on a lattice, has a picture below it that has come.
COVERED = """
(() => {
    const box = document.querySelector(".map-window")?.getBoundingClientRect();
    const isDrawn = (part) => part.matches(".map-tile") && part.naturalWidth === 256 && getComputedStyle(part).visibility === "visible";
    const shares = [0.02, 0.25, 0.5, 0.75, 0.98];
    return box !== undefined && shares.every((x) => shares.every((y) =>
        document.elementsFromPoint(box.left + x * box.width, box.top + y * box.height).some(isDrawn)));
})()
"""
# What comes of a picture of an address of one's choice: what forbids it tells before it fails.
PICTURE = """
(address) => new Promise((resolve) => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective }) => resolve(violatedDirective), { once: true });
    const image = new Image();
    image.onload = () => resolve("loaded");
    image.onerror = () => setTimeout(() => resolve("asked for"), 500);
    image.src = address;
})
"""


def walk(browser, _):
    origin, source = ask("map").split()
    with serving(source) as tiles:
        watched = Watched(browser, ignore_https_errors=True)
        elsewhere = []
        watched.page.on("request", lambda request: request.url.startswith((origin, "blob:", "data:")) or elsewhere.append(request.url))
        sign_up(watched, origin, "mia@example.org")
        link(watched, new_device(DEVICE), "Danube pond")
        publish(DEVICE, temperature=21.4)
        place(watched)
        require(not tiles.asked and not elsewhere, f"before anybody opens the map: {tiles.paths} {elsewhere}")
        drawn(watched, origin, source, tiles)
        moved(watched, tiles)
        require(all(address.startswith(f"{source}/v1/") for address in elsewhere), f"the app asks {elsewhere}")
        forbidden(watched, source)
        failing(watched, tiles)


def place(watched):
    page = watched.page
    page.get_by_role("link", name="Devices").click()
    page.get_by_role("link", name="Danube pond: name, place and sharing").click()
    page.get_by_role("button", name=re.compile("^Place")).click()
    for name, degrees in zip(("Latitude", "Longitude"), PLACE):
        page.get_by_label(name).fill(str(degrees))
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name=re.compile(r"^Place.*48\.208, 16\.372"))).to_be_visible()


def open_map(page):
    page.get_by_role("link", name="Devices").click()
    page.get_by_role("link", name="Where they are").click()
    expect(page.locator("h1")).to_have_text("Where they are")


def tile_of(level):
    """The tile in which the device is, by the formula of Web Mercator."""
    latitude, longitude = map(math.radians, PLACE)
    x = (longitude + math.pi) / (2 * math.pi)
    y = (1 - math.asinh(math.tan(latitude)) / math.pi) / 2
    return (level, math.floor(x * 2**level), math.floor(y * 2**level))


def asked(tiles):
    """Level, column and row of each picture that was asked for."""
    found = [TILE.fullmatch(path) for path in tiles.paths]
    require(all(found), f"no tiles of the template: {tiles.paths}")
    return [tuple(map(int, one.groups())) for one in found]


def drawn(watched, origin, source, tiles):
    page = watched.page
    open_map(page)
    true_in(page, COVERED)
    mark = page.get_by_role("link", name=re.compile("^Danube pond, "))
    expect(mark.first).to_be_visible()
    expect(page.get_by_role("link", name="© Map contributors")).to_have_attribute("href", "https://map.example/copyright")
    expect(page.get_by_text(f"come from {urlsplit(source).netloc}")).to_be_visible()
    require(tile_of(15) in asked(tiles), f"the device's tile {tile_of(15)} is not among {asked(tiles)}")
    for path, headers in tiles.asked:
        require(headers.get("referer") == f"{origin}/", f"{path} is told {headers}")
        require("cookie" not in headers and "authorization" not in headers, f"{path} is told {headers}")
    inspect(watched, "map")
    seen("the map")


def moved(watched, tiles):
    page = watched.page
    require(all(level == 15 for level, _, _ in asked(tiles)), f"other levels: {asked(tiles)}")
    page.get_by_role("button", name="Look closer").click()
    until("the device's tile, closer", lambda: page.evaluate("1") and tile_of(16) in asked(tiles))
    true_in(page, COVERED)
    before = len(tiles.asked)
    page.get_by_role("group", name="Map of your devices").focus()
    # Each moves the window by a quarter.
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    until("tiles further east", lambda: page.evaluate("1") and len(tiles.asked) > before)
    true_in(page, COVERED)
    seen("closer and further east")


def forbidden(watched, source):
    """No other server than the operator's is asked for a picture, whatever the app might be made to say."""
    page = watched.page
    require(page.evaluate(PICTURE, f"{source}/v1/1/1/1.png?key=a1") == "loaded", "the operator's own picture does not come")
    watched.allowed.append(r"policy violated: img-src|violates the following Content Security Policy directive: .*img-src")
    require(page.evaluate(PICTURE, "https://localhost:9/v1/1/1/1.png?key=a1") == "img-src", "another server may be asked")
    seen("one server alone")


def failing(watched, tiles):
    """A map that has had pictures stands. Without any there are lines and a scale, and the map comes when it is asked for again."""
    page = watched.page
    tiles.has_pictures = False
    watched.allowed.append(r"500 .*/v1/\d+/\d+/\d+[.]png")
    page.get_by_role("button", name="Look closer").click()
    true_in(page, "[...document.querySelectorAll('.map-tile')].every((tile) => tile.hasAttribute('data-missing'))")
    expect(page.locator(".map")).to_be_visible()
    page.get_by_role("button", name="Back").first.click()
    open_map(page)
    expect(page.get_by_text("The map's pictures do not come.")).to_be_visible()
    expect(page.locator(".map-tile")).to_have_count(0)
    expect(page.locator(".map-lines > path")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("^Danube pond")).first).to_be_visible()
    at_rest(page)
    inspect(watched, "map-failed")
    tiles.has_pictures = True
    page.get_by_role("button", name="Try the map again").click()
    true_in(page, COVERED)
    expect(page.get_by_text("The map's pictures do not come.")).to_be_hidden()
    page.get_by_role("list").get_by_role("link", name=re.compile("^Danube pond")).last.click()
    expect(page.locator("h1")).to_have_text("Danube pond")
    seen("without pictures")
