"""Questions about a tank: asked right after linking and at any time later, answered by finger and by keys, kept on the way back; the limits that
follow, each with its reason, and set at once only when the person says so."""

import re

from playwright.sync_api import expect

from asking import new_device, publish
from inspection import inspect, photograph, require_narrow
from person import link, sign_up
from watched import Watched, require, seen

EMAIL = "olga@example.org"
DEVICE = "asked-pond"
PATH = f"/devices/{DEVICE}/questions"


def walk(browser, origin):
    watched = Watched(browser)
    sign_up(watched, origin, EMAIL)
    link(watched, new_device(DEVICE), "Koi pond")
    publish(DEVICE, temperature=18.5, ph=7.6)
    expect(watched.page.get_by_role("link", name=re.compile(r"Temperature: 18\.5"))).to_be_visible()
    seen("the questions after linking, and past them")
    opened(watched)
    answered(watched)
    back(watched)
    proposed(watched)
    changed(watched)
    used(watched)
    asked_again(watched)
    clash(watched)
    languages(watched)


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def headline(page, text):
    expect(page.locator("h1")).to_have_text(text)


def opened(watched):
    """From the tank's own screen."""
    page = watched.page
    page.get_by_role("link", name="Devices").click()
    page.get_by_role("link", name="Koi pond: name, place and sharing").click()
    page.get_by_role("link", name="Questions about the water").click()
    headline(page, "What lives in it?")
    expect(page.locator("h1")).to_be_focused()
    expect(page.get_by_text("Question 1 of 4")).to_be_visible()
    inspect(watched, "questions-kept")


