"""A person whom Firefox tells of their water: subscribes through the web app, and is shown what the service sends.

firefox.py ORIGIN PUSH-SERVICE EMAIL PASSWORD     ends with 0 when everything was seen

A line "ask THING" is answered on the standard input by the test's owner once it has happened: "publish VALUE" a reading in °C that a
message follows, "calm VALUE" readings until a message follows, "silent VALUE" one that none follows, "forget" a push service that has
forgotten all browsers until this one is registered again, "subscribed" and "gone" what the service knows.
"""

import os
import sys
import traceback

from marionette import Failed, Firefox, until

PREFERENCES = {
    "dom.push.testing.allowInsecureServerURL": True,
    "dom.push.connection.enabled": True,
    "dom.push.retryBaseInterval": 200,
    # What a person presses on the browser's question, which a headless browser cannot show.
    "permissions.default.desktop-notification": 1,
    # There is no notification service of a desktop: the browser's own alerts.
    "alerts.useSystemBackend": False,
    "dom.serviceWorkers.idle_timeout": 5000,
    "intl.accept_languages": "ja",
    "ui.prefersReducedMotion": 1,
    # Nobody else is called.
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.safebrowsing.downloads.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "browser.aboutwelcome.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "http://127.0.0.1:1/",
    "toolkit.telemetry.server": "",
}

# The app's own words.
SIGN_IN = "サインイン"
SIGN_OUT = "サインアウト"
TURN_ON = "通知をオンにする"
HERE = "この端末への通知"
# The row of the browser itself, among the ways that reach the person.
THIS = "//main//a[starts-with(normalize-space(), 'この端末')]"

SHOWN = """
return (async () => {
    const registration = await navigator.serviceWorker.ready;
    return (await registration.getNotifications()).map((shown) => ({
        title: shown.title, body: shown.body, lang: shown.lang, dir: shown.dir, tag: shown.tag, data: shown.data,
        requireInteraction: shown.requireInteraction, silent: shown.silent,
    }));
})();
"""

# The windows in which the browser shows its alerts, the newest last.
ALERTS = """
return [...Services.wm.getEnumerator("alert:alert")].filter((window) => window.document.readyState === "complete").map((window) => ({
    title: window.document.getElementById("alertTitleLabel").value || window.document.getElementById("alertTitleLabel").textContent,
    text: window.document.getElementById("alertTextLabel").textContent,
}));
"""

PRESS = """
const [title] = arguments;
for (const window of Services.wm.getEnumerator("alert:alert")) {
    const label = window.document.getElementById("alertTitleLabel");
    if ((label.value || label.textContent) !== title) continue;
    label.dispatchEvent(new window.MouseEvent("click", { bubbles: true, cancelable: true, button: 0, view: window }));
    return true;
}
return false;
"""


def ask(line):
    print("ask", line, flush=True)
    if sys.stdin.readline().strip() != "done":
        raise Failed(f"nobody did: {line}")


def seen(what):
    print("seen:", what, flush=True)


def require(condition, what, *found):
    if not condition:
        raise Failed(f"{what}: {found}")


class Person:
    def __init__(self, firefox, origin, email, password):
        self.firefox = firefox
        self.origin = origin
        self.email = email
        self.password = password

    def sign_in(self):
        firefox = self.firefox
        firefox.open(f"{self.origin}/sign-in")
        firefox.type("//input[@name='email']", self.email)
        firefox.type("//input[@name='password']", self.password)
        firefox.click(f"//button[normalize-space()='{SIGN_IN}']")
        firefox.wait_for("//main[@data-screen='/']//h1")
        firefox.run("return navigator.serviceWorker.ready.then(() => true)")

    def turn_on(self):
        firefox = self.firefox
        firefox.open(f"{self.origin}/settings/notifications")
        require(not firefox.run("return navigator.serviceWorker.ready.then((r) => r.pushManager.getSubscription())"), "subscribed unasked")
        firefox.click(f"//button[normalize-space()='{TURN_ON}']")
        firefox.wait_for(THIS)

    def turn_off(self):
        firefox = self.firefox
        firefox.open(f"{self.origin}/settings/notifications")
        firefox.click(THIS)
        firefox.click(f"//button[@role='switch' and @aria-label='{HERE}' and @aria-checked='true']")
        firefox.wait_for(f"//button[normalize-space()='{TURN_ON}']")

    def sign_out(self):
        firefox = self.firefox
        firefox.open(f"{self.origin}/settings/account")
        firefox.click(f"//button[normalize-space()='{SIGN_OUT}']")
        firefox.click(f"//*[@role='alertdialog']//button[normalize-space()='{SIGN_OUT}']")
        firefox.wait_for("//main[@data-screen='/sign-in']//h1")

    def shown(self, what, *parts, purpose="alarm"):
        """The one notification, once its text has these parts."""
        def look():
            all_shown = self.firefox.run(SHOWN)
            hits = [one for one in all_shown if all(part in one["title"] + "\n" + one["body"] for part in parts)]
            return all_shown if hits else None
        all_shown = until(what, look)
        require(len(all_shown) == 1, f"{what} stands beside others", all_shown)
        [notice] = all_shown
        require(notice["lang"] == "ja" and notice["dir"] == "ltr", f"the language of {what}", notice)
        require(notice["data"]["purpose"] == purpose and notice["data"]["device"] == "tank-1", f"the facts of {what}", notice)
        require(notice["data"]["path"] == f"/alerts/{notice['data']['alert']}", f"where {what} leads", notice)
        require(notice["requireInteraction"] == (purpose == "alarm"), f"how long {what} stays", notice)
        seen(f"{what}: {notice['title']} / {notice['body']}")
        return notice

    def press(self, notice):
        """On the alert of the browser, as a person does."""
        until("the browser's alert", lambda: any(one["title"] == notice["title"] for one in self.firefox.run_inside(ALERTS)))
        require(self.firefox.run_inside(PRESS, notice["title"]), "the alert is there to be pressed")


