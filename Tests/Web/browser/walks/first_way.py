"""From signing up to signing out: every screen, the keyboard, the languages, without a connection."""

import re
import time

from playwright.sync_api import expect

from asking import ask, new_device, publish
from inspection import inspect, true_in
from person import PASSWORD, pass_questions, pick
from watched import PATIENCE, Failed, Watched, require, seen

EMAIL = "ana@example.org"
DEVICE = "tank-1"


def walk(browser, origin):
    watched = Watched(browser)
    sign_up(watched, origin)
    link(watched, new_device(DEVICE))
    live(watched)
    limit(watched)
    rules(watched)
    alarm(watched)
    snoozed(watched)
    others(watched)
    languages(watched)
    offline(watched, origin)
    sign_out(watched)
    sign_in_by_keyboard(watched)


def sign_up(watched, origin):
    page = watched.page
    page.goto(origin)
    expect(page.locator("h1")).to_have_text("Know your water without looking.")
    # It stands before the modules come; whoever is reading it then is not thrown back to its beginning.
    expect(page.get_by_role("button", name="日本語")).to_be_visible()
    require(page.evaluate("document.activeElement === document.body"), "the modules have moved the focus")
    inspect(watched, "introduction")
    page.get_by_role("link", name="Sign up").click()
    page.get_by_label("Email").fill(EMAIL)
    password = page.get_by_role("textbox", name="Password")
    password.fill("too short")
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_text("This password is too short.")).to_be_visible()
    inspect(watched, "sign-up")
    password.fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator("h1")).to_have_text("No device yet")
    inspect(watched, "home-empty")


def link(watched, code):
    page = watched.page
    page.get_by_role("link", name="Link a device").first.click()
    expect(page.locator("h1")).to_have_text("Link a device")
    watched.allowed.append(r"404.*api/v1/devices")
    page.get_by_label("Code", exact=True).fill("0000-0000-0000")
    page.get_by_label("Name").fill("Koi pond")
    # Nothing is linked before it is said what lives in it, whose limits are shown.
    page.get_by_role("button", name="Link", exact=True).click()
    asked = page.get_by_role("dialog", name="What lives in it")
    expect(asked.get_by_role("button", name=re.compile("^Discus"))).to_contain_text("°C")
    inspect(watched, "link-keep")
    asked.get_by_role("button", name="Cool pond, a little salt").click()
    expect(page.locator(".preset-row", has_text="Temperature")).to_contain_text("12.0–24.0")
    page.get_by_role("button", name="Link", exact=True).click()
    expect(page.get_by_text("No device has this code.")).to_be_visible()
    inspect(watched, "link-device")
    page.get_by_label("Code", exact=True).fill(code.replace("-", "").lower())
    page.get_by_role("button", name="Link", exact=True).click()
    pass_questions(page)
    expect(page.locator("h1")).to_have_text("Linked")
    # Nobody is told of anything yet, and that is told.
    notice = page.get_by_role("link", name="Nothing reaches you: turn on alerts")
    expect(notice).to_be_visible()
    expect(notice).to_have_attribute("href", "/settings/notifications")
    inspect(watched, "home-waiting")


def live(watched):
    """A reading is on the open screen without asking again."""
    publish(DEVICE, temperature=21.4)
    expect(watched.page.get_by_role("link", name=re.compile(r"Temperature: 21\.4"))).to_be_visible()
    expect(watched.page.locator("h1")).to_have_text("All fine")
    inspect(watched, "home")


