"""An installation with a name, an accent and a logo of its own: from the first screen to what a phone keeps of it, nothing names the product."""

import re

from playwright.sync_api import expect

from asking import ask
from inspection import inspect, true_in
from person import sign_up
from watched import Watched, require, seen

NAME = "Koi & Club"
# Of #7b1fa2, in the light scheme and in the dark one.
ACCENTS = {"light": "rgb(123, 31, 162)", "dark": "rgb(219, 153, 255)"}
LOGO = re.compile(r"^/brand/logo-[0-9a-f]{16}[.]svg$")
# Whatever the page says, shows in its title, or keeps for the phone.
SAID = "document.title + document.documentElement.outerHTML"


def walk(browser, _):
    origin = ask("look")
    watched = Watched(browser)
    strangers(watched, origin)
    kept(watched)
    sign_up(watched, origin, "nora@example.org")
    persons(watched, origin)


def strangers(watched, origin):
    page = watched.page
    page.goto(f"{origin}/")
    require(page.title() == NAME, f"the title is {page.title()}")
    logo(page)
    inspect(watched, "look-introduction")
    for path, heading in (("/sign-in", NAME), ("/sign-up", None)):
        page.goto(origin + path)
        expect(page.locator("h1")).to_be_visible()
        if heading:
            expect(page.locator("h1")).to_have_text(heading)
            logo(page)
            coloured(page)
        require("AquaMonitor" not in page.evaluate(SAID), f"{path} names the product")
    page.goto(f"{origin}/sign-in")
    inspect(watched, "look-sign-in")
    seen("the look at the entrance")


def logo(page):
    """It has come, under the app's own policy."""
    mark = page.locator("main img.mark")
    expect(mark).to_be_visible()
    require(LOGO.match(mark.get_attribute("src")), f"the mark is {mark.get_attribute('src')}")
    true_in(page, "document.querySelector('main img.mark').naturalWidth > 0")


def coloured(page):
    for scheme, colour in ACCENTS.items():
        page.emulate_media(color_scheme=scheme)
        accent = "getComputedStyle(document.querySelector('.button-primary')).backgroundColor"
        true_in(page, f"{accent} === '{colour}'")
    page.emulate_media(color_scheme="light")


def kept(watched):
    """What a phone has of it on its Home Screen."""
    page = watched.page
    manifest = page.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json())")
    require(manifest["name"] == manifest["short_name"] == NAME, f"the app is called {manifest['name']}")
    require(len(manifest["icons"]) == 1 and LOGO.match(manifest["icons"][0]["src"]), f"icons: {manifest['icons']}")
    answer = page.evaluate(
        "(path) => fetch(path).then((answer) => [answer.headers.get('content-type'), answer.headers.get('cache-control')])",
        manifest["icons"][0]["src"],
    )
    require(answer == ["image/svg+xml", "public, max-age=31536000, immutable"], f"the logo comes as {answer}")
    seen("what a phone keeps of the look")


def persons(watched, origin):
    page = watched.page
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator(".rail-brand")).to_have_text(NAME)
    require(page.title().endswith(NAME), f"the title is {page.title()}")
    inspect(watched, "look-home")
    page.goto(f"{origin}/settings")
    expect(page.locator("h1")).to_be_visible()
    require("AquaMonitor" not in page.evaluate(SAID), "the settings name the product")
    seen("the look of the app")
