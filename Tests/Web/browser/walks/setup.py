"""Setting a probe up: over a cable, with the sketch's own set-up at its other end, by its own page, and by texts for other firmware. Its key is
never asked for of the service, never stored, never in an address."""

import json

from playwright.sync_api import expect

from asking import until
from cable import Cable
from inspection import at_rest, inspect, open_in, photograph, require_accessible, require_narrow
from keeper import Keeper
from many import Refused, serving
from watched import VIEWPORT, Watched, require, seen

POND = "tank-000"
KEY = "s3cret-Key_0123456789"
AUTHORITY = "-----BEGIN CERTIFICATE-----\n" + "MIIBszCCAVmgAwIBAgIU" * 20 + "\n-----END CERTIFICATE-----\n"
SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""
# The page of enrolment hands over what it has opened in memory; here the device's page does.
WITHOUT = "{ id, name, password: null }"
WITH = f'{{ id, name, password: "{KEY}", host: "mqtt.example.org", port: 8883, tls: true }}'
JOIN, PART, KEEP = 1, 0xA5, 0xA6


class Enrolling(Keeper):
    """Says what is entered in a device, with a gap for its key."""

    def __init__(self, tanks):
        super().__init__(tanks)
        self.has_broker = True
        self.came = []

    def answer(self, method, path, query, body):
        self.came.append((method, path, query, body))
        if path.split("/")[-1] in ("rejects", "watchers", "invitations", "probes"):
            return []
        if not path.startswith("/enrolment/setup/"):
            return super().answer(method, path, query, body)
        firmware = path.split("/")[3]
        if method != "GET" or query != {"device": [POND]} or not self.has_broker:
            raise Refused(404, "There is none.", "not-found")
        if firmware == "esphome":
            text = f'mqtt:\n  broker: mqtt.example.org\n  username: {POND}\n  password: "{{{{password}}}}"\n'
            return {"title": "ESPHome", "file": f"{POND}.yaml", "text": text, "authority": AUTHORITY}
        return {"title": firmware, "file": None, "text": f"user {POND}\npassword {{{{password}}}}\n", "authority": AUTHORITY}


def walk(browser, _):
    with serving(1, Enrolling) as (service, origin):
        watched = Watched(browser, service_workers="block", locale="en-GB", permissions=["clipboard-read", "clipboard-write"])
        watched.context.add_init_script(SIGNED_IN)
        cable = Cable(watched.context, KEY)
        try:
            network_alone(watched, cable, origin)
            refusals(watched, cable, origin)
            give_key(watched)
            whole(watched, cable, origin)
            pulled(watched, cable, origin)
            refused_key(watched, cable, origin)
            by_its_page(watched, origin)
            texts(watched, service, origin)
            languages(watched, service, origin)
            require_secret(watched, service)
        finally:
            cable.end()


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def give_key(watched):
    """From here on the device's page hands over a key, as that of enrolment does."""

    def changed(route):
        response = route.fetch()
        text = response.text()
        require(WITHOUT in text, "the device's page says what it hands over")
        route.fulfill(response=response, body=text.replace(WITHOUT, WITH))

    watched.context.route("**/screens/device/device.js", changed)


def sheet(watched, origin):
    page = watched.page
    page.goto(f"{origin}/devices/{POND}")
    button(page, "Set up the probe").click()
    found = page.get_by_role("dialog", name="Set up Koi pond", exact=True)
    expect(found).to_be_visible()
    return found


def connect(found):
    button(found, "Choose the probe").click()
    expect(found.get_by_role("button", name="Koi house")).to_be_visible()


def look(watched, name):
    """The sheet at 320 px, by axe, and as a picture."""
    require_narrow(watched.page, name)
    at_rest(watched.page)
    require_accessible(watched.page, name)
    photograph(watched.page, name)
    watched.require_no_faults()
    seen(name)


