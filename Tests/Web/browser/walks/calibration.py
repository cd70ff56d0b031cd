"""The calibration log of a probe: an entry with two standards, one without a connection that is sent once and changed, the reminder that is
ticked off, how the drift is told, the dashed line in the graph, and the quiet line about a probe that is overdue.
"""

from playwright.sync_api import expect

from asking import until
from bench import Bench
from inspection import inspect, open_in, photograph, require_narrow
from many import at, serving
from watched import Watched, require, seen

POND = "tank-000"
LOG = f"/settings/{POND}/ph/calibration"
DAY = 86_400
SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""


def walk(browser, _):
    with serving(1, Bench) as (service, origin):
        watched = Watched(browser, service_workers="block", locale="en-GB")
        watched.context.add_init_script(SIGNED_IN)
        watched.allowed.append(r"ERR_INTERNET_DISCONNECTED|ERR_FAILED")
        written(watched, service, origin)
        offline(watched, service, origin)
        changed(watched, service, origin)
        told(watched, service, origin)
        graph(watched, origin)
        overdue(watched, service, origin)
        removed(watched, service, origin)
        languages(watched, service, origin)


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def standard(page, number):
    return page.get_by_role("group", name=f"Standard {number}", exact=True)


def written(watched, service, origin):
    """The parameter's screen leads to the log; two standards are written down, and the reminder that asked for it is ticked off."""
    page = watched.page
    service.remind(1, POND, "Probes", {"afterDone": 30}, days=-1, activity="calibrate")
    page.goto(f"{origin}/settings/{POND}/ph")
    page.get_by_role("link", name="Calibration").click()
    page.wait_for_url(f"**{LOG}")
    expect(page.locator(".calibration-lead")).to_contain_text("Nobody has written down a calibration yet.")
    inspect(watched, "calibration-empty")
    button(page, "Write it down").click()
    sheet = page.get_by_role("dialog", name="Write it down")
    standard(page, 1).get_by_label("it reads").fill("7,2")
    standard(page, 1).get_by_label("afterwards").fill("7")
    button(page, "Another standard").click()
    standard(page, 2).get_by_label("it reads").fill("4.1")
    standard(page, 1).get_by_label("it gives").fill("-5")
    standard(page, 2).get_by_label("it gives").fill("165")
    inspect(watched, "calibration-form")
    button(page, "Save").click()
    expect(sheet).to_have_count(0)
    button(page, "Tick off: Probes").click()
    until("the reminder is ticked off", lambda: service.acts)
    expect(page.locator(".row-name", has_text="Calibrated")).to_have_count(1)
    ((_, content),) = service.sent
    points = [{"standard": 7, "before": 7.2, "after": 7, "millivolts": -5}, {"standard": 4, "before": 4.1, "millivolts": 165}]
    require(content["points"] == points and content["kind"] == "calibrate", f"what was typed: {content}")
    seen("a calibration with two standards, and its reminder")


def offline(watched, service, origin):
    """What is written without a connection is shown at once, and sent once."""
    page = watched.page
    page.goto(origin + LOG)
    expect(page.locator(".row-name", has_text="Calibrated")).to_have_count(1)
    before = len(service.sent)
    watched.context.set_offline(True)
    button(page, "Write it down").click()
    button(page, "Checked").click()
    expect(standard(page, 1).get_by_label("afterwards")).to_be_hidden()
    button(page, "Save").click()
    expect(page.get_by_role("alert").filter(has_text="A check needs a standard")).to_be_visible()
    standard(page, 1).get_by_label("it reads").fill("7.1")
    button(page, "Save").click()
    expect(page.locator(".row-name", has_text="Checked")).to_have_count(1)
    require(len(service.sent) == before, "nothing was sent")
    watched.context.set_offline(False)
    until("it was sent", lambda: len(service.sent) > before)
    # Whoever leaves before the answer has come sends it again.
    expect(page.locator(".row", has_text="Checked")).not_to_contain_text("saved on this phone")
    page.reload()
    expect(page.locator(".row-name", has_text="Checked")).to_have_count(1)
    require(len(service.sent) == before + 1, f"it was sent once: {service.sent[before:]}")
    seen("a check without a connection")


