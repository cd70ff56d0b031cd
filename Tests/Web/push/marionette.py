"""Firefox, driven by its own protocol (Marionette): commands of WebDriver as JSON over TCP."""

import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

# The machine may be busy with other tests: facts are awaited for a long time.
PATIENCE = 180
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Failed(Exception):
    """Something was not as it should be."""


def until(what, look):
    """Awaits a fact that nothing announces; returns it."""
    deadline = time.monotonic() + PATIENCE
    last = None
    while True:
        try:
            found = look()
            if found:
                return found
            last = found
        except Refused as error:
            # A page that is just being left, or an element that is not there yet.
            last = error
        if time.monotonic() > deadline:
            raise Failed(f"{what} did not come; last: {last}")
        time.sleep(0.1)


class Refused(Exception):
    """A command that the browser could not follow."""


PR_SET_PDEATHSIG = 1


def die_with_parent():
    """Linux ends this process with the one that started it, however that ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Firefox:
    """A headless Firefox with a profile of its own, which ends with this object's scope."""

    def __init__(self, program, preferences):
        self.program = program
        self.preferences = preferences
        self.profile = None
        self.process = None
        self.socket = None
        self.number = 0

    def __enter__(self):
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        home = os.environ["HOME"]
        os.makedirs(home, mode=0o700, exist_ok=True)
        self.profile = tempfile.mkdtemp(prefix="firefox-", dir=home)
        with open(os.path.join(self.profile, "user.js"), "w", encoding="utf-8") as file:
            for name, value in {"marionette.port": 0, **self.preferences}.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        self.log = open(os.path.join(self.profile, "log"), "w", encoding="utf-8")
        self.process = subprocess.Popen(
            [self.program, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", self.profile],
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            preexec_fn=die_with_parent,
            env={**os.environ, "HOME": self.profile, "MOZ_CRASHREPORTER_DISABLE": "1"},
        )
        try:
            port = until("Marionette's port", self.port)
            self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            self.stream = self.socket.makefile("rwb")
            self.receive()
            self.call("WebDriver:NewSession", capabilities={"alwaysMatch": {"unhandledPromptBehavior": "accept"}})
            self.call("WebDriver:SetTimeouts", script=PATIENCE * 1000, pageLoad=PATIENCE * 1000, implicit=0)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.socket:
            self.socket.close()
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def port(self):
        if self.process.poll() is not None:
            raise Failed(f"Firefox has ended:\n{self.words()}")
        try:
            with open(os.path.join(self.profile, "MarionetteActivePort"), encoding="utf-8") as file:
                return int(file.read())
        except (OSError, ValueError):
            return None

    def words(self):
        """What Firefox has said itself."""
        self.log.flush()
        with open(os.path.join(self.profile, "log"), encoding="utf-8", errors="replace") as file:
            return "".join(file.readlines()[-60:])

    # Frames are a length in decimal digits, a colon and JSON.

    def receive(self):
        digits = b""
        while (byte := self.stream.read(1)) != b":":
            if not byte:
                raise Failed(f"Firefox has ended:\n{self.words()}")
            digits += byte
        return json.loads(self.stream.read(int(digits)))

    def call(self, command, **parameters):
        self.number += 1
        text = json.dumps([0, self.number, command, parameters]).encode()
        self.stream.write(b"%d:" % len(text) + text)
        self.stream.flush()
        while True:
            kind, number, error, result = self.receive()
            if kind == 1 and number == self.number:
                break
        if error:
            raise Refused(f"{command}: {error['error']}: {error['message']}")
        return result.get("value") if isinstance(result, dict) and set(result) == {"value"} else result

    # What one does with a browser.

    def open(self, url):
        self.call("WebDriver:Navigate", url=url)

    @property
    def url(self):
        return self.call("WebDriver:GetCurrentURL")

    @property
    def windows(self):
        return self.call("WebDriver:GetWindowHandles")

    def switch(self, window):
        self.call("WebDriver:SwitchToWindow", handle=window)

    def run(self, script, *arguments):
        """Runs a script in the page; what it returns may be a promise."""
        return self.call("WebDriver:ExecuteScript", script=script, args=list(arguments), sandbox=None, newSandbox=False)

    def run_inside(self, script, *arguments):
        """Runs a script in the browser itself, with its rights."""
        self.call("Marionette:SetContext", value="chrome")
        try:
            return self.call("WebDriver:ExecuteScript", script=script, args=list(arguments))
        finally:
            self.call("Marionette:SetContext", value="content")

    def find(self, path):
        return self.call("WebDriver:FindElement", using="xpath", value=path)[ELEMENT]

    def wait_for(self, path):
        return until(path, lambda: self.find(path))

    def click(self, path):
        """Presses an element as soon as it is there and nothing covers it."""
        until(f"pressing {path}", lambda: (self.call("WebDriver:ElementClick", id=self.find(path)), True))

    def type(self, path, text):
        self.call("WebDriver:ElementSendKeys", id=self.wait_for(path), text=text)