def limit(watched):
    """The maximum is changed by the picker, with the keyboard alone."""
    page = watched.page
    page.get_by_role("link", name="Settings").click()
    expect(page.locator("h1")).to_have_text("Settings")
    inspect(watched, "settings")
    page.get_by_role("link", name=re.compile("^Temperature")).click()
    expect(page.locator("h1")).to_have_text("Temperature")
    inspect(watched, "parameter")
    row = page.get_by_role("button", name=re.compile("^Maximum"))
    row.focus()
    page.keyboard.press("Enter")
    wheel = page.get_by_role("listbox", name="Maximum")
    expect(wheel).to_be_focused()
    expect(page.get_by_role("dialog")).to_contain_text("Too new to tell")
    inspect(watched, "picker")
    page.keyboard.press("End")
    expect(page.get_by_role("option", selected=True)).to_contain_text("40.0")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option", selected=True)).to_contain_text("40.0")
    page.keyboard.press("Home")
    expect(page.get_by_role("option", selected=True)).to_contain_text("12.1")
    for key in "20.5":
        page.keyboard.press(key)
    expect(page.get_by_role("option", selected=True)).to_contain_text("20.5")
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Set 20.5")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("^Maximum"))).to_contain_text("20.5")
    seen("the limit, by the keyboard")
    kept = page.evaluate("indexedDB.databases().then((all) => all.map(({ name }) => name))")
    # Of what is done without a connection, and of samples that are not sent, others are kept.
    if sorted(kept) != ["aquamonitor", "aquamonitor-field", "aquamonitor-outbox"]:
        raise Failed(f"kept on the device: {kept}")


def rules(watched):
    """A delay, a critical limit, what is told of unstable water, the greatest change and how long ahead a limit is told are chosen
    beside the limits, and taken away again."""
    page = watched.page
    delay = page.get_by_role("button", name=re.compile("^Delay"))
    delay.click()
    page.get_by_role("button", name="after 10 min").click()
    expect(delay).to_contain_text("after 10 min")
    pick(page, re.compile("^Critical maximum"), "27.5")
    inspect(watched, "picker-critical")
    page.get_by_role("button", name="Set 27.5").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    critical = page.get_by_role("button", name=re.compile("^Critical maximum"))
    expect(critical).to_contain_text("27.5")
    unstable = page.get_by_role("button", name=re.compile("^Unstable value"))
    unstable.click()
    inspect(watched, "choice-unstable")
    page.get_by_role("button", name=re.compile("^told once")).click()
    expect(unstable).to_contain_text("told once")
    change = page.get_by_role("button", name=re.compile("^Change in an hour"))
    change.click()
    inspect(watched, "choice-change")
    page.get_by_role("button", name=re.compile(r"^3\.0")).click()
    expect(change).to_contain_text("3.0")
    ahead = page.get_by_role("button", name=re.compile("^Early warning"))
    ahead.click()
    inspect(watched, "choice-ahead")
    page.get_by_role("button", name="2 h before").click()
    expect(ahead).to_contain_text("2 h before")
    inspect(watched, "parameter-rules")
    ahead.click()
    page.get_by_role("button", name="off", exact=True).click()
    expect(ahead).to_contain_text("off")
    change.click()
    page.get_by_role("button", name="any", exact=True).click()
    expect(change).to_contain_text("any")
    unstable.click()
    page.get_by_role("button", name=re.compile("^each alert")).click()
    expect(unstable).to_contain_text("each alert")
    critical.click()
    page.get_by_role("button", name="No critical maximum").click()
    expect(critical).to_contain_text("none")
    delay.click()
    page.get_by_role("button", name="at once").click()
    expect(delay).to_contain_text("at once")
    seen("a delay, a critical limit and unstable water")


def alarm(watched):
    page = watched.page
    ask("endpoint", EMAIL)
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Notifications").click()
    added = page.get_by_role("link", name=re.compile("not tested yet"))
    deadline = time.monotonic() + PATIENCE / 1000
    expect(page.get_by_role("button", name="Add a way")).to_be_visible()
    while added.count() == 0:
        if time.monotonic() > deadline:
            raise Failed("the endpoint is not listed")
        page.reload()
        expect(page.get_by_role("button", name="Add a way")).to_be_visible()
    inspect(watched, "notifications")
    publish(DEVICE, temperature=25.2)
    page.get_by_role("link", name="Water", exact=True).click()
    expect(page.locator("h1")).to_have_text("Temperature is high")
    expect(page.locator(".home-notices")).to_be_hidden()
    inspect(watched, "home-alarm")
    page.get_by_role("link", name=re.compile("^Alerts")).click()
    row = page.get_by_role("link", name=re.compile("Temperature is high"))
    expect(row).to_be_visible()
    inspect(watched, "alerts")
    row.click()
    expect(page.get_by_text("What was sent")).to_be_visible()
    inspect(watched, "alert")