def network_alone(watched, cable, origin):
    """Of a device that exists nobody has the key: it gets another network, and keeps the rest."""
    found = sheet(watched, origin)
    expect(found).to_contain_text("Nobody keeps the key of a device")
    look(watched, "setup-usb")
    connect(found)
    expect(found).to_contain_text("Its broker and its key stay as they are.")
    expect(found.get_by_role("button", name="<b>Neighbours</b>")).to_be_visible()
    found.get_by_role("button", name="Koi house").click()
    found.get_by_label("Its password", exact=True).fill("short")
    button(found, "Set it up").click()
    expect(found).to_contain_text("It has at least 8 letters")
    require(JOIN not in cable.commands, "nothing was sent")
    found.get_by_label("Its password", exact=True).fill("wrong password")
    button(found, "Set it up").click()
    expect(found).to_contain_text("The network was not joined")
    look(watched, "setup-network")
    found.get_by_label("Its password", exact=True).fill("right password")
    button(found, "Set it up").click()
    expect(found.get_by_role("status").filter(has_text="The probe is in the network.")).to_be_visible()
    expect(found).to_contain_text("AquaMonitor-AB:CD, with the password 0123456789")
    require(PART not in cable.commands and KEEP not in cable.commands, "no settings were sent")
    found.get_by_role("button", name="Close").click()
    until("the port is closed", lambda: watched.page.evaluate("1") and cable.closed == cable.opened)
    seen("a wrong password, and another network alone")


def refusals(watched, cable, origin):
    """Whoever closes the browser's list has chosen nothing; a port may be another program's."""
    found = sheet(watched, origin)
    cable.is_chosen = False
    button(found, "Choose the probe").click()
    expect(button(found, "Choose the probe")).not_to_have_attribute("aria-busy", "true")
    expect(found.get_by_role("alert")).to_have_count(0)
    cable.is_chosen, cable.is_taken = True, True
    button(found, "Choose the probe").click()
    expect(found).to_contain_text("Perhaps another program has it.")
    cable.is_taken = False
    connect(found)
    button(found, "Its own Wi-Fi").click()
    expect(found).to_contain_text("leave the text empty: the key stays.")
    until("the port is closed", lambda: watched.page.evaluate("1") and cable.closed == cable.opened)
    choose(watched, found, "ESPHome")
    expect(found.locator("pre")).to_contain_text('password: "THE-KEY"')
    expect(button(found, "Show the key")).to_have_count(0)
    seen("a list that was closed, a port that is taken, and texts with a gap")


def whole(watched, cable, origin):
    """Network, broker and key, with answers whose sums are wrong; the broker takes the probe."""
    cable.renew()
    found = sheet(watched, origin)
    cable.noise = 2
    connect(found)
    found.get_by_role("button", name="Koi house").click()
    found.get_by_label("Its password", exact=True).fill("right password")
    cable.noise = 1
    button(found, "Set it up").click()
    expect(found.get_by_role("status").filter(has_text="Done: the probe reports.")).to_be_visible()
    require(cable.commands.count(KEEP) == 1 and cable.commands.count(PART) >= 2, f"settings in parts: {cable.commands}")
    look(watched, "setup-done")
    seen("a probe that was set up over noise")


def pulled(watched, cable, origin):
    """A cable that is pulled among the parts leaves the probe as it was; it is chosen again, and all of it is sent."""
    cable.renew()
    found = sheet(watched, origin)
    connect(found)
    found.get_by_role("button", name="Koi house").click()
    found.get_by_label("Its password", exact=True).fill("right password")
    cable.pulls_at = PART
    button(found, "Set it up").click()
    expect(found).to_contain_text("The cable or the port is gone.")
    require(KEEP not in cable.commands, "nothing was kept")
    look(watched, "setup-pulled")
    connect(found)
    button(found, "Keep its network, give it the key alone").click()
    expect(found.get_by_role("status").filter(has_text="Done: the probe reports.")).to_be_visible()
    require(cable.commands.count(JOIN) == 1 and cable.commands.count(KEEP) == 1, f"{cable.commands}")
    seen("a cable that was pulled in the middle")


def refused_key(watched, cable, origin):
    cable.renew()
    cable.key = "another key"
    found = sheet(watched, origin)
    connect(found)
    found.get_by_role("button", name="Guests").click()
    button(found, "Set it up").click()
    expect(found).to_contain_text("the broker refuses its key")
    cable.renew()
    cable.key = KEY
    seen("a key that the broker refuses")


