"""Quiet hours: set by keys, by fields and with a finger; who is told all the same, what rings anyway, and what waits."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from playwright.sync_api import expect

from asking import mail, new_device, publish, until
from inspection import inspect, photograph, require_narrow
from person import add_mail, link, pick, sign_up
from watched import Watched, require, seen

EMAIL = "nora@example.org"
DEVICE = "quiet-pond"
PATH = "/settings/quiet-hours"


def walk(browser, origin):
    watched = Watched(browser)
    sign_up(watched, origin, EMAIL)
    link(watched, new_device(DEVICE), "Koi pond")
    publish(DEVICE, temperature=21.4)
    add_mail(watched, EMAIL)
    turned_on(watched)
    by_keys(watched)
    by_fields(watched)
    by_finger(watched)
    days(watched)
    nothing_critical(watched)
    critical(watched)
    large_text(watched)
    languages(watched)
    told_all_the_same(watched)
    waits(watched)
    without_connection(watched)
    turned_off(watched)


def saved(page):
    """What is changed in it is at the service when it ends."""
    return page.expect_response(lambda answer: answer.url.endswith("/quiet-hours") and answer.request.method == "PUT" and answer.ok)


def row(page):
    """In the settings, where it leads to the quiet hours."""
    page.get_by_role("link", name="Settings").click()
    found = page.get_by_role("link", name=re.compile("^Quiet hours"))
    expect(found).to_be_visible()
    return found


def open_quiet(page):
    row(page).click()
    expect(page.locator("h1")).to_have_text("Quiet hours")
    expect(page.get_by_role("switch", name="Quiet hours")).to_be_visible()


def end(page, name):
    return page.get_by_role("slider", name=name, exact=True)


def require_hours(page, text, length):
    expect(page.locator(".dial-hours")).to_have_text(text)
    expect(page.locator(".dial-length")).to_have_text(f"{length}, Vienna")


def turned_on(watched):
    """Off at first; the switch sets a night."""
    page = watched.page
    expect(row(page)).to_contain_text("Off")
    open_quiet(page)
    expect(page.locator(".dial")).to_be_hidden()
    inspect(watched, "quiet-off")
    with saved(page):
        page.get_by_role("switch", name="Quiet hours").click()
    require_hours(page, "22:30–07:00", "8 h 30 min")
    expect(page.locator(".day[aria-pressed=true]")).to_have_count(7)
    expect(page.get_by_role("switch", name="A silent device rings too")).to_be_checked()
    expect(row(page)).to_contain_text("22:30–07:00")
    open_quiet(page)
    seen("quiet hours, turned on")


def by_keys(watched):
    """A quarter of an hour a key; the end keeps the focus, and its time is told."""
    page = watched.page
    first, last = end(page, "From"), end(page, "Until")
    first.focus()
    with saved(page):
        for key in ("ArrowRight", "ArrowUp", "ArrowUp", "ArrowLeft", "PageUp"):
            page.keyboard.press(key)
    expect(first).to_be_focused()
    expect(first).to_have_attribute("aria-valuetext", "00:00")
    with saved(page):
        last.press("ArrowDown")
    expect(last).to_have_attribute("aria-valuetext", "06:45")
    require_hours(page, "00:00–06:45", "6 h 45 min")
    page.reload()
    require_hours(page, "00:00–06:45", "6 h 45 min")
    seen("quiet hours by keys")


def by_fields(watched):
    """To the minute; both ends at one time are refused at once, and nothing is sent."""
    page = watched.page
    first, last = page.locator("input[name=from]"), page.locator("input[name=until]")
    with saved(page):
        first.fill("23:07")
    require_hours(page, "23:07–06:45", "7 h 38 min")
    last.fill("23:07")
    expect(last).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("From and until have to differ.")).to_be_visible()
    inspect(watched, "quiet-same")
    with saved(page):
        last.fill("06:30")
    expect(last).not_to_have_attribute("aria-invalid", "true")
    require_hours(page, "23:07–06:30", "7 h 23 min")
    page.reload()
    expect(first).to_have_value("23:07")
    expect(last).to_have_value("06:30")
    seen("quiet hours by fields")


def by_finger(watched):
    """An end is dragged along the ring, and never past the other."""
    page = watched.page
    handle = end(page, "From")
    handle.scroll_into_view_if_needed()
    box, face = handle.bounding_box(), page.locator(".dial-face").bounding_box()
    middle = (face["x"] + face["width"] / 2, face["y"] + face["height"] / 2)
    radius = face["width"] * 124 / 270
    with saved(page):
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        # To where nine in the evening is.
        page.mouse.move(middle[0] - radius * 0.7071, middle[1] - radius * 0.7071, steps=5)
        page.mouse.up()
    expect(handle).to_have_attribute("aria-valuetext", "21:00")
    require_hours(page, "21:00–06:30", "9 h 30 min")
    seen("quiet hours by dragging")


def days(watched):
    """One after the other is left out; the last one stays."""
    page = watched.page
    for name in ("Monday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"):
        with saved(page):
            page.get_by_role("button", name=name).click()
    page.get_by_role("button", name="Tuesday").click()
    expect(page.get_by_text("One day has to stay.")).to_be_visible()
    expect(page.get_by_role("button", name="Tuesday")).to_have_attribute("aria-pressed", "true")
    with saved(page):
        page.get_by_role("button", name="Friday").click()
    page.reload()
    expect(page.locator(".day[aria-pressed=true]")).to_have_count(2)
    seen("days of quiet hours")


def nothing_critical(watched):
    """Without a critical limit that is said, and leads to where they are set."""
    page = watched.page
    warning = page.get_by_role("link", name=re.compile("No critical limit is set: only the silence of a device rings"))
    expect(warning).to_be_visible()
    inspect(watched, "quiet-nothing-critical")
    with saved(page):
        page.get_by_role("switch", name="A silent device rings too").click()
    expect(page.get_by_role("link", name=re.compile("No critical limit is set, so nothing rings"))).to_be_visible()
    with saved(page):
        page.get_by_role("switch", name="A silent device rings too").click()
    warning.click()
    expect(page.locator("h1")).to_have_text("Settings")
    page.get_by_role("link", name=re.compile("^Temperature")).click()
    expect(page.locator("h1")).to_have_text("Temperature")
    pick(page, re.compile("^Critical maximum"), "27.5")
    page.get_by_role("button", name="Set 27.5").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    seen("no critical limit, and one")


def critical(watched):
    """What rings anyway, and what waits, are lists."""
    page = watched.page
    open_quiet(page)
    rings = page.get_by_role("button", name=re.compile("^Rings anyway.*Temperature · Silence of a device"))
    rings.click()
    sheet = page.get_by_role("dialog", name="Rings anyway")
    expect(sheet).to_contain_text("Koi pond")
    expect(sheet).to_contain_text(re.compile("Temperature.*above"))
    inspect(watched, "quiet-rings")
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Waits until 06:30")).click()
    inspect(watched, "quiet-everything-else")
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    inspect(watched, "quiet")
    seen("what rings anyway")


def large_text(watched):
    """Twice as large, all of it is there and nothing is too wide."""
    page = watched.page
    page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
    require_narrow(page, "quiet hours in large text")
    boxes = [page.locator(f"input[name={name}]").bounding_box() for name in ("from", "until")]
    require(boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"], f"fields beside each other: {boxes}")
    photograph(page, "quiet-large")
    page.evaluate("document.documentElement.style.removeProperty('font-size')")


def languages(watched):
    page = watched.page
    for name, language in (("Deutsch", "de"), ("Español", "es"), ("日本語", "ja"), ("English", "en")):
        page.evaluate("navigation.navigate('/settings').finished.then(() => null)")
        page.locator("button.row").filter(has=page.locator(".symbol-globe")).click()
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.locator(f"a.row[href='{PATH}']").click()
        expect(page.locator(".dial")).to_be_visible()
        inspect(watched, f"quiet-{language}")
    seen("quiet hours in each language")


def told_all_the_same(watched):
    """A way is told in quiet hours too where the person says so."""
    page = watched.page
    page.get_by_role("link", name=re.compile("^Told also in quiet hours")).click()
    way = page.get_by_role("link", name=re.compile(" · accepted| · not tested yet"))
    for is_on in (True, False):
        way.click()
        always = page.get_by_role("switch", name="Also in quiet hours")
        expect(always).to_be_checked(checked=not is_on)
        if is_on:
            inspect(watched, "endpoint-quiet")
        with page.expect_response(lambda answer: answer.request.method == "PATCH" and answer.ok):
            always.click()
        expect(always).to_be_checked(checked=is_on)
        page.get_by_role("button", name="Back").click()
        if is_on:
            expect(way).to_contain_text("also in quiet hours")
        else:
            expect(way).not_to_contain_text("also in quiet hours")
    seen("a way that is told all the same")


def waits(watched):
    """In quiet hours an alert waits: the list of alerts says until when, and leads to the quiet hours."""
    page = watched.page
    open_quiet(page)
    missing = page.locator(".day[aria-pressed=false]")
    for left in range(missing.count(), 0, -1):
        expect(missing).to_have_count(left)
        with saved(page):
            missing.first.click()
    here = datetime.now(ZoneInfo("Europe/Vienna"))
    begins, ends = ((here + timedelta(hours=hours)).strftime("%H:%M") for hours in (-1, 3))
    changes = [("from", begins), ("until", ends)]
    # Both ends at one time are not saved.
    for name, time in changes if begins != "06:30" else reversed(changes):
        with saved(page):
            page.locator(f"input[name={name}]").fill(time)
    require_hours(page, f"{begins}–{ends}", "4 h")
    page.reload()
    expect(page.locator(".quiet-standing").first).to_have_text(f"Quiet until {ends}. Nothing waits.")
    publish(DEVICE, temperature=26.0)
    page.get_by_role("link", name="Water", exact=True).click()
    expect(page.locator("h1")).to_have_text("Temperature is high")
    notice = page.get_by_role("link", name=f"1 alert waits until {ends}")

    def is_told():
        page.get_by_role("link", name="Water", exact=True).click()
        page.get_by_role("link", name=re.compile("^Alerts")).click()
        page.wait_for_timeout(300)
        return notice.count() == 1

    until("an alert that waits is told", is_told)
    inspect(watched, "alerts-waiting")
    notice.click()
    expect(page.locator("h1")).to_have_text("Quiet hours")
    expect(page.locator(".quiet-standing").first).to_have_text(f"Quiet until {ends}. 1 alert waits.")
    inspect(watched, "quiet-waiting")
    seen("an alert that waits")


def without_connection(watched):
    """What is known is shown with its age; what is changed is refused, and shows what holds."""
    page = watched.page
    watched.allowed.append(r"ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED")
    watched.context.set_offline(True)
    silent = page.get_by_role("switch", name="A silent device rings too")
    silent.press("Space")
    expect(page.get_by_text("This device is offline. Nothing was changed.")).to_be_visible()
    expect(silent).to_be_checked()
    watched.context.set_offline(False)
    page.reload()
    expect(silent).to_be_checked()
    seen("quiet hours without a connection")


def turned_off(watched):
    """What waited is told then."""
    page = watched.page
    with page.expect_response(lambda answer: answer.request.method == "DELETE" and answer.ok):
        page.get_by_role("switch", name="Quiet hours").click()
    expect(page.locator(".dial")).to_be_hidden()
    expect(row(page)).to_contain_text("Off")
    require("high" in mail(EMAIL), "what waited was not told")
    seen("quiet hours, turned off")
