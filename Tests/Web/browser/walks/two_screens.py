"""One person at two screens: what is changed on one shows on the other, and nobody overwrites what they have not seen."""

import re

from playwright.sync_api import expect

from asking import new_device, publish, until
from inspection import inspect
from person import link, open_parameter, pick, sign_in, sign_up
from watched import Watched, seen

EMAIL = "tove@example.org"
DEVICE = "two-screens"
MAXIMUM = re.compile("^Maximum")
MINIMUM = re.compile("^Minimum")


def walk(browser, origin):
    phone, desk = Watched(browser), Watched(browser)
    sign_up(phone, origin, EMAIL)
    link(phone, new_device(DEVICE), "Basin")
    publish(DEVICE, temperature=21.4)
    sign_in(desk, origin, EMAIL)
    expect(desk.page.locator("h1")).to_have_text("All fine")
    shown_elsewhere(phone, desk)
    changed_elsewhere(phone, desk)
    alarm_while_opening(browser, origin)
    settings_elsewhere(phone, desk)


def set_limit(page, bound, text):
    pick(page, bound, text)
    page.get_by_role("button", name=f"Set {text}").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def shown_elsewhere(phone, desk):
    open_parameter(phone.page, DEVICE, "temperature", "Temperature")
    open_parameter(desk.page, DEVICE, "temperature", "Temperature")
    set_limit(phone.page, MAXIMUM, "25.5")
    expect(desk.page.get_by_role("button", name=MAXIMUM)).to_contain_text("25.5")
    desk.page.get_by_role("link", name="Water", exact=True).click()
    set_limit(phone.page, MAXIMUM, "26.5")
    expect(desk.page.get_by_role("link", name=re.compile(r"^Temperature: 21\.4.*26\.5"))).to_be_visible()
    seen("a limit, on both screens")


def changed_elsewhere(phone, desk):
    """While one picks a limit it is changed elsewhere: they are told, and neither change is lost unseen."""
    open_parameter(desk.page, DEVICE, "temperature", "Temperature")
    page = desk.page
    pick(page, MAXIMUM, "23.5")
    set_limit(phone.page, MAXIMUM, "28.5")
    # The page behind the sheet knows already, by the stream.
    expect(page.locator("button.row").filter(has_text=MAXIMUM)).to_contain_text("28.5")
    desk.allowed.append(r"412 .*parameters/temperature")
    page.get_by_role("button", name="Set 23.5").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_text(re.compile(r"^This was changed elsewhere in the meantime\. .*28\.5"))).to_be_visible()
    expect(phone.page.get_by_role("button", name=MAXIMUM)).to_contain_text("28.5")
    # What was picked is still there, and what is now is marked.
    expect(page.get_by_role("option", selected=True)).to_contain_text("23.5")
    inspect(desk, "picker-changed-elsewhere")
    page.get_by_role("button", name="Set 23.5").click()
    expect(sheet).to_have_count(0)
    expect(page.get_by_role("button", name=MAXIMUM)).to_contain_text("23.5")
    expect(phone.page.get_by_role("button", name=MAXIMUM)).to_contain_text("23.5")
    seen("a change that came in between")


def alarm_while_opening(browser, origin):
    """An alarm that begins after a window's first answers, and before it listens to the stream of another one."""
    watched = Watched(browser, service_workers="block")
    sign_in(watched, origin, EMAIL)
    expect(watched.page.locator("h1")).to_have_text("All fine")
    page, held, answered = watched.open(), [], []
    page.on("response", lambda response: answered.append(response.url))
    page.route(re.compile(r"/app/(main|parts)[.]js$"), lambda route: held.append(route))
    page.goto(origin, wait_until="commit")
    for path in ("/readings/latest", "/devices?limit=200"):
        until(f"the answer to {path}", lambda: page.evaluate("1") and f"{origin}/api/v1{path}" in answered)
    until("the modules are asked for", lambda: page.evaluate("1") and len(held) == 2)
    publish(DEVICE, temperature=25.2)
    expect(watched.page.locator("h1")).to_have_text("Temperature is high")
    for route in held:
        route.continue_()
    expect(page.locator("h1")).to_have_text("Temperature is high")
    watched.context.close()
    seen("an alarm that began while a window opened")


def settings_elsewhere(phone, desk):
    """The colour scheme and the language are the person's, on every screen."""
    for watched in (phone, desk):
        watched.page.get_by_role("link", name="Settings").click()
        expect(watched.page.locator("h1")).to_have_text("Settings")
    phone.page.get_by_role("button", name="Dark").click()
    expect(desk.page.locator("html")).to_have_attribute("data-scheme", "dark")
    phone.page.locator("button.row").filter(has=phone.page.locator(".symbol-globe")).click()
    phone.page.get_by_role("button", name="Español").click()
    expect(desk.page.locator("h1")).to_have_text("Ajustes")
    seen("settings, on both screens")