def answered(watched):
    """By finger, and with the keyboard alone."""
    page = watched.page
    page.get_by_role("button", name=re.compile("^Koi or goldfish")).click()
    expect(page.get_by_role("button", name=re.compile("^Koi or goldfish"))).to_have_attribute("aria-pressed", "true")
    page.get_by_label("Find a species").fill("carp")
    species = page.get_by_role("checkbox", name=re.compile("^Koi and common carp"))
    species.focus()
    page.keyboard.press("Space")
    expect(species).to_be_checked()
    inspect(watched, "questions-species")
    button(page, "Next").focus()
    page.keyboard.press("Enter")
    headline(page, "How big is it?")
    page.get_by_label("Litres").fill("a pond")
    button(page, "Next").click()
    expect(page.get_by_text("That is no number.")).to_be_visible()
    expect(page.get_by_label("Litres")).to_be_focused()
    button(page, "12,000 l").click()
    expect(page.get_by_text("That is no number.")).to_have_count(0)
    expect(page.get_by_label("Litres")).to_have_value("12000")
    button(page, "More water").click()
    expect(page.get_by_label("Litres")).to_have_value("13000")
    button(page, "Less water").click()
    expect(page.get_by_text("In US gallons: 3170.")).to_be_visible()
    inspect(watched, "questions-volume")
    button(page, "Next").click()
    headline(page, "Indoors or outdoors?")
    expect(page.get_by_text("Do they stay out in winter?")).to_be_hidden()
    button(page, "Indoors").click()
    expect(page.get_by_text("Question 3 of 3")).to_be_visible()
    button(page, "Outdoors").click()
    expect(page.get_by_text("Questions 3 and 4 of 4")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Yes, under ice too")).click()
    inspect(watched, "questions-place")


def back(watched):
    """What was answered is there on the way back, and after going away."""
    page = watched.page
    button(page, "Back").click()
    expect(page.get_by_label("Litres")).to_have_value("12000")
    button(page, "Skip").click()
    headline(page, "Koi pond")
    page.get_by_role("link", name="Questions about the water").click()
    expect(page.get_by_role("button", name=re.compile("^Koi or goldfish"))).to_have_attribute("aria-pressed", "true")
    button(page, "Next").click()
    button(page, "Next").click()
    expect(page.get_by_role("button", name=re.compile("^Yes, under ice too"))).to_have_attribute("aria-pressed", "true")
    seen("answers that outlast going away")


def proposed(watched):
    page = watched.page
    button(page, "Propose limits").click()
    headline(page, "Proposed limits")
    warmth = page.get_by_role("button", name=re.compile("^Temperature"))
    expect(warmth).to_contain_text("2.0–29.0")
    expect(warmth).to_contain_text("Goldfish and koi")
    expect(warmth).to_contain_text("Wider than it is now.")
    alkalinity = page.get_by_role("button", name=re.compile("^Alkalinity"))
    expect(alkalinity).to_contain_text("Koi and common carp")
    expect(alkalinity).to_contain_text("As keepers have it")
    expect(alkalinity).to_contain_text("No probe yet")
    ammonia = page.get_by_role("button", name=re.compile("^Ammonia"))
    expect(ammonia).to_contain_text("0.11")
    expect(ammonia).to_contain_text("0.02 ppm of it free at pH 8.5 and 29 °C")
    expect(page.get_by_role("button", name=re.compile(r"^Use these \d+ limits$"))).to_be_visible()
    inspect(watched, "questions-limits")


def changed(watched):
    """One is left as it is, and the number on the button is one less."""
    page = watched.page
    use = page.get_by_role("button", name=re.compile(r"^Use these \d+ limits$"))
    count = int(re.search(r"\d+", use.inner_text())[0])
    page.get_by_role("button", name=re.compile("^Nitrate")).click()
    sheet = page.get_by_role("dialog", name="Nitrate")
    expect(sheet).to_contain_text("At most")
    inspect(watched, "questions-sheet")
    sheet.get_by_role("button", name="Leave as it is").click()
    expect(use).to_have_text(f"Use these {count - 1} limits")
    page.get_by_role("button", name=re.compile("^Temperature")).click()
    sheet = page.get_by_role("dialog", name="Temperature")
    sheet.get_by_role("button", name=re.compile("^Minimum")).click()
    wheel = sheet.get_by_role("listbox", name="Minimum")
    wheel.focus()
    page.keyboard.press("ArrowDown")
    sheet.get_by_role("button", name="Use it").click()
    expect(page.get_by_role("button", name=re.compile("^Temperature"))).to_contain_text(re.compile(r"(1\.9|2\.1)–29\.0"))
    seen("a limit that is left, and one that is changed")


def used(watched):
    page = watched.page
    page.get_by_role("button", name=re.compile(r"^Use these \d+ limits$")).click()
    expect(page.get_by_text(re.compile(r"^The limits of \d+ parameters hold now\.$"))).to_be_visible()
    headline(page, "All fine")
    seen("limits that are taken over")


def asked_again(watched):
    """A later answer proposes the difference, and sets nothing."""
    page = watched.page
    page.evaluate(f"navigation.navigate('{PATH}')")
    headline(page, "What lives in it?")
    expect(page.get_by_role("button", name=re.compile("^Koi or goldfish"))).to_have_attribute("aria-pressed", "true")
    button(page, "Next").click()
    expect(page.get_by_label("Litres")).to_have_value("12000")
    button(page, "Next").click()
    button(page, "Propose limits").click()
    expect(page.get_by_role("button", name=re.compile("^pH|^Acidity"))).to_contain_text("As it is now.")
    expect(page.get_by_role("button", name=re.compile("^Temperature"))).not_to_contain_text("As it is now.")
    seen("a later answer")


def clash(watched):
    """Two that cannot live together are named."""
    page = watched.page
    for question in ("Indoors or outdoors?", "How big is it?", "What lives in it?"):
        button(page, "Back").click()
        headline(page, question)
    page.get_by_role("button", name=re.compile("^Tropical fresh water")).click()
    page.get_by_role("button", name="Discus", exact=True).click()
    page.get_by_label("Find a species").fill("goldfish")
    page.get_by_role("checkbox", name=re.compile("^Goldfish")).check()
    button(page, "Next").click()
    headline(page, "How big is it?")
    button(page, "Back").click()
    expect(page.get_by_role("button", name=re.compile("^Tropical fresh water"))).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("checkbox", name=re.compile("^Goldfish"))).to_be_checked()
    button(page, "Next").click()
    headline(page, "How big is it?")
    button(page, "Next").click()
    button(page, "Indoors").click()
    button(page, "Propose limits").click()
    warmth = page.get_by_role("button", name=re.compile("^Temperature"))
    expect(warmth).to_contain_text("Goldfish bears at most 24.0")
    require("do not fit together" in warmth.inner_text(), "the clash is said")
    inspect(watched, "questions-clash")


def languages(watched):
    page = watched.page
    for name, language in (("Deutsch", "de"), ("Español", "es"), ("日本語", "ja"), ("English", "en")):
        page.evaluate("navigation.navigate('/settings').finished.then(() => null)")
        page.locator("button.row").filter(has=page.locator(".symbol-globe")).click()
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.evaluate(f"navigation.navigate('{PATH}')")
        expect(page.locator(".questions .choice").first).to_be_visible()
        require_narrow(page, f"questions in {language}")
        photograph(page, f"questions-{language}")
    seen("the questions in each language")
