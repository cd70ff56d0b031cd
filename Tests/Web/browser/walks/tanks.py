"""The app with 2, 12 and 200 tanks: what is asked of the service, what is written to the device, whom a press concerns. Times are printed,
never asserted.
"""

import json
import os

from playwright.sync_api import expect

from asking import until
from inspection import photograph
from many import MEASURED, serving
from watched import Watched, require, seen

TANKS = (2, 12, 200)
# Figures alone, such as of another version of the app (AQUA_WEB).
MEASURES = os.environ.get("AQUA_ONLY_MEASURE") == "1"
DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
# Rows that are seen at once, with those that are about to be, and those beside the tabs.
MOST_SEEN = 32
EVENTS = 50
# The longest stretch without a frame, the bytes that are kept on the device, and how often.
WATCH = """
globalThis.longest = 0;
new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longest = Math.max(longest, duration); })
    .observe({ type: "longtask", buffered: true });
globalThis.written = 0;
const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (value, key) {
    if (!String(key).startsWith("part")) written += JSON.stringify(value)?.length ?? 0;
    return put.call(this, value, key);
};
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""


def walk(browser, _):
    if not MEASURES:
        lost(browser)
        snoozed(browser)
        answered(browser)
    for tanks in TANKS if MEASURES else TANKS[-1:]:
        for size in (PHONE, DESKTOP):
            measure(browser, tanks, size)
    seen("requests and writes that do not grow with the tanks that nobody looks at")


def opened(browser, origin, size, path="/"):
    watched = Watched(browser, viewport=size, service_workers="block")
    watched.context.add_init_script(WATCH)
    watched.page.goto(origin + path)
    return watched


def closed(watched):
    watched.require_no_faults()
    watched.context.close()
    Watched.all.remove(watched)


def snoozed(browser):
    """Beside the graph the air has the same button for every tank and parameter: it snoozes what the sentence says."""
    other = ("tank-005", "nitrate", "high")
    wrong = [("tank-000", "ph", "high"), ("tank-001", "temperature", "low"), ("tank-002", "dissolved_oxygen", "low"), ("tank-003", "ph", "low")]
    with serving(6) as (service, origin):
        service.outside = {(tank, name): side for tank, name, side in [other, *wrong]}
        watched = opened(browser, origin, DESKTOP)
        page = watched.page
        for tank, name, side in wrong:
            # Another tank's button stood there a moment ago.
            for shown in (other[0], tank):
                page.locator(".air-switcher").click()
                page.locator("button.menu-row").filter(has_text=f"Tank {shown[-3:]}").click()
                expect(page.locator(".air-name")).to_have_text(f"Tank {shown[-3:]}")
            service.posted.clear()
            page.locator(".air-buttons").get_by_role("button", name="Snooze").click()
            page.get_by_role("button", name="30 min").click()
            until(f"{tank} is snoozed", lambda: page.evaluate("1") and service.posted)
            paths = [path for path, _ in service.posted if "/snooze" in path]
            require(paths == [f"/alerts/{tank}.{name}.{side}/snooze"], f"{tank} {name}: {paths}")
            expect(page.locator(".air-buttons").get_by_role("button", name="Cancel snooze")).to_be_visible()
        photograph(page, "snoozed-1440")
        closed(watched)
    seen("what is snoozed is what the sentence says, tank by tank")


def answered(browser):
    """The same of the button beside it: who answers does so for the tank that the sentence names."""
    tanks = [("tank-000", "ph", "high"), ("tank-001", "temperature", "low"), ("tank-002", "dissolved_oxygen", "low")]
    with serving(6) as (service, origin):
        service.outside = {(tank, name): side for tank, name, side in tanks}
        watched = opened(browser, origin, DESKTOP)
        page = watched.page
        for index, (tank, name, side) in enumerate(tanks):
            # Another tank's button stood there a moment ago.
            for shown in (tanks[index - 1][0], tank):
                page.locator(".air-switcher").click()
                page.locator("button.menu-row").filter(has_text=f"Tank {shown[-3:]}").click()
                expect(page.locator(".air-name")).to_have_text(f"Tank {shown[-3:]}")
            service.posted.clear()
            page.locator(".air-buttons").get_by_role("button", name="I'm on it").click()
            expect(page.locator(".on-it")).to_have_text("AYou are on it")
            said = [(path, body) for path, body in service.posted if path.endswith("/answer")]
            about = {"kind": "range", "parameter": name, "side": side, "answer": "onIt"}
            require(said == [(f"/devices/{tank}/answer", about)], f"{tank} {name}: {said}")
            # What nobody answers, one fewer each time; nothing of none.
            expect(page.locator(".tab-badge")).to_have_text(str(len(tanks) - 1 - index))
        expect(page.locator(".tab-badge")).to_be_hidden()
        photograph(page, "answered-1440")
        closed(watched)
    seen("what is answered is what the sentence says, tank by tank")


def lost(browser):
    """A part of the app that does not arrive is asked for again, whether before anything runs or after."""
    for part in ("**/app/main.js", "**/lang/en.js", "**/screens/home/home.js"):
        with serving(1) as (_, origin):
            watched = Watched(browser, viewport=PHONE, service_workers="block")
            watched.context.add_init_script(WATCH)
            watched.allowed.append("ERR_CONNECTION_RESET|Failed to fetch dynamically imported module")
            # What the browser asks for ahead, and what the page needs: both are lost.
            watched.context.route(part, lambda route: route.abort("connectionreset"))
            watched.page.goto(origin)
            watched.page.wait_for_event("framenavigated", lambda frame: frame == watched.page.main_frame)
            watched.context.unroute(part)
            expect(watched.page.locator("h1")).to_be_visible()
            watched.faults.clear()
            closed(watched)
    seen("a part that did not arrive is asked for again")


def measure(browser, tanks, size):
    with serving(tanks) as (service, origin):
        service.outside = {("tank-000", "ph"): "low"}
        watched = opened(browser, origin, size)
        page = watched.page
        figures = {"tanks": tanks, "width": size["width"]}
        # Of many the water opens with all of them.
        if tanks >= 12:
            page.locator("a.tile").filter(has_text="Tank 000").click()
        expect(page.locator(".air-name")).to_have_text("Tank 000")
        expect(page.locator("[data-waiting]")).to_have_count(0)
        figures["home"] = settled(page, service)
        figures["event"] = events(page, service)
        figures["resync"] = resync(page, service)
        page.evaluate("navigation.navigate('/devices')")
        expect(page.locator(".device-card")).to_have_count(tanks)
        figures["devices"] = settled(page, service)
        photograph(page, f"devices-{tanks}-{size['width']}")
        page.evaluate("navigation.navigate('/alerts')")
        expect(page.get_by_role("heading", name="Now")).to_be_visible()
        photograph(page, f"alerts-{tanks}-{size['width']}")
        print(json.dumps(figures), flush=True)
        if not MEASURES:
            series = figures["devices"]["requests"]
            require(series <= MOST_SEEN * len(MEASURED), f"the list of {tanks} devices asks {series} times")
            require(figures["event"]["written"] < 200_000, f"{EVENTS} readings of {tanks} tanks write {figures['event']['written']} characters")
            require(figures["event"]["requests"] == 0, f"readings ask for something: {figures['event']}")
        closed(watched)


def settled(page, service):
    """Once nothing more is asked for."""
    before = None
    for _ in range(60):
        page.wait_for_timeout(700)
        if len(service.asked) == before:
            break
        before = len(service.asked)
    block = page.evaluate("const had = longest; longest = 0; had")
    requests = sum(count for kind, count in service.sizes().items() if kind != "/live")
    return {"requests": requests, "longest": round(block), "written": taken(page)}


def taken(page):
    return page.evaluate("const had = written; written = 0; had")


def events(page, service):
    """What readings of the tanks in turn cost, on average, and what of them is written."""
    # What is fetched at leisure comes two seconds after the first values, and is no reading's.
    page.wait_for_timeout(2_500)
    settled(page, service)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    worked = lambda: next(one["value"] for one in session.send("Performance.getMetrics")["metrics"] if one["name"] == "TaskDuration")  # noqa: E731
    begin = worked()
    for number in range(EVENTS):
        tank = service.names[number % len(service.names)]
        service.read(tank, 8 + number / 1000 + 0.001)
        page.wait_for_timeout(80)
    spent = worked() - begin
    page.wait_for_timeout(1_000)
    figures = {**settled(page, service), "ms": round(spent / EVENTS * 1000, 1)}
    # Whoever leaves the app has everything written; whoever comes back reads what they missed.
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    page.wait_for_timeout(500)
    figures["written"] += taken(page)
    page.evaluate("dispatchEvent(new Event('pageshow'))")
    settled(page, service)
    return figures


def resync(page, service):
    """Somebody changed a limit elsewhere."""
    service.tell("resync", {})
    return settled(page, service)
