"""A device is linked by its label's symbol, where the browser reads symbols; elsewhere nothing speaks of scanning."""

import re

from playwright.sync_api import expect

from asking import new_device
from inspection import inspect, true_in
from person import pass_questions, sign_up
from watched import Watched, require, seen

# Reads what the test shows it, as soon as the camera's picture arrives.
DETECTOR = """
globalThis.label = "";
globalThis.BarcodeDetector = class {
    static getSupportedFormats() { return Promise.resolve(["qr_code"]); }
    detect(video) {
        if (!(video instanceof HTMLVideoElement) || video.videoWidth === 0) return Promise.reject(new Error("no picture"));
        return Promise.resolve(label === "" ? [] : [{ rawValue: label }]);
    }
};
"""
WITHOUT = "delete globalThis.BarcodeDetector;"


def walk(browser, origin):
    scan(browser, origin)
    refused(browser, origin)
    absent(browser, origin)


def to_link(watched, origin, email, script):
    watched.context.add_init_script(script)
    sign_up(watched, origin, email)
    watched.page.get_by_role("link", name="Link a device").first.click()
    expect(watched.page.locator("h1")).to_have_text("Link a device")
    return watched.page


def scan(browser, origin):
    watched = Watched(browser, permissions=["camera"])
    code = new_device("scanned-tank")
    page = to_link(watched, origin, "rosa@example.org", DETECTOR)
    page.get_by_role("button", name="Scan").click()
    expect(page.get_by_text("Hold the label in the frame")).to_be_visible()
    true_in(page, "document.querySelector('video').videoWidth > 0")
    inspect(watched, "link-device-scan")
    page.evaluate("label = 'https://example.com/a-parcel'")
    expect(page.get_by_text("This label is not one of ours.")).to_be_visible()
    page.evaluate(f"label = {code!r}")
    expect(page.get_by_label("Code", exact=True)).to_have_value(re.compile(".*".join(code.replace("-", "")), re.I))
    expect(page.get_by_role("textbox", name="Name")).to_be_focused()
    require(page.evaluate("document.querySelector('video')?.srcObject ?? null") is None, "the camera is still on")
    page.keyboard.type("Scanned")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Cool pond, a little salt").click()
    page.get_by_role("button", name="Link", exact=True).click()
    pass_questions(page)
    expect(page.locator("h1")).to_have_text("Linked")
    watched.context.close()
    Watched.all.remove(watched)
    seen("a code from the camera")


def refused(browser, origin):
    """Without the camera the person is told, and types."""
    watched = Watched(browser)
    page = to_link(
        watched, origin, "rolf@example.org",
        DETECTOR + "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));",
    )
    page.get_by_role("button", name="Scan").click()
    expect(page.get_by_text("The camera is not available.")).to_be_visible()
    inspect(watched, "link-device-refused")
    page.get_by_role("button", name="Type").click()
    expect(page.get_by_label("Code", exact=True)).to_be_editable()
    seen("a camera that is not lent")


def absent(browser, origin):
    watched = Watched(browser)
    page = to_link(watched, origin, "rita@example.org", WITHOUT)
    expect(page.get_by_label("Code", exact=True)).to_be_editable()
    # Time enough for a button that should not come.
    page.wait_for_timeout(1_000)
    expect(page.get_by_role("button", name="Scan")).to_have_count(0)
    seen("no scanner where there is none")
