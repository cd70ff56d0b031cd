"""How smoothly ten thousand points move on a slow phone: prints figures, asserts none but that all are there.

A processor four times slower, a window of a phone; a finger drags the map in circles for three seconds, 14 pixels a frame and 280 across, so that it is drawn
again on the way. A frame is counted when the browser begins the next one; its work is how long the main thread is busy for it. AQUA_WEB names another version
of the app, to compare with in the same minute.
"""

import statistics

from many import serving
from river import River
from asking import until
from walks.change import SIGNED_IN
from watched import Watched, require

POINTS = 10_000
SLOWER = 4
# Drags the map around in circles, a step in each frame, and tells the length of the frames.
DRAG = """
(seconds) => new Promise((resolve) => {
    const target = document.querySelector(".map-window");
    const box = target.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const send = (type, turn) => target.dispatchEvent(new PointerEvent(type, {
        pointerId: 1, pointerType: "touch", isPrimary: true, bubbles: true, cancelable: true, buttons: type === "pointerup" ? 0 : 1,
        clientX: x + 140 * Math.cos(turn), clientY: y + 140 * Math.sin(turn),
    }));
    target.setPointerCapture = () => {};
    const frames = [];
    const began = performance.now();
    let last = began, turn = 0;
    send("pointerdown", 0);
    const step = (now) => {
        frames.push(now - last);
        last = now;
        if (now - began > seconds * 1000) {
            send("pointerup", turn);
            return resolve(frames.slice(1));
        }
        send("pointermove", turn += 0.1);
        requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
})
"""


def walk(browser, _):
    with serving(1, River) as (service, origin):
        service.count = POINTS
        watched = Watched(browser, service_workers="block", locale="en-GB")
        watched.context.add_init_script(SIGNED_IN)
        page = watched.page
        browser_side = page.context.new_cdp_session(page)
        browser_side.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        browser_side.send("Performance.enable")
        page.goto(f"{origin}/change")
        until("they are drawn", lambda: page.evaluate("(document.querySelector('.change-many')?.width ?? 0) > 300 && !document.querySelector('.change-many').hidden"))
        require(page.locator(".change-mark").count() == 0, "so many are no elements")
        until("all have come", lambda: page.evaluate("document.querySelectorAll('.change-table tbody > tr').length") == 100)
        before = busy(browser_side)
        frames = sorted(page.evaluate(DRAG, 3))
        work = (busy(browser_side) - before) / len(frames)
        print(
            f"{POINTS} points, {SLOWER} times slower: {1000 / statistics.mean(frames):.0f} frames a second, p95 of a frame "
            f"{frames[int(len(frames) * 0.95)]:.1f} ms; a frame keeps the main thread {1000 * work:.1f} ms",
            flush=True,
        )


def busy(browser_side):
    """Seconds in which the main thread has worked."""
    return next(metric["value"] for metric in browser_side.send("Performance.getMetrics")["metrics"] if metric["name"] == "TaskDuration")
