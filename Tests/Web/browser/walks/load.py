"""How soon the app can be used on a slow phone: prints figures, asserts none.

It can be used when a stranger may press the way in, and when somebody who is signed in reads the last known value. Slow 4G (1.6 Mbit/s,
150 ms until an answer begins; connections and their encryption cost nothing here), a processor four times slower. The Gateway alone over
HTTP/1.1, and behind the proxy over HTTP/2.
"""

import re
import statistics

from playwright.sync_api import expect

from inspection import true_in
from proxy import proxied
from walks.budgets import Traffic, new_browser_of, prepare
from watched import Watched

EMAIL = "lea@example.org"
DEVICE = "load-tank"
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
SLOWER = 4
RUNS = 5
MARKS = """
globalThis.marks = {};
addEventListener("DOMContentLoaded", () => {
    const look = () => {
        const main = document.querySelector("main");
        if (!marks.headline && main.querySelector("h1")) marks.headline = performance.now();
        if (/21[.,]4/.test(main.textContent) || main.querySelector('a[href="/sign-up"]')) return void (marks.usable = performance.now());
        requestAnimationFrame(look);
    };
    look();
});
"""


def walk(browser, origin):
    prepare(browser, origin, EMAIL, DEVICE)
    measure("HTTP/1.1", browser, origin)
    tell("HTTP/1.1, app on the device", [kept(browser, origin) for _ in range(RUNS)])
    with proxied(origin) as (public, options):
        if public:
            measure("HTTP/2", browser, public, **options)
        else:
            print("There is no Caddy: HTTP/2 is not measured.", flush=True)


def measure(protocol, browser, origin, **options):
    tell(f"{protocol}, a stranger's first visit", [stranger(browser, origin, **options) for _ in range(RUNS)])
    tell(f"{protocol}, a person's first visit", [person(browser, origin, **options) for _ in range(RUNS)])


def tell(name, visits):
    for figure in visits[0]:
        values = sorted(visit[figure] for visit in visits)
        print(f"{name}, {figure}: median {statistics.median(values):.0f}, {values[0]:.0f} to {values[-1]:.0f}", flush=True)


def stranger(browser, origin, **options):
    fresh = Watched(browser, service_workers="block", **options)
    # As for everybody else, the browser is at work when the visit begins.
    fresh.page.goto(f"{origin}/icons/icon.svg")
    return visit(fresh, Traffic(fresh, fresh.page).session, origin)


def person(browser, origin, **options):
    fresh = new_browser_of(browser, origin, EMAIL, service_workers="block", **options)
    return visit(fresh, Traffic(fresh, fresh.page).session, origin)


def kept(browser, origin):
    """Opened from a device that has the app and what was known."""
    fresh = new_browser_of(browser, origin, EMAIL)
    fresh.page.goto(origin)
    fresh.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    true_in(fresh.page, "navigator.serviceWorker.controller !== null")
    expect(fresh.page.get_by_role("link", name=re.compile(r"Temperature: 21\.4"))).to_be_visible()
    fresh.page.wait_for_timeout(2_500)  # what is known is written to the device two seconds later
    session = fresh.context.new_cdp_session(fresh.page)
    session.send("Network.enable")
    return visit(fresh, session, origin)


def visit(fresh, session, origin):
    fresh.context.add_init_script(MARKS)
    session.send("Network.emulateNetworkConditions", SLOW_4G)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    fresh.page.goto(origin)
    true_in(fresh.page, "globalThis.marks?.usable !== undefined")
    figures = fresh.page.evaluate(
        """({
            paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
            ...marks,
            requests: performance.getEntriesByType("resource").filter((one) => one.startTime < marks.usable).length + 1,
        })"""
    )
    fresh.context.close()
    Watched.all.remove(fresh)
    return figures
