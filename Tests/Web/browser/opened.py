"""Screens of one service with a few tanks, two of whose values are outside, opened in a language and a size."""

import contextlib

from playwright.sync_api import expect

from inspection import at_rest
from many import serving
from watched import Watched, require

PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 640}
SIDEWAYS = {"width": 844, "height": 390}
DESKTOP = {"width": 1440, "height": 900}
SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""
TANK = "tank-000"


@contextlib.contextmanager
def with_alarms():
    """The service, and its origin."""
    with serving(3) as (service, origin):
        service.outside = {(TANK, "ph"): "low", ("tank-001", "nitrate"): "high"}
        yield service, origin


def opened(browser, service, origin, path, size, language="en"):
    service.language = language
    watched = Watched(browser, viewport=size, service_workers="block")
    watched.context.add_init_script(SIGNED_IN)
    watched.page.goto(origin + path)
    expect(watched.page.locator("html")).to_have_attribute("lang", language)
    rest(watched.page)
    return watched


def rest(page):
    expect(page.locator("h1").first).to_be_visible()
    expect(page.locator("[data-waiting], [data-loading]")).to_have_count(0)
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    at_rest(page)


def closed(watched):
    watched.require_no_faults()
    watched.context.close()
    Watched.all.remove(watched)


# Texts of a drawing that touch, or leave it.
COLLIDING = """
() => [...document.querySelectorAll(".graph-svg, .air-captions, .sparkline-limits")].flatMap((drawing) => {
    const within = (drawing.closest(".card, .graph, .alert-line") ?? drawing).getBoundingClientRect();
    const texts = [...drawing.querySelectorAll("text, span")]
        .filter((text) => text.textContent !== "" && getComputedStyle(text).visibility !== "hidden" && text.getClientRects().length > 0)
        .map((text) => {
            const range = document.createRange();
            range.selectNodeContents(text);
            const { left, right, top, bottom } = range.getBoundingClientRect();
            // Boxes of lines are higher than the letters in them.
            const air = (bottom - top) * 0.15;
            return { name: text.textContent, left, right, top: top + air, bottom: bottom - air };
        });
    return texts.flatMap((one, index) => [
        ...one.left < within.left - 1 || one.right > within.right + 1 ? [`${one.name} leaves`] : [],
        ...texts.slice(index + 1)
            .filter((other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom)
            .map((other) => `${one.name} touches ${other.name}`),
    ]);
})
"""


def require_none(page, faults, name):
    """What is laid out anew with the next second may be wrong until then."""
    for _ in range(30):
        found = page.evaluate(faults)
        if not found:
            return
        page.wait_for_timeout(100)
    require(False, f"{name}: {found}")