def snoozed(watched):
    """Not now: on the screen of the alert, and on that of the water, which is calm until it is cancelled."""
    page = watched.page
    page.get_by_role("button", name="Snooze 30 min").click()
    expect(page.get_by_text(re.compile(r"^Snoozed until .*\d\d:\d\d\.$"))).to_be_visible()
    inspect(watched, "alert-snoozed")
    page.get_by_role("button", name="Cancel snooze").click()
    expect(page.get_by_role("button", name="Snooze 30 min")).to_be_visible()
    page.get_by_role("link", name="Water", exact=True).click()
    air = page.locator(".home-air")
    expect(air).to_have_attribute("data-tone", "alarm")
    page.get_by_role("button", name="Snooze", exact=True).click()
    inspect(watched, "snooze")
    page.get_by_role("button", name=re.compile("^Until it is over")).click()
    expect(page.get_by_text("You know of it: no reminder until it is over.")).to_be_visible()
    expect(page.locator("h1")).to_have_text("Temperature is high")
    expect(air).to_have_attribute("data-tone", "plain")
    inspect(watched, "home-snoozed")
    page.get_by_role("button", name="Cancel snooze").click()
    expect(air).to_have_attribute("data-tone", "alarm")
    seen("snoozed, and cancelled")


def others(watched):
    """The remaining screens stand, and devices can be renamed."""
    page = watched.page
    page.get_by_role("link", name="Devices").click()
    water = page.locator(".device-card-link", has_text="Koi pond")
    expect(water).to_be_visible()
    inspect(watched, "devices")
    water.click()
    expect(page.locator(".air-name")).to_have_text("Koi pond")
    expect(page.get_by_role("link", name=re.compile("^Temperature:"))).to_be_visible()
    page.get_by_role("link", name="Devices").click()
    page.get_by_role("link", name="Koi pond: name, place and sharing").click()
    inspect(watched, "device")
    page.get_by_role("button", name=re.compile("^Name")).click()
    page.get_by_role("textbox", name="Name").fill("Garden pond")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("h1")).to_have_text("Garden pond")
    page.get_by_role("button", name=re.compile("^Place")).click()
    page.get_by_label("Latitude").fill("48,2085")
    page.get_by_label("Longitude").fill("16.3721")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name=re.compile("^Place"))).to_contain_text("48.209")
    take_preset(watched)
    page.get_by_role("button", name="Invite somebody").click()
    expect(page.get_by_role("switch", name="Show the readings since the alarm began")).not_to_be_checked()
    inspect(watched, "inviting")
    page.get_by_role("button", name="Make the link").click()
    expect(page.get_by_text(re.compile(r"/join#aqw_"))).to_be_visible()
    inspect(watched, "invitation")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("link", name="Devices").click()
    page.get_by_role("link", name="Where they are").click()
    expect(page.get_by_text("without a map")).to_be_visible()
    inspect(watched, "chart")
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Account").click()
    expect(page.get_by_text("This device")).to_be_visible()
    inspect(watched, "account")
    page.get_by_role("link", name="Water", exact=True).click()
    page.get_by_role("link", name=re.compile("^Temperature:")).click()
    expect(page.locator("h1")).to_be_visible()
    inspect(watched, "details")
    page.get_by_role("button", name="Back to all values").click()


