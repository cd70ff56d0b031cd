"""The page of an alert's link, in every language and each of its states."""

from playwright.sync_api import expect

from inspection import photograph, require_accessible
from many import at
from opened import PHONE, SMALL, TANK, closed, rest, with_alarms
from watched import Watched, require, seen


def walk(browser, _):
    with with_alarms() as (service, origin):
        by_link(browser, service, origin)


def by_link(browser, service, origin):
    """The page of an alert's link, in each of its states, for somebody who is not signed in."""
    mika = {key: service.answered(TANK, "ph", "low", "Mika")[key] for key in ("name", "isYou", "since", "until", "solvedAt")}
    states = {
        "ask": {}, "yours": {"onIt": mika}, "solved": {"onIt": {**mika, "solvedAt": at()}},
        "others": {"onIt": {**mika, "name": "Maximiliane", "isYou": False}}, "snoozed": {"snoozedUntil": at(3600)}, "over": {"isOver": True},
        "together": {"together": ["Koi pond: pH is high", "Koi pond: nitrate is high"]},
        "digest": {"together": [f"Tank {number}: dissolved oxygen is critically low" for number in range(12)], "onIt": mika},
    }  # fmt: skip
    for language in ("en", "de", "ja", "es"):
        for state, service.link in states.items():
            service.language = language
            watched = Watched(browser, viewport=PHONE, service_workers="block")
            page = watched.page
            service.posted.clear()
            page.goto(f"{origin}/answer#aqa_1")
            expect(page.locator(".link-body > *").first).to_be_visible()
            require(page.url == f"{origin}/answer", f"the secret stays in the address: {page.url}")
            require([path for path, _ in service.posted] == ["/answers/look"], f"opening it asks for {service.posted}")
            expect(page.locator(".link-air")).to_have_attribute("lang", language)
            for size in (PHONE, SMALL):
                page.set_viewport_size(size)
                rest(page)
                wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
                require(not wide, f"the page of a link is too wide: {state}, {language}, {size}")
                require_accessible(page, f"the page of a link, {state}, {language}", size)
            photograph(page, f"screens-link-{state}-{language}")
            closed(watched)
    service.link, service.language = {}, "en"
    seen("the page of an alert's link, in each state")
