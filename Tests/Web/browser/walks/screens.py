"""Screens of one service with a few tanks, in every language and on their side: what is snoozed does not call, and no caption touches another."""

import re

from playwright.sync_api import expect

from asking import until
from inspection import at_rest, photograph, require_accessible
from many import at
from opened import COLLIDING, PHONE, SIDEWAYS, SMALL, TANK, closed, opened, require_none, rest, with_alarms
from watched import Watched, require, seen


def walk(browser, _):
    with with_alarms() as (service, origin):
        snoozed(browser, service, origin)
        answered(browser, service, origin)
        linked(browser, service, origin)
        faulty(browser, service, origin)
        sideways(browser, service, origin)


def snoozed(browser, service, origin):
    """The list, the badge and the page of an alert, before and after the person says: not now."""
    watched = opened(browser, service, origin, "/alerts", PHONE)
    page = watched.page
    expect(page.locator(".alerts-open")).to_have_count(2)
    expect(page.locator(".tab-badge")).to_have_text("2")
    photograph(page, "screens-alerts")
    page.get_by_role("link", name=re.compile("pH is low")).click()
    expect(page.locator(".alert-air[data-alarm]")).to_be_visible()
    rest(page)
    photograph(page, "screens-alert")
    page.get_by_role("button", name="Snooze 30 min").click()
    expect(page.get_by_text(re.compile("^Snoozed until"))).to_be_visible()
    expect(page.locator(".alert-air[data-alarm]")).to_have_count(0)
    rest(page)
    require_accessible(page, "the page of a snoozed alert")
    photograph(page, "screens-alert-snoozed")
    service.snoozes = [{"device": TANK, "kind": "range", "parameter": "ph", "side": "low", "until": at(1800), "acknowledged": False}]
    page.evaluate("navigation.navigate('/alerts')")
    expect(page.locator(".alerts-open")).to_have_count(1)
    expect(page.get_by_role("link", name=re.compile("pH is low.*Snoozed until"))).to_be_visible()
    expect(page.locator(".tab-badge")).to_have_text("2")
    require_accessible(page, "the list with a snoozed alert")
    photograph(page, "screens-alerts-snoozed")
    closed(watched)
    service.snoozes = []
    seen("a snoozed alert, in the list and by itself")


def answered(browser, service, origin):
    """Somebody else is on it, which stands in the place of the buttons, and in lists; then the person."""
    for language in ("en", "de", "ja", "es"):
        service.answers = [service.answered(TANK, "ph", "low", "Maximiliane", is_you=False)]
        watched = opened(browser, service, origin, "/", PHONE, language)
        page = watched.page
        # What nobody answers leads.
        expect(page.locator(".air-name")).to_have_text("Tank 001")
        expect(page.locator(".tab-badge")).to_have_text("1")
        page.locator(".air-switcher").click()
        row = page.locator("button.menu-row").filter(has_text="Tank 000")
        expect(row.locator(".shape-answered")).to_be_visible()
        expect(row).to_contain_text("Maximiliane")
        row.click()
        expect(page.locator(".on-it")).to_contain_text("Maximiliane")
        expect(page.locator(".home-air")).to_have_attribute("data-tone", "alarm")
        expect(page.locator(".air-buttons button")).to_have_count(1)
        expect(page.locator(".card[data-answered]")).to_have_count(1)
        for size in (PHONE, SMALL):
            page.set_viewport_size(size)
            rest(page)
            require_accessible(page, f"the water that somebody sees to, {language}", size)
        photograph(page, f"screens-answered-{language}")
        page.evaluate("navigation.navigate('/alerts')")
        expect(page.locator(".alerts-answered")).to_have_count(1)
        rest(page)
        require_accessible(page, f"the list with an answered alert, {language}")
        photograph(page, f"screens-alerts-answered-{language}")
        service.answers = [service.answered(TANK, "ph", "low")]
        service.tell("resync", {"parts": ["snoozes"]})
        page.evaluate(f"navigation.navigate('/alerts/{TANK}.ph.low')")
        expect(page.locator(".on-it + .alert-snooze button")).to_have_count(2)
        rest(page)
        require_accessible(page, f"the page of an answered alert, {language}")
        photograph(page, f"screens-alert-answered-{language}")
        closed(watched)
        service.answers = []
    service.language = "en"
    seen("who is on it, in every language")