def by_its_page(watched, origin):
    """The text for the probe's own page is hidden, copied whole, and read as the sketch reads it."""
    found = sheet(watched, origin)
    button(found, "Its own Wi-Fi").click()
    text = found.locator("pre")
    expect(text).to_contain_text("aquamonitor 1")
    require(KEY not in text.inner_text(), "the key is hidden")
    look(watched, "setup-access")
    button(found, "Copy").click()
    expect(watched.page.get_by_text("Copied").first).to_be_visible()
    copied = watched.page.evaluate("navigator.clipboard.readText()")
    require(f"\nkey {KEY}\n" in copied and copied.endswith("end\n") and AUTHORITY in copied, f"what was copied: {copied}")
    button(found, "Show the key").click()
    expect(text).to_contain_text(KEY)
    button(found, "Hide the key").click()
    expect(text).not_to_contain_text(KEY)
    seen("the text for the probe's own page")


def choose(watched, found, name):
    found.get_by_role("button", name="Firmware").click()
    watched.page.get_by_role("dialog", name="Firmware", exact=True).get_by_role("button", name=name, exact=True).click()


def texts(watched, service, origin):
    page = watched.page
    found = sheet(watched, origin)
    choose(watched, found, "ESPHome")
    expect(found.locator("pre")).to_contain_text("broker: mqtt.example.org")
    expect(found).to_contain_text("Name each sensor after what it measures")
    look(watched, "setup-esphome")
    with page.expect_download() as download:
        button(found, "Save as a file").click()
    require(download.value.suggested_filename == f"{POND}.yaml", download.value.suggested_filename)
    require(f'password: "{KEY}"' in open(download.value.path(), encoding="utf-8").read(), "the file is whole")
    with page.expect_download() as download:
        button(found, "Save ca.pem, the certificate of the broker's authority").click()
    require(open(download.value.path(), encoding="utf-8").read() == AUTHORITY, "the authority")
    for name in ("Tasmota", "Zigbee2MQTT", "Shelly Plus, Pro, Gen3", "Shelly 1, 1PM", "reef-pi", "SenML", "SensorThings", "Firmware of your own"):
        choose(watched, found, name)
        expect(found.locator("pre")).to_contain_text(f"user {POND}")
    service.has_broker = False
    watched.allowed.append(r"404.*/enrolment/setup/")
    choose(watched, found, "Tasmota")
    expect(found.get_by_role("alert")).not_to_be_empty()
    service.has_broker = True
    button(found, "Try again").click()
    expect(found.locator("pre")).to_contain_text(f"user {POND}")
    seen("texts for other firmware")


def languages(watched, service, origin):
    page = watched.page
    words = {"es": ("Configurar la sonda", "Su propia wifi"), "ja": ("プローブを設定", "本体のWi-Fi"), "de": ("Sonde einrichten", "Ihr eigenes WLAN")}
    for language, (row, way) in words.items():
        open_in(language, page, service, f"{origin}/devices/{POND}")
        button(page, row).click()
        button(page, way).click()
        expect(page.locator("pre")).to_contain_text("aquamonitor 1")
        require_narrow(page, f"the set-up in {language}")
        photograph(page, f"setup-{language}")
    page.set_viewport_size({"width": 1280, "height": 900})
    photograph(page, "setup-desktop")
    page.set_viewport_size(VIEWPORT)
    # A browser without Web Serial has the other way alone.
    page.add_init_script("delete Navigator.prototype.serial;")
    page.goto(f"{origin}/devices/{POND}")
    button(page, "Sonde einrichten").click()
    expect(page.get_by_text("Dieser Browser spricht nicht mit Geräten am Kabel.")).to_be_visible()
    expect(button(page, "USB-Kabel")).to_have_count(0)
    seen("the set-up in each language, and without a cable")


def require_secret(watched, service):
    """The key went to the probe, the clipboard and a file, and nowhere else."""
    kept = watched.page.evaluate(
        "async () => JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, history.state, document.cookie,"
        " await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url))),"
        " (await indexedDB.databases()).map(({ name }) => name)])"
    )
    require(KEY not in kept, f"kept: {kept}")
    require(KEY not in json.dumps([[method, path, query, body] for method, path, query, body in service.came]), "the key was sent to the service")
    require("right password" not in kept + json.dumps(service.came), "the network's password stays here, too")
    require(any(path.startswith("/enrolment/setup/") for _, path, _, _ in service.came), "the service was asked")
    seen("where the key is not")
