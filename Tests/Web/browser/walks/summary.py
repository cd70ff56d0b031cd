"""What a person is told regularly: a summary is chosen, its day and its time, one is sent at once, and which ways get the weekly note. The
service is a stand-in, since no real week passes while a walk looks.
"""

from playwright.sync_api import expect

from inspection import inspect, open_in, photograph, require_narrow
from many import at, serving
from watched import Watched, require, seen

PATH = "/settings/summary"
SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""


def walk(browser, _):
    with serving(1) as (service, origin):
        watched = Watched(browser, service_workers="block", locale="en-GB")
        watched.context.add_init_script(SIGNED_IN)
        chosen(watched, service, origin)
        timed(watched, service)
        sent(watched, service)
        notes(watched, service)
        narrow(watched)
        languages(watched, service, origin)
        mute(watched, service, origin)


def wishes(service):
    return [body for path, body in service.posted if path == "/summary"]


def told(page):
    """Until the service has answered what was chosen: the screen shows the choice before."""
    return page.expect_response(lambda answer: answer.request.method == "PUT" and answer.url.endswith("/summary"))


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def chosen(watched, service, origin):
    """Off until it is chosen; the settings say which."""
    page = watched.page
    page.goto(origin + "/settings")
    row = page.get_by_role("link", name="Summary")
    expect(row).to_contain_text("Off")
    row.click()
    expect(page.locator("h1")).to_have_text("Summary")
    expect(button(page, "Off")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_label("Time")).to_be_hidden()
    inspect(watched, "summary-off")
    service.summary["nextAt"] = at(90_000)
    with told(page):
        button(page, "Weekly").click()
    expect(page.get_by_text("Tells of the seven days before.")).to_be_visible()
    expect(page.get_by_text("The next one comes on")).to_be_visible()
    require(wishes(service)[-1]["rhythm"] == "weekly", "the service was told")
    inspect(watched, "summary-weekly")
    seen("a summary that was chosen")


def timed(watched, service):
    """Its day and its time."""
    page = watched.page
    page.get_by_role("button", name="Day").click()
    with told(page):
        page.get_by_role("button", name="Sunday").click()
    expect(page.get_by_role("button", name="Day")).to_contain_text("Sunday")
    with told(page):
        page.get_by_label("Time").fill("09:15")
    require(wishes(service)[-1]["at"] == "09:15" and wishes(service)[-1]["weekday"] == "sunday", "day and time were told")
    with told(page):
        button(page, "Daily").click()
    expect(page.get_by_role("button", name="Day")).to_be_hidden()
    seen("its day and its time")


def sent(watched, service):
    """One is sent at once."""
    page = watched.page
    button(page, "Send me one now").click()
    expect(page.get_by_text("It is on its way.")).to_be_visible()
    require([path for path, _ in service.posted].count("/summaries") == 1, "one was asked for")
    seen("one that was asked for")


def notes(watched, service):
    """Which ways get the weekly note."""
    page = watched.page
    with told(page):
        page.get_by_role("button", name="All ways").click()
    expect(page.get_by_role("button", name="All ways")).to_have_attribute("aria-pressed", "true")
    require(wishes(service)[-1]["weeklyNote"] == "all", "the service was told of the note")
    seen("the weekly note")


def narrow(watched):
    """Text of twice the size is not cut (WCAG 1.4.4)."""
    page = watched.page
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    require_narrow(page, f"{PATH} with text of twice the size")
    photograph(page, "large-summary")


def languages(watched, service, origin):
    page = watched.page
    for language in ("es", "ja", "de"):
        open_in(language, page, service, origin + PATH)
        expect(page.locator(".summary-rhythm")).to_be_visible()
        require_narrow(page, f"{PATH} in {language}")
        photograph(page, f"summary-{language}")
    service.language = "en"
    page.evaluate("localStorage.setItem('aqua-language', 'en')")
    seen("the screen in each language")


def mute(watched, service, origin):
    """A browser that takes its notes and confirms none is named, on the first screen too."""
    page = watched.page
    service.ways = [
        {
            "id": 1, "channel": "webPush", "service": None, "host": "fcm.googleapis.com", "state": "active", "registeredAt": at(-9e6),
            "nothingSince": None, "lastAcceptedAt": at(-90_000), "lastArrivedAt": at(-2e6), "lastArrivedAfterMilliseconds": 800,
            "unconfirmedSince": at(-7e5), "lastFailure": None, "lastStatus": 201, "formerSecretUntil": None, "heedsQuietHours": True,
        },
        {
            "id": 2, "channel": "ntfy", "service": "ntfy", "host": "ntfy.sh", "state": "active", "registeredAt": at(-9e6),
            "nothingSince": None, "lastAcceptedAt": at(-90_000), "lastArrivedAt": None, "lastArrivedAfterMilliseconds": None,
            "lastFailure": None, "lastStatus": 200, "formerSecretUntil": None, "heedsQuietHours": True,
        },
    ]  # fmt: skip
    page.goto(origin + "/settings/notifications")
    expect(page.locator("h1")).to_have_text("One way is broken")
    expect(page.locator("header")).to_contain_text("has stopped confirming")
    expect(page.get_by_text("not confirmed since").first).to_be_visible()
    inspect(watched, "ways-mute")
    page.goto(origin + "/settings/notifications/1")
    expect(page.get_by_text("confirms none any more")).to_be_visible()
    page.goto(origin + "/")
    expect(page.get_by_text("A way to reach you is broken")).to_be_visible()
    seen("a way that stopped confirming")