def visit(firefox, origin, email, password):
    person = Person(firefox, origin, email, password)
    person.sign_in()
    person.turn_on()
    ask("subscribed")
    seen("subscribed")

    # 31 °C, and the limit of 75.2 °F.
    ask("publish 31")
    alarm = person.shown("the alarm", "Big tank", "水温", "87.8", "75.2", "°F")
    window = firefox.windows[0]
    person.press(alarm)
    until("the alert's screen", lambda: firefox.url == origin + alarm["data"]["path"])
    firefox.wait_for("//main[@data-screen='/alerts/:alert']//h1")
    require(firefox.windows == [window], "the open window is used", firefox.windows)
    require(firefox.run(SHOWN) == [], "what was pressed goes away")
    seen("a press leads the open window to the alert")

    ask("publish 32")
    reminder = person.shown("a reminder", "89.6", purpose="reminder")
    ask("publish 33")
    later = person.shown("a later reminder", "91.4", purpose="reminder")
    require(alarm["tag"] == reminder["tag"] == later["tag"], "one tag", alarm, reminder, later)
    ask("calm 22")
    recovery = person.shown("the all-clear", "71.6", purpose="recovery")
    require(recovery["tag"] == alarm["tag"], "the tag of the alarm", recovery)

    # Its push service has forgotten it, and no window of the app is open.
    firefox.open("about:blank")
    ask("forget")
    seen("the browser is registered again without a window")
    ask("publish 34")
    alerts = until("an alert without a window", lambda: [one for one in firefox.run_inside(ALERTS) if "93.2" in one["title"] + one["text"]])
    before = firefox.windows
    person.press(alerts[-1])
    opened = until("a new window", lambda: [one for one in firefox.windows if one not in before])
    firefox.switch(opened[0])
    until("the alert's screen in a new window", lambda: firefox.url.startswith(f"{origin}/alerts/"))
    firefox.wait_for("//main[@data-screen='/alerts/:alert']//h1")
    seen("a press opens a window at the alert")

    person.sign_out()
    ask("silent 35")
    require(firefox.run(SHOWN) == [], "nothing is shown to whom has signed out")
    seen("signing out ends it")
    person.sign_in()
    ask("publish 36")
    person.shown("after signing in again", "96.8", purpose="reminder")
    person.turn_off()
    ask("gone")
    seen("turned off, here and at the push service")


def main():
    origin, push_service, email, password = sys.argv[1:]
    preferences = {**PREFERENCES, "dom.push.serverURL": push_service}
    with Firefox(os.environ.get("AQUA_FIREFOX", "/usr/bin/firefox-esr"), preferences) as firefox:
        try:
            visit(firefox, origin, email, password)
        except Exception:
            print(firefox.words(), file=sys.stderr)
            traceback.print_exc()
            try:
                print("at", firefox.url, firefox.run("return document.body.innerText.slice(0, 2000)"), file=sys.stderr)
                print("alerts:", firefox.run_inside(ALERTS), file=sys.stderr)
            except Exception as error:  # It may be gone.
                print(error, file=sys.stderr)
            sys.exit(1)
    print("all seen", flush=True)


main()
