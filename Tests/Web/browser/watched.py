"""A page whose errors are kept, and how long facts are awaited."""

import collections
import os
import re
import time
import urllib.parse

from playwright.sync_api import expect

# The machine may be busy with other tests: facts are awaited for a long time.
PATIENCE = int(os.environ.get("AQUA_PATIENCE", "120_000"))
VIEWPORT = {"width": 390, "height": 844}
SCHEMES = ("light", "dark")
CHROMIUM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "chromium")
SHOTS = os.environ.get("AQUA_SHOTS")

expect.set_options(timeout=PATIENCE)


class Failed(Exception):
    """Something was not as it should be."""


def require(is_so, what):
    if not is_so:
        raise Failed(what)


def seen(what):
    print("seen:", what, flush=True)


class Watched:
    """A browser context with a page, whose errors and violations of its policy are kept."""

    all = []

    def __init__(self, browser, **options):
        chosen = {"viewport": VIEWPORT, "locale": "en-GB", "timezone_id": "Europe/Vienna", "reduced_motion": "reduce"}
        self.context = browser.new_context(**{**chosen, **options})
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(
            "document.addEventListener('securitypolicyviolation',"
            " (event) => console.error('policy violated: ' + event.violatedDirective + ' ' + event.blockedURI));"
        )
        self.faults = []
        # Whoever asks too early for what takes the service long asks again, when it says so.
        self.allowed = [r"429.*/(why|back-test)"]
        # What was last asked of the service, and what became of it.
        self.asked = collections.deque(maxlen=40)
        self.context.on("response", lambda response: self.note(response.request, response.status))
        self.context.on("requestfailed", lambda request: self.note(request, request.failure))
        self.page = self.open()
        Watched.all.append(self)

    def open(self):
        """Another page of the same person."""
        page = self.context.new_page()
        page.on("console", self.heard)
        page.on("pageerror", lambda error: self.faults.append(f"page error: {error}"))
        return page

    def note(self, request, end):
        path = urllib.parse.urlsplit(request.url).path
        if path.startswith("/api/"):
            self.asked.append(f"{time.strftime('%H:%M:%S')} {request.method} {path} {end}")

    def heard(self, message):
        if message.type != "error":
            return
        text = f"{message.text} ({message.location.get('url', '')})"
        # A refusal that a screen shows in words is in the browser's log as well.
        if any(re.search(pattern, text) for pattern in self.allowed):
            return
        self.faults.append(text)

    def require_no_faults(self):
        require(not self.faults, "the console has errors:\n  " + "\n  ".join(self.faults))
