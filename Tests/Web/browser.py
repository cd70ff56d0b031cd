"""A person's way through the web app, in a real browser against the real service.

browser.py ORIGIN CLAIM-CODE DEVICE     prints a line for each thing that was seen; ends with 0 when all of it was

The line "publish VALUE" asks the test's owner for a reading of the temperature, "endpoint EMAIL" for a webhook of that person's. AQUA_SHOTS names a directory for pictures of
all screens, AQUA_CHROMIUM another browser than Debian's.
"""

import json
import os
import re
import sys
import time
import traceback

from playwright.sync_api import expect, sync_playwright

EMAIL = "ana@example.org"
PASSWORD = "a quiet pond at four"
# The machine may be busy with other tests: facts are awaited for a long time.
PATIENCE = 120_000
VIEWPORT = {"width": 390, "height": 844}
SCHEMES = ("light", "dark")

expect.set_options(timeout=PATIENCE)


class Failed(Exception):
    """Something was not as it should be."""


def ask(line):
    """Asks the test's owner for something, whose effect is awaited on the screen."""
    print(line, flush=True)


def seen(what):
    print("seen:", what, flush=True)


class Watched:
    """A page whose errors and violations of its policy are kept."""

    def __init__(self, browser, **options):
        self.context = browser.new_context(
            viewport=VIEWPORT, locale="en-GB", timezone_id="Europe/Vienna", reduced_motion="reduce", **options
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(
            "document.addEventListener('securitypolicyviolation',"
            " (event) => console.error('policy violated: ' + event.violatedDirective + ' ' + event.blockedURI));"
        )
        self.page = self.context.new_page()
        self.faults = []
        self.allowed = []
        self.page.on("console", self.heard)
        self.page.on("pageerror", lambda error: self.faults.append(f"page error: {error}"))

    def heard(self, message):
        if message.type != "error":
            return
        text = f"{message.text} ({message.location.get('url', '')})"
        # A refusal that a screen shows in words is in the browser's log as well.
        if any(re.search(pattern, text) for pattern in self.allowed):
            return
        self.faults.append(text)

    def require_no_faults(self):
        if self.faults:
            raise Failed("the console has errors:\n  " + "\n  ".join(self.faults))


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


def require_accessible(page, what):
    """axe finds nothing, in either colour scheme."""
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        return
    # As high as its content: what lies under the tabs until one scrolls is no fault.
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": VIEWPORT["width"], "height": max(height, VIEWPORT["height"])})
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        results = Axe().run(
            page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}
        )
        if results.violations_count:
            raise Failed(f"{what}, {scheme}:\n{results.generate_report()}")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(VIEWPORT)


def inspect(watched, name, shots):
    """What holds for every screen."""
    page = watched.page
    expect(page.locator("h1").first).to_be_visible()
    require_narrow(page, name)
    require_accessible(page, name)
    if shots:
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=os.path.join(shots, f"{name}-{scheme}.png"))
        page.emulate_media(color_scheme="light")
    watched.require_no_faults()
    seen(name)


def sign_up(watched, origin, shots):
    page = watched.page
    page.goto(origin)
    expect(page.locator("h1")).to_have_text("Know your water without looking.")
    inspect(watched, "introduction", shots)
    page.get_by_role("link", name="Sign up").click()
    page.get_by_label("Email").fill(EMAIL)
    password = page.get_by_role("textbox", name="Password")
    password.fill("too short")
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_text("This password is too short.")).to_be_visible()
    inspect(watched, "sign-up", shots)
    password.fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator("h1")).to_have_text("No device yet")
    inspect(watched, "home-empty", shots)


def link(watched, code, shots):
    page = watched.page
    page.get_by_role("link", name="Link a device").first.click()
    expect(page.locator("h1")).to_have_text("Link a device")
    watched.allowed.append(r"404.*api/v1/devices")
    page.get_by_label("Code", exact=True).fill("0000-0000-0000")
    page.get_by_label("Name").fill("Koi pond")
    page.get_by_role("button", name="Link", exact=True).click()
    expect(page.get_by_text("No device has this code.")).to_be_visible()
    inspect(watched, "link-device", shots)
    page.get_by_label("Code", exact=True).fill(code.replace("-", "").lower())
    page.get_by_role("button", name="Link", exact=True).click()
    expect(page.locator("h1")).to_have_text("Linked")
    inspect(watched, "home-waiting", shots)


def live(watched, shots):
    """A reading is on the open screen without asking again."""
    ask("publish 21.4")
    expect(watched.page.get_by_role("link", name=re.compile(r"Temperature: 21\.4"))).to_be_visible()
    expect(watched.page.locator("h1")).to_have_text("All fine")
    inspect(watched, "home", shots)


def limit(watched, device, shots):
    """The maximum is changed by the picker, with the keyboard alone."""
    page = watched.page
    page.get_by_role("link", name="Settings").click()
    expect(page.locator("h1")).to_have_text("Settings")
    inspect(watched, "settings", shots)
    page.get_by_role("link", name=re.compile("^Temperature")).click()
    expect(page.locator("h1")).to_have_text("Temperature")
    inspect(watched, "parameter", shots)
    row = page.get_by_role("button", name=re.compile("^Maximum"))
    row.focus()
    page.keyboard.press("Enter")
    wheel = page.get_by_role("listbox", name="Maximum")
    expect(wheel).to_be_focused()
    inspect(watched, "picker", shots)
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
    if kept != ["aquamonitor"]:
        raise Failed(f"kept on the device: {kept}")


