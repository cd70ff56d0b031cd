"""Phones: what an iPhone needs, when a browser is asked, large text, and no connection in each language."""

import re

from playwright.sync_api import expect

from asking import new_device, publish
from inspection import inspect, photograph, require_accessible, true_in
from person import link, sign_up
from watched import Watched, require, seen

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/17.5 Mobile/15E148 Safari/604.1"
)
DEVICE = "phone-tank"
# Safari on an iPhone has push only in apps on the Home Screen.
WITHOUT_PUSH = "delete globalThis.PushManager; delete globalThis.Notification;"
ASKED = """
globalThis.asked = 0;
Notification.requestPermission = () => { globalThis.asked += 1; return Promise.resolve("default"); };
"""


def walk(browser, origin):
    iphone(browser, origin)
    asked(browser, origin)
    watched = Watched(browser)
    sign_up(watched, origin, "zoe@example.org")
    link(watched, new_device(DEVICE), "Lotus")
    publish(DEVICE, temperature=21.4)
    expect(watched.page.locator("h1")).to_have_text("All fine")
    large(watched, origin)
    offline(watched, origin)


def to_notifications(page):
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Notifications").click()
    expect(page.locator("h1")).to_have_text("Nothing reaches you")


def iphone(browser, origin):
    watched = Watched(browser, user_agent=IPHONE, has_touch=True, is_mobile=True)
    watched.context.add_init_script(WITHOUT_PUSH)
    page = watched.page
    sign_up(watched, origin, "ines@example.org")
    to_notifications(page)
    expect(page.get_by_text("First, add it to your Home Screen")).to_be_visible()
    for step in ("1. Tap Share", "2. Choose “Add to Home Screen”", "3. Open AquaMonitor from there"):
        expect(page.get_by_text(step)).to_be_visible()
    require(page.get_by_role("button", name="Turn on alerts").count() == 0, "there is a button that cannot work")
    inspect(watched, "notifications-iphone")
    manifest = page.evaluate(
        "fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json())"
    )
    require(manifest["display"] == "standalone", f"the app on the Home Screen is {manifest['display']}")
    icon = page.evaluate("document.querySelector('link[rel=apple-touch-icon]').href")
    require(page.request.get(icon).ok, f"{icon} does not come")
    seen("what an iPhone needs")


def asked(browser, origin):
    """The browser's question comes after a press of the button that tells the reason, never before."""
    watched = Watched(browser)
    watched.context.add_init_script(ASKED)
    page = watched.page
    sign_up(watched, origin, "nora@example.org")
    for tab in ("Alerts", "Devices", "Settings", "Water"):
        page.get_by_role("link", name=tab, exact=True).click()
        expect(page.locator("h1")).to_be_visible()
    to_notifications(page)
    expect(page.get_by_role("button", name="Turn on alerts")).to_be_visible()
    expect(page.get_by_text("No news, no offers.")).to_be_visible()
    inspect(watched, "notifications-off")
    require(page.evaluate("asked") == 0, "the browser was asked before the person pressed anything")
    page.get_by_role("button", name="Turn on alerts").click()
    true_in(page, "asked === 1")
    # Whoever closes the question without an answer may press again.
    expect(page.get_by_role("button", name="Turn on alerts")).to_be_enabled()
    seen("the question, at the right moment")


def large(watched, origin):
    """Text of twice the size: nothing is cut, nothing runs out of the window (WCAG 1.4.4)."""
    page = watched.page
    for path in ("/", f"/p/{DEVICE}/temperature", "/alerts", "/devices", "/settings", "/settings/account", "/settings/notifications"):
        page.goto(origin + path)
        expect(page.locator("h1").first).to_be_visible()
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        expect(page.locator("[data-waiting], [data-loading]")).to_have_count(0)
        page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        photograph(page, f"large{path.replace('/', '-')}")
        require_accessible(page, f"{path} with text of twice the size")
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        require(wide <= 1, f"{path} is {wide} px too wide with text of twice the size: {page.evaluate(OUTSIDE)}")
        cut = page.evaluate(CUT)
        require(not cut, f"{path} cuts text of twice the size: {cut}")
    seen("text of twice the size")


OUTSIDE = """
[...document.querySelectorAll("main *, nav *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
    .slice(0, 5).map((e) => `${e.className || e.tagName} to ${e.getBoundingClientRect().right}`)
"""

# What holds text that is larger than its own box, which hides what runs over.
CUT = """
[...document.querySelectorAll("main *, nav *")].filter((e) => {
    if (e.closest("svg, .visually-hidden, [aria-hidden=true], select, table") || e.clientWidth < 2 || e.clientHeight < 2) return false;
    if (![...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "")) return false;
    const style = getComputedStyle(e);
    const hides = (overflow) => overflow === "hidden" || overflow === "clip";
    return (hides(style.overflowX) && e.scrollWidth > e.clientWidth + 1)
        || (hides(style.overflowY) && e.scrollHeight > e.clientHeight + 1);
}).slice(0, 5).map((e) => `${e.className || e.tagName}: ${e.textContent}`)
"""


def offline(watched, origin):
    page = watched.page
    page.goto(origin)
    expect(page.locator("h1")).to_have_text("All fine")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    watched.allowed.append(r"ERR_INTERNET_DISCONNECTED|Failed to load resource")
    languages = (
        ("日本語", "設定", "ja", re.compile("時点の表示")),
        ("Español", "Ajustes", "es", re.compile("^Visto a las? ")),
        ("Deutsch", "Einstellungen", "de", re.compile("^Gesehen um ")),
        ("English", "Settings", "en", re.compile("^Seen at")),
    )
    for language, title, code, marked in languages:
        page.locator("nav a[href='/settings']").first.click()
        page.locator("button.row").filter(has=page.locator(".symbol-globe")).click()
        page.get_by_role("button", name=language).click()
        expect(page.locator("h1")).to_have_text(title)
        true_in(page, KEPT, code)
        watched.context.set_offline(True)
        page.goto(origin)
        expect(page.locator("html")).to_have_attribute("lang", code)
        expect(page.locator("h1")).to_have_text(marked)
        expect(page.get_by_role("link", name=re.compile("21[.,]4"))).to_be_visible()
        inspect(watched, f"offline-{code}")
        page.locator("nav a[href='/alerts']").first.click()
        expect(page.locator("h1")).to_be_visible()
        page.locator("nav a[href='/settings']").first.click()
        expect(page.locator("h1")).to_have_text(title)
        watched.context.set_offline(False)
        page.locator("nav a[href='/']").first.click()
        expect(page.locator("h1")).not_to_have_text(marked)
        seen(f"without a connection, {code}")


KEPT = """
(language) => new Promise((resolve) => {
    const asked = indexedDB.open("aquamonitor");
    asked.onsuccess = () => {
        const got = asked.result.transaction("kept").objectStore("kept").get("overview");
        got.onsuccess = () => { asked.result.close(); resolve(got.result?.settings?.language === language); };
    };
})
"""
