"""A new version is offered, and nothing that is being typed is lost by it."""

from playwright.sync_api import expect

from asking import ask
from inspection import inspect, true_in
from person import sign_up
from watched import Watched, require, seen

FILE = "screens/devices/link/link-form.js"
CACHES = "caches.keys().then((names) => names.sort())"


def walk(browser, origin):
    watched = Watched(browser)
    page = watched.page
    sign_up(watched, origin, "uma@example.org")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    true_in(page, "navigator.serviceWorker.controller !== null")
    other = watched.open()
    other.goto(f"{origin}/settings")
    expect(other.locator("h1")).to_have_text("Settings")
    former = page.evaluate(CACHES)
    require(len(former) == 1, f"caches: {former}")
    type_and_release(watched)
    take_over(watched, former)
    elsewhere(other)


def type_and_release(watched):
    page = watched.page
    page.get_by_role("link", name="Link a device").first.click()
    expect(page.get_by_text("The code is printed inside the lid.")).to_be_visible()
    page.get_by_label("Code", exact=True).fill("7KQ2-M8XD")
    page.get_by_label("Name").fill("Half a na")
    # The connection breaks off while the service starts again.
    watched.allowed.append(r"ERR_|Failed to load|50[23] ")
    ask("release", FILE, 't("devices.code_where")', '"Look for the code inside the lid."')
    page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update()).then(() => null)")
    expect(page.get_by_text("A new version is ready")).to_be_visible()
    expect(page.get_by_label("Name")).to_have_value("Half a na")
    page.get_by_label("Name").press_sequentially("me")
    expect(page.get_by_label("Name")).to_have_value("Half a name")
    expect(page.get_by_text("The code is printed inside the lid.")).to_be_visible()
    inspect(watched, "update")
    seen("the offer of a new version")


def take_over(watched, former):
    page = watched.page
    page.get_by_role("button", name="Update").click()
    expect(page.get_by_text("Look for the code inside the lid.")).to_be_visible()
    expect(page.get_by_label("Code", exact=True)).to_have_value("7KQ2-M8XD")
    expect(page.get_by_label("Name")).to_have_value("Half a name")
    true_in(page, "navigator.serviceWorker.controller?.state === 'activated'")
    now = page.evaluate(CACHES)
    require(len(now) == 1 and now != former, f"caches: {now}, before {former}")
    expect(page.get_by_text("A new version is ready")).to_have_count(0)
    page.reload()
    expect(page.get_by_text("Look for the code inside the lid.")).to_be_visible()
    expect(page.get_by_label("Name")).to_have_value("")
    seen("the new version, with what was typed")


def elsewhere(other):
    """Another window of the former version goes over to the new one where nothing is lost: at its next screen."""
    expect(other.get_by_text("A new version is ready")).to_have_count(0)
    other.evaluate("globalThis.former = true")
    other.get_by_role("link", name="Devices").click()
    expect(other.locator("h1")).to_have_text("Devices")
    true_in(other, "globalThis.former === undefined")
    other.get_by_role("link", name="Link a device").first.click()
    expect(other.get_by_text("Look for the code inside the lid.")).to_be_visible()
    seen("the new version in another window")
