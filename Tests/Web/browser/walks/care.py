"""What is due, the calendar and reminders, against a stand-in that goes away and comes back: every tick is kept at once and sent once."""

import re

from playwright.sync_api import expect

from asking import until
from inspection import inspect, photograph, require_narrow, true_in
from keeper import ANA, LINK, ME, Keeper, pond
from many import at, serving
from watched import Watched, require, seen

TABLET = {"width": 834, "height": 1112}
DESKTOP = {"width": 1440, "height": 900}
SETUP = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""
NO_ANSWER = r"ERR_EMPTY_RESPONSE|ERR_CONNECTION|ERR_SOCKET|ERR_INTERNET_DISCONNECTED"


def walk(browser, _):
    with serving(4, Keeper) as (service, origin):
        pond(service)
        due(browser, service, origin)
        elsewhere(browser, service, origin)
        by_link(browser, service, origin)
        without_connection(browser, service, origin)
        refused(browser, service, origin)
        calendar(browser, service, origin)
        form(browser, service, origin)
        feed(browser, service, origin)
        large_text(browser, origin)
        languages(browser, service, origin)
        large(browser, service, origin)
    with serving(4, Keeper) as (service, origin):
        nothing_planned(browser, service, origin)
        at_work(browser, service, origin)


def opened(browser, origin, path="/care", **options):
    watched = Watched(browser, timezone_id="UTC", service_workers="block", **options)
    watched.context.add_init_script(SETUP)
    watched.page.goto(origin + path)
    return watched


def closed(watched):
    watched.require_no_faults()
    Watched.all.remove(watched)
    watched.context.close()


def row(page, name):
    return page.locator(".care-due .care-row").filter(has_text=name).first


def tick(page, name):
    return row(page, name).locator(".care-tick")


def due(browser, service, origin):
    """The list; a tick says done at once and is taken back; the rest of the row opens what else there is."""
    watched = opened(browser, origin)
    page = watched.page
    expect(page.locator("h1")).to_have_text("3 to do")
    expect(page.get_by_text("One is 3 days late.")).to_be_visible()
    expect(page.locator(".tab-due")).to_be_visible()
    inspect(watched, "care-due")
    page.get_by_role("button", name="Done: Water change 20 %, Koi pond, 23:50").click()
    expect(page.locator("h1")).to_have_text("2 to do")
    until("the tick is at the service", lambda: len(service.puts) == 1)
    require(service.puts[0][2]["what"] == "done", f"{service.puts}")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator("h1")).to_have_text("3 to do")
    until("it is taken back", lambda: [put[0] for put in service.puts] == ["PUT", "DELETE"])
    page.get_by_role("button", name=re.compile("^Water change 20 %, Koi pond · every Wednesday")).click()
    sheet = page.get_by_role("dialog", name="Water change 20 %")
    expect(sheet.get_by_role("button", name="Done now")).to_be_visible()
    inspect(watched, "care-sheet")
    sheet.get_by_role("button", name="Start now, alerts wait 30 min").click()
    until("work has begun", lambda: service.work == [(service.names[0], {"kind": "waterChange", "minutes": 30})])
    expect(sheet).to_have_count(0)
    row(page, "Feed the fry").locator(".care-open").click()
    page.get_by_role("button", name=re.compile("^Skip this time")).click()
    expect(row(page, "Feed the fry")).to_contain_text("skipped")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(row(page, "Feed the fry")).not_to_contain_text("skipped")
    until("it is taken back", lambda: service.puts[-1][0] == "DELETE")
    row(page, "Calibrate").locator(".care-open").click()
    page.get_by_role("button", name=re.compile("^Later")).click()
    expect(page.locator("h1")).to_have_text("2 to do")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator("h1")).to_have_text("3 to do")
    until("it is taken back", lambda: len(service.puts) == 6 and service.puts[-1][0] == "DELETE")
    closed(watched)
    seen("what is due, done, skipped, put off and taken back")