def linked(browser, service, origin):
    """A link into the app leads there after signing in, and again after a session that ended, which is said."""
    first, later = f"/alerts/{TANK}.ph.low", f"/settings/{TANK}/ph"
    watched = Watched(browser, service_workers="block")
    watched.allowed.append("401|404.*/service")
    watched.context.add_init_script("localStorage.setItem('aqua-known', '1'); localStorage.setItem('aqua-push-asked', '1')")
    page = watched.page
    service.language = "en"
    for path, ended in ((first, 0), (later, 1)):
        if ended:
            page.evaluate("(path) => navigation.navigate(path).finished.catch(() => null)", path)
            rest(page)
            service.end()
        else:
            page.goto(origin + path)
        expect(page).to_have_url(f"{origin}/sign-in")
        expect(page.get_by_text("You were signed out. Sign in again.")).to_have_count(ended)
        page.get_by_label("Email").fill("ana@example.org")
        page.get_by_role("textbox", name="Password").fill("a quiet pond at four")
        page.get_by_role("button", name="Sign in").click()
        expect(page).to_have_url(origin + path)
        expect(page.locator("h1")).to_have_text("pH" if ended else "pH is low")
    closed(watched)
    seen("links through signing in, and through the end of a session")


def faulty(browser, service, origin):
    """A value that its probe cannot vouch for is not in full ink."""
    ink = "getComputedStyle(document.querySelector('.details-number')).color"
    plain = "getComputedStyle(document.querySelector('.details-since')).color"
    full = "getComputedStyle(document.body).color"
    for broken in ([], ["nitrite"]):
        service.flat = {TANK: broken}
        watched = opened(browser, service, origin, f"/p/{TANK}/nitrite", PHONE)
        page = watched.page
        expect(page.locator(".details-number")).to_have_text("8.0")
        expect(page.locator(".details[data-state='fault']")).to_have_count(len(broken))
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            at_rest(page)
            shown, quiet, loud = (page.evaluate(colour) for colour in (ink, plain, full))
            require(shown == (quiet if broken else loud) and quiet != loud, f"{scheme}, {broken}: {shown} of {quiet} and {loud}")
        closed(watched)
    service.flat = {}
    seen("the value of a probe that is broken, in quiet ink")


# How far the plot of a graph is from each edge of the window.
MARGINS = """
() => {
    const { left, right, top, bottom } = document.querySelector(".graph-plot").getBoundingClientRect();
    return { left, right: innerWidth - right, top, bottom: innerHeight - bottom };
}
"""


def sideways(browser, service, origin):
    """Who turns the phone has the graph alone, from edge to edge, wherever they had scrolled to."""
    for size in (SIDEWAYS, {"width": 667, "height": 375}, {"width": 932, "height": 430}):
        upright = {"width": size["height"], "height": size["width"]}
        watched = opened(browser, service, origin, f"/p/{TANK}/ph", upright)
        page = watched.page
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.set_viewport_size(size)
        until("the graph stands at the top", lambda: page.evaluate("scrollY === 0"))
        rest(page)
        margins = page.evaluate(MARGINS)
        fills = margins["left"] <= 24 and margins["right"] <= 24 and margins["top"] <= 48 and abs(margins["bottom"]) <= 1
        require(fills, f"{size}: the graph leaves {margins}")
        require_none(page, COLLIDING, f"sideways {size}")
        photograph(page, f"sideways-{size['width']}")
        require_accessible(page, f"sideways {size}", size)
        page.set_viewport_size(upright)
        until("the graph has its usual height", lambda: page.evaluate("document.querySelector('.graph-plot').offsetHeight === 324"))
        closed(watched)
    seen("a phone on its side")
