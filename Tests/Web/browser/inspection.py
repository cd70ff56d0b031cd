"""What holds for every screen."""

import json
import os

from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from asking import until
from watched import SCHEMES, SHOTS, VIEWPORT, Failed, seen

GUIDELINES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
AXE = Axe()


def examine(page, rules):
    """What axe finds by some rules. Its half megabyte is given to each document once."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.axe_script)
    options = json.dumps({"runOnly": rules, "resultTypes": ["violations"]})
    return AxeResults(page.evaluate(f"axe.run({options})"))


def true_in(page, expression, argument=None):
    """Waits until an expression holds. The app's policy forbids what `wait_for_function` does at its second look."""
    until(expression, lambda: page.evaluate(expression, argument))


def at_rest(page):
    """Waits until what moves, or changes its colour, has come to rest."""
    true_in(page, "document.getAnimations().every((animation) => animation.playState !== 'running')")


def open_in(language, page, service, address):
    """Opens an address with the app and its service in a language."""
    service.language = language
    page.evaluate("(language) => localStorage.setItem('aqua-language', language)", language)
    page.goto(address)
    expect(page.locator("html")).to_have_attribute("lang", language)


def require_narrow(page, what):
    """Nothing may be wider than the narrowest phone (WCAG 1.4.10)."""
    page.set_viewport_size({"width": 320, "height": 640})
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if wide > 0:
        culprits = page.evaluate(
            "[...document.querySelectorAll('main *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1)"
            ".slice(0, 5).map((e) => e.className || e.tagName)"
        )
        raise Failed(f"{what} is {wide} px too wide at 320 px: {culprits}")
    page.set_viewport_size(VIEWPORT)


def show_whole(page, size):
    """Makes the window as high as its content: what lies under the tabs until one scrolls is no fault.

    Returns whether the content had grown since the window was made.
    """
    height = max(page.evaluate("document.documentElement.scrollHeight"), size["height"])
    has_grown = height > page.viewport_size["height"]
    page.set_viewport_size({"width": size["width"], "height": height})
    return has_grown


def require_accessible(page, what, size=VIEWPORT):
    """axe finds nothing, in either colour scheme."""
    show_whole(page, size)
    # Of all that axe looks at, the scheme changes the colours alone.
    for scheme, rules in zip(SCHEMES, (GUIDELINES, COLOURS), strict=True):
        page.emulate_media(color_scheme=scheme)
        at_rest(page)
        results = examine(page, rules)
        # What had come only now stood under the tabs.
        if results.violations_count and show_whole(page, size):
            results = examine(page, rules)
        if results.violations_count:
            raise Failed(f"{what}, {scheme}:\n{results.generate_report()}")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(size)


def inspect(watched, name):
    page = watched.page
    expect(page.locator("h1").first).to_be_visible()
    require_narrow(page, name)
    require_accessible(page, name)
    photograph(page, name)
    watched.require_no_faults()
    seen(name)


def photograph(page, name):
    """A picture in both schemes where somebody wants them."""
    if SHOTS:
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=os.path.join(SHOTS, f"{name}-{scheme}.png"))
        page.emulate_media(color_scheme="light")