def changed(watched, service, origin):
    """A row opens what was written down; what is changed of it without a connection is shown at once, and names the version that was read."""
    page = watched.page
    page.goto(origin + LOG)
    before = len(service.sent)
    page.locator("button.row", has_text="Checked").click()
    sheet = page.get_by_role("dialog", name="Change this entry")
    expect(standard(page, 1).get_by_label("In a standard of")).to_have_value("7")
    expect(standard(page, 1).get_by_label("it reads")).to_have_value("7.1")
    expect(standard(page, 1).get_by_label("afterwards")).to_be_hidden()
    inspect(watched, "calibration-change")
    watched.context.set_offline(True)
    standard(page, 1).get_by_label("it reads").fill("7.3")
    button(page, "Another standard").click()
    standard(page, 2).get_by_label("In a standard of").fill("7")
    standard(page, 2).get_by_label("it reads").fill("4")
    button(page, "Save").click()
    expect(page.get_by_role("alert").filter(has_text="Each standard once")).to_be_visible()
    standard(page, 2).get_by_label("In a standard of").fill("4")
    button(page, "Save").click()
    expect(sheet).to_have_count(0)
    checked = page.locator("button.row", has_text="Checked")
    expect(checked).to_contain_text("saved on this phone")
    expect(checked).to_contain_text("7.3")
    watched.context.set_offline(False)
    until("the change was sent", lambda: len(service.sent) > before)
    expect(checked).not_to_contain_text("saved on this phone")
    number, content = service.sent[-1]
    require(content["points"] == [{"standard": 7, "before": 7.3}, {"standard": 4, "before": 4}], f"what was changed: {content}")
    require(service.entries[number]["version"] == 2 and len(service.sent) == before + 1, f"one change: {service.sent[before:]}")
    seen("an entry that was changed")


def told(watched, service, origin):
    """How fast it drifts, and a reminder by that."""
    page = watched.page
    service.told = {
        "drift": {"perMonth": 0.1, "direction": "higher", "checks": 4, "byHand": False}, "due": {"at": at(40 * DAY), "reason": "drift"},
        "deviation": 0.3, "grade": "good", "reminderDays": 45, "electrode": {"slope": 95.8, "offset": -5, "worn": False, "grade": "sound"},
    }  # fmt: skip
    service.checks = [{"test": "00000000-0000-4000-a000-000000000001", "at": at(-DAY), "value": 7.4, "reading": 7.9, "deviation": 0.5}]
    page.goto(origin + LOG)
    lead = page.locator(".calibration-lead")
    expect(lead).to_contain_text("This probe drifts up by")
    expect(lead).to_contain_text("good by the scale of the USGS")
    expect(lead).to_contain_text("Slope 95.8 %, offset −5.0 mV.")
    expect(lead).to_contain_text("The electrode answers well.")
    expect(page.locator("main")).to_contain_text("Values by hand beside the probe")
    inspect(watched, "calibration-told")
    page.get_by_role("link", name="Remind every 45 days").click()
    expect(page.get_by_label("What", exact=False).first).to_have_value("Calibrate a probe")
    seen("the drift, and a reminder by it")


def graph(watched, origin):
    """The corrected line is drawn where it is asked for, dashed, and goes again."""
    page = watched.page
    page.goto(f"{origin}/p/{POND}/ph")
    expect(page.locator(".graph-line").first).to_be_attached()
    expect(page.locator(".graph-corrected")).to_have_count(0)
    button(page, "Corrected for drift").click()
    expect(page.locator(".graph-corrected")).to_have_count(1)
    inspect(watched, "calibration-graph")
    button(page, "Corrected for drift").click()
    expect(page.locator(".graph-corrected")).to_have_count(0)
    seen("the corrected line")


def overdue(watched, service, origin):
    """Home has one quiet line about a probe that is overdue, which leads to its log."""
    page = watched.page
    service.entries.clear()
    service.write(1, 45)
    service.told["due"] = {"at": at(-5 * DAY), "reason": "usual"}
    page.goto(f"{origin}/")
    line = page.locator(".home-notices a", has_text="may drift")
    expect(line).to_contain_text("calibrated 45 d ago")
    inspect(watched, "calibration-overdue")
    line.click()
    page.wait_for_url(f"**{LOG}")
    expect(page.locator(".calibration-late")).to_contain_text("may drift")
    seen("a probe that is overdue")


def removed(watched, service, origin):
    page = watched.page
    page.goto(origin + LOG)
    page.locator("button.row", has_text="Calibrated").click()
    page.get_by_role("dialog", name="Change this entry").get_by_role("button", name="Remove").click()
    page.get_by_role("alertdialog", name="Remove this entry?").get_by_role("button", name="Remove").click()
    until("it is gone", lambda: not service.entries)
    expect(page.locator("button.row")).to_have_count(0)
    seen("an entry that is taken away")


def languages(watched, service, origin):
    page = watched.page
    service.write(2, 45, points=[{"standard": 7, "before": 7.2, "after": 7}])
    for language in ("es", "ja", "de"):
        open_in(language, page, service, origin + LOG)
        expect(page.locator("button.row").first).to_be_visible()
        require_narrow(page, f"{LOG} in {language}")
        photograph(page, f"calibration-{language}")
    seen("the log in each language")