def elsewhere(browser, service, origin):
    """Somebody else does it: it is done for all, and says by whom."""
    watched = opened(browser, origin)
    page = watched.page
    expect(page.locator("h1")).to_have_text("3 to do")
    fed = next(one for one in service.reminders if service.reminders[one]["name"] == "Feed the fry")
    service.do(fed, service.on(fed), by=ANA)
    service.tell("resync", {"parts": ["care"]})
    expect(page.locator("h1")).to_have_text("2 to do")
    expect(row(page, "Feed the fry")).to_contain_text("Ana")
    before = len(service.puts)
    # What another did is not undone by a slip.
    tick(page, "Feed the fry").click()
    expect(page.get_by_role("dialog")).to_contain_text("by: Ana")
    page.get_by_role("button", name="Close").click()
    require(len(service.puts) == before, "a slip was sent")
    service.acts.pop((fed, service.on(fed)))
    closed(watched)
    seen("what somebody else did")


def by_link(browser, service, origin):
    """The page of a message's link, in each of its states and languages, for somebody who is not signed in."""
    named = {one["name"]: identifier for identifier, one in service.reminders.items()}
    both = [(named[name], service.on(named[name])) for name in ("Water change 20 %", "Feed the fry")]
    acts = dict(service.acts)
    # How many it told, how many of them Ana did before it is opened and while it stands there, and which button is pressed then.
    states = {
        "ask": (1, 0, 0, None), "several": (2, 0, 0, None), "part": (2, 1, 1, None), "others": (2, 2, 2, None),
        "done": (2, 0, 0, 0), "later": (1, 0, 0, 1), "faster": (1, 0, 1, 0),
    }  # fmt: skip
    for language in ("en", "de", "ja", "es"):
        for state, (count, before, then, press) in states.items():
            service.language, service.told, service.acts = language, both[:count], dict(acts)
            for told in both[:before]:
                service.do(*told)
            service.posted.clear()
            watched = Watched(browser, timezone_id="UTC", service_workers="block")
            page = watched.page
            page.goto(f"{origin}/care/answer#{LINK}")
            expect(page.locator(".link-body > *").first).to_be_visible()
            require(page.url == f"{origin}/care/answer", f"the secret stays in the address: {page.url}")
            require([path for path, _ in service.posted] == ["/care-answers/look"], f"opening it asks for {service.posted}")
            expect(page.locator(".link-air")).to_have_attribute("lang", language)
            if press is not None:
                for told in both[before:then]:
                    service.do(*told)
                page.locator(".link-card button").nth(press).click()
                expect(page.locator(".link-card")).to_have_count(0)
                expect(page.locator("h1")).to_be_focused()
            inspect(watched, f"care-link-{state}-{language}")
            closed(watched)
    service.language, service.told, service.acts = "en", [], acts
    for address, headline in ((f"/care/answer#{LINK}x", "This link has ended"), ("/care/answer", "No such link")):
        watched = Watched(browser, timezone_id="UTC", service_workers="block")
        watched.allowed.append(r"410.*/care-answers/look")
        watched.page.goto(origin + address)
        expect(watched.page.locator("h1")).to_have_text(headline)
        inspect(watched, "care-link-ended" if "#" in address else "care-link-cut")
        closed(watched)
    seen("the page of a message's link, in each state")
    link_without_connection(browser, service, origin, both[:1])


