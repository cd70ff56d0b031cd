"""How smoothly ten thousand points move on a slow phone: prints figures, asserts none but that all are there.

A processor four times slower, a window of a phone; the map is dragged by a finger for three seconds, a step a frame. A frame is counted when the browser begins
the next one; the work of a step is what it keeps the main thread.
"""

import statistics

from many import serving
from river import River
from asking import until
from walks.change import SIGNED_IN
from watched import Watched, require

POINTS = 10_000
SLOWER = 4
# Drags the map around in circles, a step in each frame, and tells the frames and what each step cost.
DRAG = """
(seconds) => new Promise((resolve) => {
    const target = document.querySelector(".map-window");
    const box = target.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const send = (type, turn) => target.dispatchEvent(new PointerEvent(type, {
        pointerId: 1, pointerType: "touch", isPrimary: true, bubbles: true, cancelable: true,
        clientX: x + 60 * Math.cos(turn), clientY: y + 60 * Math.sin(turn),
    }));
    target.setPointerCapture = () => {};
    const frames = [], costs = [];
    const began = performance.now();
    let last = began, turn = 0;
    send("pointerdown", 0);
    const step = (now) => {
        frames.push(now - last);
        last = now;
        if (now - began > seconds * 1000) {
            send("pointerup", turn);
            return resolve({ frames: frames.slice(1), costs });
        }
        const start = performance.now();
        send("pointermove", turn += 0.1);
        costs.push(performance.now() - start);
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
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(f"{origin}/change")
        until("they are drawn", lambda: page.evaluate("(document.querySelector('.change-many')?.width ?? 0) > 300 && !document.querySelector('.change-many').hidden"))
        require(page.locator(".change-mark").count() == 0, "so many are no elements")
        until("all have come", lambda: page.evaluate("document.querySelectorAll('.change-table tbody > tr').length") == 100)
        told = page.evaluate(DRAG, 3)
        frames, costs = sorted(told["frames"]), sorted(told["costs"])
        print(
            f"{POINTS} points, {SLOWER} times slower: {1000 / statistics.mean(frames):.0f} frames a second, p95 of a frame {frames[int(len(frames) * 0.95)]:.1f} ms; "
            f"a step costs {statistics.median(costs):.1f} ms, p95 {costs[int(len(costs) * 0.95)]:.1f} ms",
            flush=True,
        )