def alarm(watched, shots):
    page = watched.page
    ask(f"endpoint {EMAIL}")
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Notifications").click()
    added = page.get_by_role("button", name=re.compile("Nothing was sent there yet"))
    deadline = time.monotonic() + PATIENCE / 1000
    expect(page.get_by_role("button", name="Add an address")).to_be_visible()
    while added.count() == 0:
        if time.monotonic() > deadline:
            raise Failed("the endpoint is not listed")
        page.reload()
        expect(page.get_by_role("button", name="Add an address")).to_be_visible()
    inspect(watched, "notifications", shots)
    ask("publish 25.2")
    page.get_by_role("link", name="Water").click()
    expect(page.locator("h1")).to_have_text("Temperature is high")
    inspect(watched, "home-alarm", shots)
    page.get_by_role("link", name=re.compile("^Alerts")).click()
    row = page.get_by_role("link", name=re.compile("Temperature is high"))
    expect(row).to_be_visible()
    inspect(watched, "alerts", shots)
    row.click()
    expect(page.get_by_text("What was sent")).to_be_visible()
    inspect(watched, "alert", shots)


def others(watched, device, shots):
    """The remaining screens stand, and devices can be renamed."""
    page = watched.page
    page.get_by_role("link", name="Devices").click()
    expect(page.get_by_role("link", name=re.compile("Koi pond"))).to_be_visible()
    inspect(watched, "devices", shots)
    page.get_by_role("link", name=re.compile("Koi pond")).click()
    inspect(watched, "device", shots)
    page.get_by_role("button", name=re.compile("^Name")).click()
    page.get_by_role("textbox", name="Name").fill("Garden pond")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("h1")).to_have_text("Garden pond")
    page.get_by_role("button", name=re.compile("^Place")).click()
    page.get_by_label("Latitude").fill("48,2085")
    page.get_by_label("Longitude").fill("16.3721")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name=re.compile("^Place"))).to_contain_text("48.209")
    page.get_by_role("button", name="Invite somebody").click()
    expect(page.get_by_text(re.compile(r"/join#aqw_"))).to_be_visible()
    inspect(watched, "invitation", shots)
    page.get_by_role("button", name="Close").click()
    page.get_by_role("link", name="Devices").click()
    page.get_by_role("link", name="Where they are").click()
    expect(page.get_by_text("without a map")).to_be_visible()
    inspect(watched, "chart", shots)
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Account").click()
    expect(page.get_by_text("This device")).to_be_visible()
    inspect(watched, "account", shots)
    page.get_by_role("link", name="Water").click()
    page.get_by_role("link", name=re.compile("^Temperature:")).click()
    expect(page.locator("h1")).to_be_visible()
    inspect(watched, "details", shots)
    page.get_by_role("button", name="Back to all values").click()


def languages(watched, shots):
    page = watched.page
    page.get_by_role("link", name="Settings").click()
    for language, title in (("日本語", "設定"), ("Español", "Ajustes"), ("English", "Settings")):
        page.locator("button.row").filter(has=page.locator(".symbol-globe")).click()
        page.get_by_role("button", name=language).click()
        expect(page.locator("h1")).to_have_text(title)
        inspect(watched, f"settings-{page.locator('html').get_attribute('lang')}", shots)
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-scheme", "dark")
    page.get_by_role("button", name="System").click()
    expect(page.locator("html")).not_to_have_attribute("data-scheme", "dark")


def offline(watched, origin, shots):
    """The app opens without a connection, with the last known values marked as old."""
    page = watched.page
    page.goto(origin)
    expect(page.locator("h1")).to_have_text("Temperature is high")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    # What is known is written to the device a moment after it changed.
    page.wait_for_function(
        "new Promise((resolve) => { const asked = indexedDB.open('aquamonitor');"
        " asked.onsuccess = () => { const got = asked.result.transaction('kept').objectStore('kept').get('known');"
        " got.onsuccess = () => { asked.result.close(); resolve(got.result?.devices?.[0]?.name === 'Garden pond'"
        " && got.result.settings.language === 'en'); }; }; })"
    )
    watched.allowed.append(r"ERR_INTERNET_DISCONNECTED|Failed to load resource")
    watched.context.set_offline(True)
    page.reload()
    expect(page.locator("h1")).to_contain_text("Temperature was high at")
    expect(page.get_by_role("link", name=re.compile("^Temperature"))).to_be_visible()
    inspect(watched, "offline", shots)
    watched.context.set_offline(False)
    expect(page.locator("h1")).to_have_text("Temperature is high")
    seen("the connection again")


def sign_out(watched, shots):
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
    inspect(watched, "sign-in", shots)


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
    expect(password).to_have_attribute("aria-invalid", "true")
    expect(password).to_be_focused()
    password.fill("")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Temperature is high")
    seen("signing in by the keyboard")


def main():
    origin, code, device = sys.argv[1:]
    shots = os.environ.get("AQUA_SHOTS")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("AQUA_CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        )
        watched = Watched(browser)
        try:
            sign_up(watched, origin, shots)
            link(watched, code, shots)
            live(watched, shots)
            limit(watched, device, shots)
            alarm(watched, shots)
            others(watched, device, shots)
            languages(watched, shots)
            offline(watched, origin, shots)
            sign_out(watched, shots)
            sign_in_by_keyboard(watched)
            watched.require_no_faults()
        except Exception:
            traceback.print_exc()
            page = watched.page
            print("at", page.url, json.dumps(page.locator("body").inner_text()[:2000]), file=sys.stderr)
            print("console:", *watched.faults, sep="\n  ", file=sys.stderr)
            if shots:
                page.screenshot(path=os.path.join(shots, "failed.png"))
            sys.exit(1)
        finally:
            browser.close()
    print("all seen", flush=True)


main()
