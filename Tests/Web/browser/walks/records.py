"""What a device sent, message by message; readings that are deleted after a look at how many they are; and a report of a period that is approved,
withdrawn and printed.
"""

from playwright.sync_api import expect

from archive import Archive
from asking import until
from inspection import inspect, photograph, require_narrow
from many import serving
from watched import Watched, require, seen

POND = "tank-000"
REPORT = f"/devices/{POND}/report"
SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""


def walk(browser, _):
    with serving(1, Archive) as (service, origin):
        watched = Watched(browser, service_workers="block", locale="en-GB")
        watched.context.add_init_script(SIGNED_IN)
        watched.allowed.append(r"409")
        messages(watched, service, origin)
        deleted(watched, service, origin)
        reported(watched, service, origin)
        approved(watched, service, origin)
        printed(watched, origin)
        languages(watched, service, origin)


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def messages(watched, service, origin):
    """The device leads to its messages, newest first; a page without any is passed over, and a choice begins anew."""
    page = watched.page
    page.goto(f"{origin}/devices/{POND}")
    page.get_by_role("link", name="Messages").click()
    page.wait_for_url(f"**/devices/{POND}/messages")
    rows = page.locator(".water .rows:not(.rows-blank)").first.locator(".row")
    expect(rows).to_have_count(20)
    expect(rows.nth(3)).to_contain_text("came 1 h later")
    expect(rows.nth(9)).to_contain_text("deleted: pH")
    inspect(watched, "messages")
    button(page, "Older messages").click()
    expect(rows).to_have_count(40)
    expect(button(page, "Older messages")).to_be_hidden()
    page.get_by_label("Which messages").select_option(label="Late ones")
    expect(rows).to_have_count(1)
    page.get_by_label("Which messages").select_option(label="Never decided upon")
    expect(page.get_by_text("There are no such messages.")).to_be_visible()
    seen("messages as they came")


def deleted(watched, service, origin):
    """A look says how many readings there are; nothing goes before the second yes, and just as many go then."""
    page = watched.page
    page.goto(f"{origin}/p/{POND}/ph")
    button(page, "Delete these readings").click()
    sheet = page.get_by_role("dialog", name="Delete readings")
    sheet.get_by_label("Why, for later").fill("In the air")
    inspect(watched, "deleting")
    button(page, "Count the readings").click()
    question = page.get_by_role("alertdialog").or_(page.get_by_role("dialog", name="Delete 120 readings?"))
    expect(question.last).to_contain_text("There is no way back")
    photograph(page, "deleting-asked")
    require(service.readings == 120, "a look deletes nothing")
    question.last.get_by_role("button", name="Delete these readings", exact=True).click()
    expect(sheet).to_have_count(0)
    look, wish = service.wishes
    require(look["dryRun"] is True and wish["readings"] == 120 and "dryRun" not in wish, f"what was counted: {service.wishes}")
    require(wish["parameters"] == ["ph"] and wish["reason"] == "In the air", f"what was asked: {wish}")
    expect(page.get_by_text("120 readings deleted")).to_be_visible()
    seen("readings that were deleted after a look")


def reported(watched, service, origin):
    page = watched.page
    page.goto(f"{origin}/devices/{POND}")
    page.get_by_role("link", name="Report of a period").click()
    page.wait_for_url(f"**{REPORT}")
    paper = page.locator(".report")
    expect(paper).to_contain_text("0 of 168 hours approved")
    expect(paper.get_by_role("row", name="pH")).to_contain_text("95")
    expect(paper).to_contain_text("Koi pond: pH too high")
    expect(paper).to_contain_text("Readings of it were deleted")
    expect(paper).to_contain_text("01234567 89abcdef")
    expect(paper.locator(".report-graph")).to_have_count(2)
    inspect(watched, "report")
    button(page, "30 days").click()
    until("another period was asked for", lambda: service.asked.count(f"/devices/{POND}/report") > 1)
    seen("a report")


def approved(watched, service, origin):
    """What is approved says so, by whom; nothing of it can be deleted until that is withdrawn."""
    page = watched.page
    page.goto(origin + REPORT)
    button(page, "Approve this period").click()
    sheet = page.get_by_role("dialog", name="Approve this period")
    sheet.get_by_label("A note, for later").fill("Compared with the buffer")
    button(sheet, "Approve this period").click()
    expect(page.locator(".report")).to_contain_text("168 of 168 hours approved")
    expect(page.locator(".report")).to_contain_text("approved by Mika")
    photograph(page, "report-approved")
    page.goto(f"{origin}/p/{POND}/ph")
    button(page, "Delete these readings").click()
    button(page, "Count the readings").click()
    expect(page.get_by_role("alert").filter(has_text="A period in it is approved")).to_be_visible()
    page.goto(origin + REPORT)
    button(page, "Withdraw approval").click()
    button(page.get_by_role("dialog", name="Withdraw approval"), "Withdraw approval").click()
    expect(page.locator(".report")).to_contain_text("Withdrawn by Mika")
    require(service.approvals[0]["withdrawn"]["reason"] is None, "a reason may be left out")
    seen("an approval that was withdrawn")


def printed(watched, origin):
    """Paper has the report alone, light, and no wider than it is."""
    page = watched.page
    page.emulate_media(media="print", color_scheme="dark")
    page.goto(origin + REPORT)
    expect(page.locator(".report-graph")).to_have_count(2)
    expect(button(page, "Print")).to_be_hidden()
    require(page.evaluate("getComputedStyle(document.body).color") == "rgb(12, 37, 46)", "dark on light")
    page.set_viewport_size({"width": 680, "height": 960})
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    require(wide <= 0, f"it is {wide} px too wide for A4")
    photograph(page, "report-printed")
    page.emulate_media(media="screen", color_scheme="light")
    seen("a report on paper")


def languages(watched, service, origin):
    page = watched.page
    for language in ("ja", "es", "de"):
        service.language = language
        for name in ("report", "messages"):
            page.goto(f"{origin}/devices/{POND}/{name}")
            expect(page.locator("html")).to_have_attribute("lang", language)
            expect(page.locator(".report" if name == "report" else ".water .rows").first).to_be_visible()
            require_narrow(page, f"{name}-{language}")
            photograph(page, f"{name}-{language}")
    service.language = "en"
    seen("reports and messages in four languages")
