"""A person's ways through the web app, in a real browser against the real service.

python Tests/Web/browser WALK ORIGIN     prints a line for each thing that was seen; ends with 0 when all of it was

WALK is the name of a module in `walks`. What a walk needs around the browser it asks its test for (`asking`), which answers in the directory
AQUA_ANSWERS. AQUA_SHOTS names a directory for pictures of all screens, AQUA_CHROMIUM another browser than Debian's.
"""

import importlib
import json
import os
import sys
import traceback

from playwright.sync_api import sync_playwright

from watched import CHROMIUM, SHOTS, Watched

CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")


def main():
    name, origin = sys.argv[1:]
    walk = importlib.import_module(f"walks.{name}").walk
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", *CAMERA]
        )
        try:
            walk(browser, origin)
            for watched in Watched.all:
                watched.require_no_faults()
        except Exception:
            tell(name)
            traceback.print_exc()  # last, where a log that is cut still has it
            sys.exit(1)
        finally:
            browser.close()
    print("all seen", flush=True)


def tell(name):
    """Where each person was when it failed, after what each had asked for: of several the last lines are kept."""
    for watched in Watched.all:
        print("asked:", *watched.asked, sep="\n  ", file=sys.stderr)
    for number, watched in enumerate(Watched.all):
        for page in watched.context.pages:
            print("at", page.url, json.dumps(page.locator("body").inner_text()[:1500]), file=sys.stderr)
        print("console:", *watched.faults, sep="\n  ", file=sys.stderr)
        if SHOTS:
            watched.page.screenshot(path=os.path.join(SHOTS, f"failed-{name}-{number}.png"))


main()
