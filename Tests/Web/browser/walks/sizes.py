"""Every screen as large windows and other languages have it, with its motion: names, contrast, nothing too wide."""

import re

from playwright.sync_api import expect

from asking import ask, new_device, publish, until
from inspection import at_rest, photograph, require_accessible
from person import link, sign_in, sign_up
from watched import Watched, require, seen

EMAIL = "petra@example.org"
DEVICE = "wide-tank"
PHONE = {"width": 390, "height": 844}
TABLET = {"width": 834, "height": 1112}
DESKTOP = {"width": 1440, "height": 900}
LOOKS = (("es", PHONE), ("de", PHONE), ("ja", TABLET), ("ja", DESKTOP), ("de", DESKTOP), ("en", DESKTOP))


def walk(browser, origin):
    first = Watched(browser)
    sign_up(first, origin, EMAIL)
    link(first, new_device(DEVICE), "Wide tank")
    ask("endpoint", EMAIL)
    publish(DEVICE, age=60, temperature=21.4, ph=7.9)
    publish(DEVICE, temperature=25.2, ph=7.9)
    expect(first.page.locator("h1")).to_have_text("Temperature is high")
    for language, size in LOOKS:
        speak(first.page, language)
        watched = Watched(browser, viewport=size, reduced_motion="no-preference")
        sign_in(watched, origin, EMAIL)
        screens(watched, language, size)


def go(page, path):
    """By the app's own way. Where it goes somewhere itself at that moment, once more."""
    there = "location.pathname === path"
    until(path, lambda: page.evaluate(
        f"(path) => {there} || navigation.navigate(path).finished.catch(() => null).then(() => {there})", path
    ))


def speak(page, language):
    """The language is the account's: whoever signs in elsewhere reads it there."""
    names = {"en": "English", "ja": "日本語", "es": "Español", "de": "Deutsch"}
    go(page, "/settings")
    page.locator("button.row").filter(has=page.locator(".symbol-globe")).click()
    page.get_by_role("button", name=names[language], exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", language)


def screens(watched, language, size):
    page = watched.page
    name = f"{size['width']}-{language}"
    expect(page.locator("html")).to_have_attribute("lang", language)
    look(watched, f"home-{name}", size)
    for path, title in (
        (f"/p/{DEVICE}/temperature", "details"),
        ("/alerts", "alerts"),
        ("/care", "care"),
        ("/care/calendar", "care-calendar"),
        ("/care/journal", "journal"),
        ("/care/reminders/new", "care-form"),
        ("/settings/calendar", "calendar-feed"),
        ("/devices", "devices"),
        (f"/devices/{DEVICE}", "device"),
        (f"/devices/{DEVICE}/chain", "chain"),
        (f"/devices/{DEVICE}/inventory", "inventory"),
        (f"/devices/{DEVICE}/test", "hand-test"),
        (f"/devices/{DEVICE}/questions", "questions"),
        (f"/devices/{DEVICE}/track", "track"),
        ("/devices/link", "link-device"),
        ("/settings", "settings"),
        (f"/settings/{DEVICE}/temperature", "parameter"),
        (f"/settings/{DEVICE}/ph/calibration", "calibration"),
        ("/settings/notifications", "notifications"),
        ("/settings/quiet-hours", "quiet-hours"),
        ("/settings/summary", "summary"),
        ("/settings/account", "account"),
        ("/settings/account/changes", "audit"),
        ("/settings/projects", "projects"),
        ("/settings/presets", "presets"),
        ("/tanks", "tanks"),
        ("/change", "change"),
        ("/tanks/wall", "wall"),
        ("/tanks/limits", "limits-for-many"),
        (f"/compare/{DEVICE}/temperature", "compare"),
    ):
        go(page, path)
        look(watched, f"{title}-{name}", size)
    go(page, "/alerts")
    page.get_by_role("link", name=re.compile(r"25[.,]2")).first.click()
    look(watched, f"alert-{name}", size)


def look(watched, name, size):
    page = watched.page
    expect(page.locator("h1").first).to_be_visible()
    expect(page.locator("[data-waiting]")).to_have_count(0)
    at_rest(page)
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    require(wide <= 0, f"{name} is {wide} px too wide")
    require_accessible(page, name, size)
    photograph(page, name)
    watched.require_no_faults()
    seen(name)
