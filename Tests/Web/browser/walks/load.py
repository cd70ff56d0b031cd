"""How soon the app can be used on a slow phone: prints figures, asserts none.

It can be used when a stranger may press the way in, and when somebody who is signed in reads the last known value: once that has been drawn.
For strangers the page is whole when their language can be chosen, for then all modules run. Whoever presses the way in at the first moment
waits for the next screen: that is the third figure. Slow 4G (1.6 Mbit/s, 150 ms until an answer begins; connections and their encryption
cost nothing here), a processor four times slower. The Gateway alone over HTTP/1.1, and behind the proxy over HTTP/2.
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
const seen = {
    headline: (main) => main.querySelector("h1"),
    usable: (main) => /21[.,]4/.test(main.textContent) || main.querySelector('a[href="/sign-up"]'),
    whole: (main) => main.querySelector(".languages"),
};
const look = () => {
    const main = document.querySelector("main");
    for (const [name, find] of Object.entries(seen)) {
        if (!main || name in marks || !find(main)) continue;
        marks[name] = undefined;
        // It is drawn with this frame, which is there when the next one begins.
        requestAnimationFrame(() => marks[name] = performance.now());
    }
    requestAnimationFrame(look);
};
look();
"""
# Presses the way in as soon as it is drawn, and tells when the next screen is.
PRESS = """
const next = () => {
    const page = document.querySelector('main a[href="/sign-up"]');
    if (document.querySelector("main input[type=email]")) {
        return void requestAnimationFrame(() => globalThis.arrived = performance.timeOrigin + performance.now() - Number(sessionStorage.began));
    }
    if (page && !sessionStorage.began) {
        sessionStorage.began = performance.timeOrigin;
        return void requestAnimationFrame(() => { page.click(); next(); });
    }
    requestAnimationFrame(next);
};
next();
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
    tell(f"{protocol}, a stranger presses at once", [pressing(browser, origin, **options) for _ in range(RUNS)])
    tell(f"{protocol}, a person's first visit", [person(browser, origin, **options) for _ in range(RUNS)])


def tell(name, visits):
    for figure in visits[0]:
        values = sorted(visit[figure] for visit in visits)
        print(f"{name}, {figure}: median {statistics.median(values):.0f}, {values[0]:.0f} to {values[-1]:.0f}", flush=True)


def stranger(browser, origin, **options):
    fresh = Watched(browser, service_workers="block", **options)
    # As for everybody else, the browser is at work when the visit begins.
    fresh.page.goto(f"{origin}/icons/icon.svg")
    return visit(fresh, Traffic(fresh, fresh.page).session, origin, until="whole")


def pressing(browser, origin, **options):
    fresh = Watched(browser, service_workers="block", **options)
    fresh.page.goto(f"{origin}/icons/icon.svg")
    slow(fresh, PRESS, fresh.context.new_cdp_session(fresh.page))
    fresh.page.goto(origin, wait_until="commit")
    fresh.page.wait_for_url(f"{origin}/sign-up", wait_until="commit")
    true_in(fresh.page, "globalThis.arrived !== undefined")
    return closed(fresh, {"next screen": fresh.page.evaluate("arrived")})


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
    return visit(fresh, fresh.context.new_cdp_session(fresh.page), origin)


def slow(fresh, script, session):
    """What is opened from now on takes as long as on a slow phone, and a script is there before it."""
    fresh.context.add_init_script(script)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_4G)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def visit(fresh, session, origin, until="usable"):
    slow(fresh, MARKS, session)
    fresh.page.goto(origin)
    true_in(fresh.page, f"globalThis.marks?.{until} !== undefined")
    figures = fresh.page.evaluate(
        """({
            paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
            ...marks,
            requests: performance.getEntriesByType("resource").filter((one) => one.startTime < marks.usable).length + 1,
        })"""
    )
    return closed(fresh, figures)


def closed(fresh, figures):
    fresh.context.close()
    Watched.all.remove(fresh)
    return figures