def take_preset(watched):
    """Limits for what lives in the water are looked at before they hold."""
    page = watched.page
    page.get_by_role("button", name="Limits for what lives in it").click()
    expect(page.get_by_role("button", name="Reef tank")).to_be_visible()
    inspect(watched, "presets")
    page.get_by_role("button", name="Trout").click()
    sheet = page.get_by_role("dialog", name="Trout")
    expect(sheet.get_by_role("listitem").filter(has_text="Temperature")).to_contain_text("10.0–18.0")
    inspect(watched, "preset")
    sheet.get_by_role("button", name="Set these limits").click()
    expect(page.get_by_text("The limits for Trout hold now.")).to_be_visible()
    seen("a preset")


def languages(watched):
    page = watched.page
    page.get_by_role("link", name="Settings").click()
    for language, title in (("日本語", "設定"), ("Español", "Ajustes"), ("English", "Settings")):
        page.locator("button.row").filter(has=page.locator(".symbol-globe")).click()
        page.get_by_role("button", name=language).click()
        expect(page.locator("h1")).to_have_text(title)
        inspect(watched, f"settings-{page.locator('html').get_attribute('lang')}")
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-scheme", "dark")
    page.get_by_role("button", name="System").click()
    expect(page.locator("html")).not_to_have_attribute("data-scheme", "dark")


def offline(watched, origin):
    """The app opens without a connection, with the last known values marked as old."""
    page = watched.page
    page.goto(origin)
    expect(page.locator("h1")).to_have_text("Temperature is high")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    # What is known is written to the device a moment after it changed.
    true_in(
        page,
        "new Promise((resolve) => { const asked = indexedDB.open('aquamonitor');"
        " asked.onsuccess = () => { const kept = asked.result.transaction('kept').objectStore('kept');"
        " const overview = kept.get('overview'), tanks = kept.getAll(IDBKeyRange.bound('tank ', 'tank ~'));"
        " tanks.onsuccess = () => { asked.result.close();"
        " resolve(overview.result?.settings.language === 'en' && tanks.result.some(({ device }) => device.name === 'Garden pond')); }; }; })",
    )
    watched.allowed.append(r"ERR_INTERNET_DISCONNECTED|Failed to load resource")
    watched.context.set_offline(True)
    page.reload()
    expect(page.locator("h1")).to_contain_text("Temperature was high at")
    expect(page.get_by_role("link", name=re.compile("^Temperature"))).to_be_visible()
    inspect(watched, "offline")
    watched.context.set_offline(False)
    expect(page.locator("h1")).to_have_text("Temperature is high")
    seen("the connection again")


def sign_out(watched):
    page = watched.page
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Account").click()
    page.get_by_role("button", name="Sign out", exact=True).first.click()
    page.get_by_role("alertdialog").get_by_role("button", name="Sign out").click()
    expect(page.locator("h1")).to_have_text("AquaMonitor")
    left = page.evaluate(
        "new Promise((resolve) => { const asked = indexedDB.open('aquamonitor');"
        " asked.onsuccess = () => { const got = asked.result.transaction('kept').objectStore('kept').getAllKeys();"
        " got.onsuccess = () => resolve(got.result); }; })"
    )
    if left:
        raise Failed(f"left on the device after signing out: {left}")
    inspect(watched, "sign-in")


def sign_in_by_keyboard(watched):
    page = watched.page
    watched.allowed.append(r"401.*api/v1/sessions")
    page.reload()
    expect(page.locator("h1")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Email")).to_be_focused()
    page.keyboard.type(EMAIL)
    page.keyboard.press("Tab")
    page.keyboard.type("not the password at all")
    page.keyboard.press("Enter")
    password = page.get_by_role("textbox", name="Password")
    answered = page.locator("[aria-invalid=true]").or_(page.get_by_text("The service does not answer."))
    expect(answered).to_be_visible()
    if page.get_by_text("The service does not answer.").is_visible():
        # A password takes a processor for long; a busy machine has the browser wait in vain, as it has people.
        page.keyboard.press("Enter")
    expect(password).to_have_attribute("aria-invalid", "true")
    expect(password).to_be_focused()
    password.fill("")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Temperature is high")
    seen("signing in by the keyboard")
