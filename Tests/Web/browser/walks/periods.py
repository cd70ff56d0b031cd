"""Limits at other times: the first one, one that overlaps and is refused, what holds now and until when, the band that steps, and the last one gone."""

import time

from playwright.sync_api import expect

from clock_limits import ClockLimits
from inspection import inspect, photograph, require_narrow
from many import serving
from watched import Watched, require, seen

POND = "tank-000"
SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""


def walk(browser, _):
    with serving(1, ClockLimits) as (service, origin):
        watched = Watched(browser, service_workers="block", locale="en-GB", timezone_id="UTC")
        watched.context.add_init_script(SIGNED_IN)
        watched.allowed.append(r"422")
        page = watched.page
        page.goto(f"{origin}/settings/{POND}/ph")
        expect(page.get_by_role("heading", name="At other times")).to_be_visible()
        added(watched, service)
        refused(watched, service)
        graph(watched, origin)
        removed(watched, service, origin)


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def text(hours):
    return f"{(time.gmtime().tm_hour + hours) % 24:02}:00"


def added(watched, service):
    """A time of day around now: a row names it, and a sentence says that it holds, and until when."""
    page = watched.page
    button(page, "Add a time").click()
    sheet = page.get_by_role("dialog", name="Limits at another time")
    button(sheet, "Save").click()
    expect(sheet).to_contain_text("Give both the beginning and the end.")
    inspect(watched, "period-new")
    sheet.get_by_label("From").fill(text(-2))
    sheet.get_by_label("Until").fill(text(3))
    sheet.get_by_label("Minimum").fill("7,5")
    sheet.get_by_label("Maximum").fill("8.5")
    photograph(page, "period-form")
    button(sheet, "Save").click()
    expect(sheet).to_be_hidden()
    expect(page.get_by_text("Now ")).to_contain_text(f"{text(-2)} to {text(3)} holds, until")
    expect(page.get_by_text("By the clock of Europe/Madrid.")).to_be_visible()
    sent = service.sent[-1][0]
    require(sent["from"] == text(-2) and sent["minimum"] == 7.5 and sent["firstDay"] is None, f"what was sent: {sent}")
    inspect(watched, "periods")
    require_narrow(page, "the parameter with limits at other times")
    seen("limits for a time of day")


def refused(watched, service):
    """Two that hold at one time: the service's sentence stands in the sheet, and nothing has changed."""
    page = watched.page
    button(page, "Add a time").click()
    sheet = page.get_by_role("dialog", name="Limits at another time")
    sheet.get_by_label("From").fill(text(-1))
    sheet.get_by_label("Until").fill(text(5))
    button(sheet, "Save").click()
    expect(sheet).to_contain_text("overlap")
    require(len(service.periods) == 1, "an overlap is refused")
    page.keyboard.press("Escape")
    seen("an overlap that names both")


def graph(watched, origin):
    """The band steps where the limits do."""
    page = watched.page
    page.goto(f"{origin}/p/{POND}/ph")
    bands = page.locator(".details .graph-band, .graph .graph-band")
    expect(bands).not_to_have_count(0)
    expect(bands.nth(1)).to_be_attached()
    require(bands.count() >= 2, f"{bands.count()} bands")
    photograph(page, "periods-graph")
    seen("a band that steps")


def removed(watched, service, origin):
    page = watched.page
    page.goto(f"{origin}/settings/{POND}/ph")
    page.get_by_role("button", name=f"{text(-2)} to {text(3)}").click()
    button(page.get_by_role("dialog"), "Remove this time").click()
    expect(page.get_by_text("A time of day or a season can have limits of its own")).to_be_visible()
    require(service.periods == [], "none is left")
    seen("the plain limits alone")
