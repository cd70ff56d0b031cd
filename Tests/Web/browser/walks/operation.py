"""The screens of operators: the entry for them alone, the password first, what is wrong, accounts and devices found by their beginnings,
a person signed out everywhere, and what was changed by whom; in four languages, on a narrow phone and in a large window.
"""

from playwright.sync_api import expect

from inspection import inspect, photograph, require_narrow
from installation import Installation
from many import serving
from watched import Watched, require, seen

SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""
TITLES = {"de": "Betrieb", "es": "Operación", "ja": "運用"}


def walk(browser, _):
    with serving(1, Installation) as (service, origin):
        watched = opened(browser, service, origin)
        entry(watched, service, origin)
        health(watched, service)
        accounts(watched, service)
        devices(watched)
        changes(watched)
        well(watched, service, origin)
        nobody(watched, service, origin)
        languages(browser, service, origin)
        large(browser, service, origin)


def opened(browser, service, origin, language="en", **options):
    service.language = language
    watched = Watched(browser, service_workers="block", locale=language, timezone_id="UTC", **options)
    watched.context.add_init_script(SIGNED_IN)
    watched.allowed.append(r"40[34]")
    watched.page.goto(f"{origin}/settings")
    return watched


def entry(watched, service, origin):
    """Nothing of it was asked for before somebody opens it; then the password is."""
    page = watched.page
    link = page.get_by_role("link", name="Operation")
    expect(link).to_be_visible()
    require(not any(path.startswith("/operation") for path in service.asked), "it is asked for by whoever opens it alone")
    loaded = page.evaluate("performance.getEntriesByType('resource').map((one) => one.name).filter((name) => name.includes('/screens/operation/'))")
    require(not any(name.endswith("operation.js") or name.endswith("rows.js") for name in loaded), f"nothing of it is loaded before: {loaded}")
    photograph(page, "operation-entry")
    page.goto(f"{origin}/settings/account")
    expect(page.get_by_role("link", name="You operate this installation")).to_be_visible()
    page.goto(f"{origin}/settings")
    link.click()
    sheet = page.get_by_role("dialog", name="Your password, once more")
    sheet.get_by_label("Present password").fill("a very good password")
    sheet.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Operation")).to_be_visible()
    seen("an entry for operators, behind the password")


def health(watched, service):
    """Faults stand first, with its remedy; numbers and reasons that the app does not know stand as they come."""
    page = watched.page
    main = page.locator("main")
    for text in (
        "The Notifier is not connected: no alert is sent", "100,000 or more", "overdue for 10 min", "1 thing is wrong", "the last good backup is 3 days old",
        "aqua canary create", "31 checks were fine", "2 people would get no alert", "The format is not known", "landslide", "2120 taken · 3 failed", "1 lost", "Telegram",
    ):  # fmt: skip
        expect(main).to_contain_text(text)
    inspect(watched, "operation")
    seen("how the installation does")


def accounts(watched, service):
    """Found by their beginnings, page by page; somebody is signed out everywhere, and their alerts go on."""
    page = watched.page
    page.get_by_role("link", name="Accounts").click()
    expect(page.get_by_role("heading", name="Accounts")).to_be_visible()
    rows = page.locator("main .row:visible")
    expect(rows).to_have_count(50)
    more = page.get_by_role("button", name="Show more")
    more.click()
    expect(rows).to_have_count(100)
    more.click()
    expect(rows).to_have_count(121)
    expect(more).to_be_hidden()
    field = page.get_by_label("Address begins with")
    field.fill("nobody")
    expect(page.get_by_text("Nothing begins so.")).to_be_visible()
    field.fill("ada")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("operates this installation")
    inspect(watched, "operation-accounts")
    rows.first.click()
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("Their alerts go on")
    photograph(page, "operation-sign-out")
    dialog.get_by_role("button", name="Sign out everywhere").click()
    expect(page.get_by_text("2 sessions ended")).to_be_visible()
    expect(rows).not_to_contain_text("signed in")
    require(service.signed_out == ["ada@example.org"], f"who was signed out: {service.signed_out}")
    page.get_by_role("button", name="Back").click()
    seen("accounts, found and signed out")


def devices(watched):
    page = watched.page
    page.get_by_role("link", name="All devices").click()
    rows = page.locator("main .row:visible")
    expect(rows).to_have_count(5)
    for text in ("project of ada@example.org", "Silent · last heard", "12 messages not taken since yesterday", "Never heard", "Linked to nobody"):
        expect(page.locator("main")).to_contain_text(text)
    inspect(watched, "operation-devices")
    page.get_by_label("Id begins with").fill("pond")
    expect(rows).to_have_count(2)
    page.get_by_role("button", name="Back").click()
    seen("devices by their ids")


def changes(watched):
    page = watched.page
    page.get_by_role("link", name="What was changed").click()
    for text in ("pond-1: limits of the device", "Alerts go to …", "Account: ben@example.org", "the operator · ana@example.org", "token Importer", "Account: Lake Farm"):
        expect(page.locator("main")).to_contain_text(text)
    inspect(watched, "operation-changes")
    page.get_by_role("button", name="Back").click()
    seen("what was changed, without names of what is others'")


def well(watched, service, origin):
    service.is_well = True
    page = watched.page
    page.goto(f"{origin}/settings/operation")
    for text in ("All services are connected", "aqua doctor --record", "Every message was taken", "Nothing was to be delivered"):
        expect(page.locator("main")).to_contain_text(text)
    inspect(watched, "operation-well")
    service.is_well = False
    seen("nothing that is wrong, and a doctor that has not looked")


def nobody(watched, service, origin):
    """A former operator sees no entry, and whoever has its address sees nothing."""
    service.is_operator = False
    page = watched.page
    page.goto(f"{origin}/settings")
    expect(page.get_by_role("link", name="Account", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Operation")).to_have_count(0)
    page.goto(f"{origin}/settings/account")
    expect(page.get_by_role("button", name="Sign out", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="You operate this installation")).to_have_count(0)
    page.goto(f"{origin}/settings/operation")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    expect(page.locator("main .row:visible")).to_have_count(0)
    service.is_operator = True
    watched.require_no_faults()
    watched.context.close()
    Watched.all.remove(watched)
    seen("nothing for anybody else")


def languages(browser, service, origin):
    for language, title in TITLES.items():
        watched = opened(browser, service, origin, language)
        page = watched.page
        for path in ("", "/accounts", "/devices", "/changes"):
            page.goto(f"{origin}/settings/operation{path}")
            expect(page.locator("main .row:visible").first).to_be_visible()
            require_narrow(page, f"operation{path} in {language}")
        page.goto(f"{origin}/settings/operation")
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
        inspect(watched, f"operation-{language}")
        watched.context.close()
        Watched.all.remove(watched)
    seen("the same in other languages")


def large(browser, service, origin):
    watched = opened(browser, service, origin, viewport={"width": 1280, "height": 900})
    watched.page.goto(f"{origin}/settings/operation")
    expect(watched.page.locator("main")).to_contain_text("1 thing is wrong")
    photograph(watched.page, "operation-large")
    seen("a large window")
