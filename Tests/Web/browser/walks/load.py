"""How long Home takes on a slow phone: prints figures, asserts none.

Slow 4G (1.6 Mbit/s, 150 ms), a processor four times slower; the first visit with nothing cached, and a visit with the app on the device.
"""

import re
import statistics

from playwright.sync_api import expect

from inspection import true_in
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
        if (!marks.headline && document.querySelector("h1")) marks.headline = performance.now();
        if (!marks.value && /21[.,]4/.test(document.querySelector("main")?.textContent ?? "")) return void (marks.value = performance.now());
        requestAnimationFrame(look);
    };
    look();
});
"""


def walk(browser, origin):
    prepare(browser, origin, EMAIL, DEVICE)
    for name, is_first in (("first visit", True), ("app on the device", False)):
        figures = [visit(browser, origin, is_first) for _ in range(RUNS)]
        for figure in ("paint", "headline", "value"):
            times = sorted(one[figure] for one in figures)
            print(f"{name}, {figure}: median {statistics.median(times):.0f} ms, {times[0]:.0f} to {times[-1]:.0f}", flush=True)


def visit(browser, origin, is_first):
    fresh = new_browser_of(browser, origin, EMAIL)
    fresh.context.add_init_script(MARKS)
    if not is_first:
        fresh.page.goto(origin)
        fresh.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        true_in(fresh.page, "navigator.serviceWorker.controller !== null")
        expect(fresh.page.get_by_role("link", name=re.compile(r"Temperature: 21\.4"))).to_be_visible()
        fresh.page.wait_for_timeout(2_500)  # what is known is written to the device two seconds later
        session = fresh.context.new_cdp_session(fresh.page)
        session.send("Network.enable")
    else:
        fresh.page.evaluate(
            "navigator.serviceWorker.getRegistration().then((one) => one?.unregister())"
            ".then(() => caches.keys()).then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => null)"
        )
        session = Traffic(fresh, fresh.page).session
    session.send("Network.emulateNetworkConditions", SLOW_4G)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    fresh.page.goto(origin)
    true_in(fresh.page, "marks.value !== undefined")
    figures = fresh.page.evaluate(
        "({ ...marks, paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0 })"
    )
    fresh.context.close()
    Watched.all.remove(fresh)
    return figures