def link_without_connection(browser, service, origin, told):
    """Where nothing answers it is said, what stands there stays, and the same press answers later."""
    service.told, acts = told, dict(service.acts)
    watched = Watched(browser, timezone_id="UTC", service_workers="block")
    watched.allowed.append(NO_ANSWER)
    page = watched.page
    page.goto(f"{origin}/care/answer#{LINK}")
    expect(page.locator("h1")).to_have_text("Water change 20 %")
    service.is_away = True
    page.get_by_role("button", name="Done", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("The service does not answer")
    watched.context.set_offline(True)
    page.get_by_role("button", name="Done", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("This device is offline")
    expect(page.locator("h1")).to_have_text("Water change 20 %")
    inspect(watched, "care-link-offline")
    watched.context.set_offline(False)
    service.is_away = False
    page.get_by_role("button", name="Done", exact=True).click()
    expect(page.locator("h1")).to_have_text("Done")
    require(service.acts[told[0]]["what"] == "done", f"{service.acts}")
    closed(watched)
    service.told, service.acts = [], acts
    seen("a message's link without a connection")


def without_connection(browser, service, origin):
    """Ticks are kept while nobody answers, outlast the app, and are sent once."""
    watched = opened(browser, origin)
    watched.allowed.append(NO_ANSWER)
    page = watched.page
    expect(page.locator("h1")).to_have_text("3 to do")
    service.puts.clear()
    service.is_away = True
    page.evaluate("globalThis.began = performance.now(), null")
    tick(page, "Water change").click()
    expect(page.locator("h1")).to_have_text("2 to do")
    expect(row(page, "Water change")).to_contain_text("not sent yet")
    tick(page, "Feed the fry").click()
    expect(page.locator("h1")).to_have_text("1 to do")
    # Whether the service has heard of one that was never tried is known: it is taken back here.
    page.get_by_role("button", name="Undo", exact=True).last.click()
    expect(page.locator("h1")).to_have_text("2 to do")
    inspect(watched, "care-offline")
    page.reload()
    expect(page.locator("h1")).to_have_text("2 to do")
    expect(row(page, "Water change")).to_contain_text("not sent yet")
    expect(page.get_by_text("1 change waits on this device")).to_be_visible()
    photograph(page, "care-offline-again")
    service.is_away = False
    page.evaluate("dispatchEvent(new Event('online'))")
    until("it is sent", lambda: len(service.puts) >= 1)
    expect(row(page, "Water change")).not_to_contain_text("not sent yet")
    expect(row(page, "Water change")).to_contain_text("you")
    page.reload()
    expect(page.locator("h1")).to_have_text("2 to do")
    require([put[0] for put in service.puts] == ["PUT"], f"sent: {service.puts}")
    tick(page, "Water change").click()
    expect(page.locator("h1")).to_have_text("3 to do")
    until("it is taken back", lambda: service.puts[-1][0] == "DELETE")
    closed(watched)
    seen("ticks without a connection, sent once")


def refused(browser, service, origin):
    """What the service does not take stays, says why, and is the person's to give up."""
    watched = opened(browser, origin)
    watched.allowed.append("422")
    page = watched.page
    expect(page.locator("h1")).to_have_text("3 to do")
    service.refuses = (422, "It was done already")
    tick(page, "Water change").click()
    expect(row(page, "Water change")).to_contain_text("Not taken: It was done already")
    expect(page.locator("h1")).to_have_text("3 to do")
    inspect(watched, "care-refused")
    service.refuses = None
    tick(page, "Water change").click()
    page.get_by_role("button", name="Give it up").click()
    expect(row(page, "Water change")).not_to_contain_text("Not taken")
    closed(watched)
    seen("a tick that is refused")


def calendar(browser, service, origin):
    """By keys from day to day and month to month; the chosen day's rows stand below."""
    watched = opened(browser, origin, "/care/calendar")
    page = watched.page
    grid = page.get_by_role("grid")
    expect(grid).to_be_visible()
    expect(grid.locator(".shape-done").first).to_be_visible()
    inspect(watched, "care-calendar")
    month = page.locator("h1").inner_text()
    grid.locator("[aria-current=date]").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    expect(grid.locator("[aria-pressed=true]")).to_be_focused()
    # Eight days ago may be in the month before.
    months = 2 if page.locator("h1").inner_text() == month else 1
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    expect(page.locator("h1")).not_to_have_text(month)
    expect(grid.locator("[aria-pressed=true]")).to_be_focused()
    photograph(page, "care-calendar-later")
    for _ in range(months):
        page.get_by_role("button", name="Month before").click()
    expect(page.locator("h1")).to_have_text(month)
    expect(page.locator(".care-month .care-row").first).to_be_visible()
    closed(watched)
    seen("the calendar by keys")


def form(browser, service, origin):
    """A reminder is made, is known at once, and is changed; a second one for the same is pointed out."""
    watched = opened(browser, origin)
    page = watched.page
    page.get_by_role("link", name="New reminder").click()
    expect(page.locator("h1")).to_have_text("New reminder")
    page.get_by_role("button", name="Add reminder").click()
    expect(page.get_by_text("Say what is to be done.")).to_be_visible()
    page.get_by_role("button", name="5 more").click()
    page.get_by_role("button", name="Clean the glass").click()
    page.get_by_role("button", name="Saturday").click()
    expect(page.get_by_text(re.compile("^Next: today"))).to_be_visible()
    inspect(watched, "care-form")
    page.get_by_role("button", name="Monthly").click()
    expect(page.get_by_text(re.compile("^on (day|the last day)"))).to_be_visible()
    page.get_by_role("button", name="Every N days").click()
    page.get_by_role("button", name="More").click()
    expect(page.get_by_text("every 8 days")).to_be_visible()
    page.get_by_role("button", name="After it was done").click()
    photograph(page, "care-form-days")
    page.get_by_role("button", name=re.compile("^Who")).click()
    page.get_by_role("switch", name="Ana").click()
    page.get_by_role("button", name="Take these").click()
    expect(page.get_by_role("button", name=re.compile("^Who.*you, Ana|^Who.*Ana, you"))).to_be_visible()
    page.get_by_role("button", name="Add reminder").click()
    expect(row(page, "Clean the glass")).to_be_visible()
    until("it is at the service", lambda: any(put[2] and put[2].get("name") == "Clean the glass" for put in service.puts))
    made = next(one for one in service.reminders.values() if one["name"] == "Clean the glass")
    require(made["rhythm"] == {"afterDone": 8} and made["who"] == [ME, ANA], f"{made}")
    page.get_by_role("link", name="New reminder").click()
    page.get_by_role("button", name="5 more").click()
    page.get_by_role("button", name="Clean the glass").click()
    expect(page.get_by_text(re.compile("^Clean the glass is planned here already"))).to_be_visible()
    page.get_by_role("button", name="Back").click()
    row(page, "Clean the filter").locator(".care-open").click()
    page.get_by_role("button", name="Change the reminder").click()
    expect(page.get_by_role("textbox", name="What")).to_have_value("Clean the filter")
    expect(page.get_by_text("every 14 days")).to_be_visible()
    inspect(watched, "care-change")
    page.get_by_role("button", name="End this reminder").click()
    page.get_by_role("alertdialog").get_by_role("button", name="End this reminder").click()
    expect(page.locator("h1")).to_have_text("4 to do")
    expect(row(page, "Clean the filter")).to_have_count(0)
    until("its end is at the service", lambda: service.puts[-1][0] == "DELETE")
    closed(watched)
    seen("a reminder made, changed and ended")


def feed(browser, service, origin):
    """An address is shown once, in both forms, and revoked; the home screen has one quiet line."""
    watched = opened(browser, origin, "/settings")
    page = watched.page
    page.get_by_role("link", name="Calendar feed").click()
    expect(page.get_by_text("No calendar shows it yet.")).to_be_visible()
    page.get_by_role("button", name="Make an address").click()
    sheet = page.get_by_role("dialog", name="Your calendar's address")
    expect(sheet).to_contain_text("https://water.example.org/calendar/")
    expect(sheet.get_by_role("link")).to_have_attribute("href", re.compile("^webcal://water.example.org/"))
    inspect(watched, "care-feed")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name=re.compile("^Made on")).click()
    page.get_by_role("alertdialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("No calendar shows it yet.")).to_be_visible()
    page.get_by_role("link", name="Water", exact=True).click()
    expect(page.get_by_role("link", name="Clean the glass today, 18:00 and 1 more")).to_be_visible()
    photograph(page, "care-home")
    closed(watched)
    seen("the feed of a calendar, and the line on the home screen")


def large_text(browser, origin):
    """Twice as large, all of it is there and nothing is too wide."""
    watched = opened(browser, origin)
    page = watched.page
    for path in ("/care", "/care/calendar", "/care/reminders/new", "/settings/calendar"):
        page.goto(origin + path)
        expect(page.locator("h1")).to_be_visible()
        page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
        require_narrow(page, f"{path} in large text")
        photograph(page, f"care-large{path.replace('/', '-')}")
    closed(watched)
    seen("Care in large text")


def languages(browser, service, origin):
    for language in ("de", "es", "ja"):
        service.language = language
        watched = opened(browser, origin, locale={"de": "de-DE", "es": "es-ES", "ja": "ja-JP"}[language])
        page = watched.page
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator(".care-due .care-row")).to_have_count(7)
        inspect(watched, f"care-due-{language}")
        page.locator(".care-parts > a").nth(1).click()
        expect(page.get_by_role("grid")).to_be_visible()
        inspect(watched, f"care-calendar-{language}")
        page.goto(f"{origin}/care/reminders/new")
        expect(page.locator(".day")).to_have_count(7)
        inspect(watched, f"care-form-{language}")
        page.goto(f"{origin}/settings/calendar")
        expect(page.locator(".button-primary")).to_be_visible()
        inspect(watched, f"care-feed-{language}")
        closed(watched)
    service.language = "en"
    seen("Care in each language")


def large(browser, service, origin):
    """In larger windows the parts stand beside each other."""
    for name, size in (("tablet", TABLET), ("desktop", DESKTOP)):
        watched = opened(browser, origin, viewport=size)
        page = watched.page
        expect(page.locator("h1")).to_have_text("4 to do")
        expect(page.get_by_role("grid")).to_be_visible()
        true_in(page, "document.documentElement.scrollWidth <= innerWidth")
        photograph(page, f"care-{name}")
        closed(watched)
    seen("Care in larger windows")


def nothing_planned(browser, service, origin):
    """What is usual is offered; a press plans it, and another takes it back."""
    watched = opened(browser, origin)
    page = watched.page
    expect(page.locator("h1")).to_have_text("Nothing planned")
    inspect(watched, "care-nothing")
    page.get_by_role("button", name="Plan: Clean the filter").click()
    expect(row(page, "Clean the filter")).to_be_visible()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator("h1")).to_have_text("Nothing planned")
    closed(watched)
    seen("what is usual, where nothing is planned")


def at_work(browser, service, origin):
    """Cards and lists say that somebody works; afterwards what is still outside is said to be, and what is back, too."""
    koi, reef = service.names[:2]
    work = {"id": "00000000-0000-4000-8000-000000000001", "kind": "waterChange", "from": at(-600), "until": at(1_200), "endedAt": None, "by": ME}
    service.works = {koi: work, reef: {**work, "by": ANA}}
    watched = opened(browser, origin, "/")
    page = watched.page
    expect(page.locator("h1")).to_have_text("Water change")
    card = page.locator(".card").first
    expect(card.locator(".card-word")).to_have_text("Worked on")
    expect(card.locator(".shape-worked")).to_be_visible()
    inspect(watched, "work-home")
    page.get_by_role("button", name="Choose a device").click()
    listed = page.get_by_role("dialog").locator(".menu-row").filter(has_text="Worked on")
    expect(listed).to_have_count(2)
    expect(listed.first.locator(".shape-worked")).to_be_visible()
    inspect(watched, "work-switcher")
    page.keyboard.press("Escape")
    page.goto(origin + "/devices")
    expect(page.locator(".device-card-state").filter(has_text="Worked on")).to_have_count(2)
    service.works = {koi: {**work, "endedAt": at(-60)}}
    service.began = at(-30)
    service.outside = {(koi, "dissolved_oxygen"): "low"}
    page.goto(origin + "/")
    expect(page.locator("h1")).to_have_text(re.compile("^Oxygen is still low"))
    expect(page.locator(".air")).to_contain_text("after the work. Your minimum is")
    inspect(watched, "work-still-low")
    service.outside = {}
    page.reload()
    expect(page.locator("h1")).to_have_text("All fine")
    expect(page.locator(".air")).to_contain_text("all back in range.")
    closed(watched)
    seen("work on the water, on cards and lists, and how it was afterwards")
