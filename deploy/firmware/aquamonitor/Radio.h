// The board's part in its set-up: the network, the access point with its page, and what is kept in the store of settings (NVS).
#pragma once

#include <Arduino.h>
#include <DNSServer.h>
#include <Preferences.h>
#include <WiFi.h>

#include "Life.h"
#include "Portal.h"

namespace aqua {

// One name in the store has all of it; what a display was last told lies beside it.
class Radio : public Board {
public:
    Radio(Preferences &kept, void (*apply)(), const char *(*broker)()) : kept(kept), apply(apply), broker(broker) {}

    Settings settings;

    // Reads what is kept, and joins the network if there is one.
    void begin() {
        settings.read(kept.getString("settings", "").c_str());
        // Kept by `keepNetwork` alone, so that it is forgotten with the rest.
        WiFi.persistent(false);
        WiFi.mode(WIFI_STA);
        accessKey = kept.getString("access-key", "").c_str();
        // The chip's numbers are random once its radio runs, and can be guessed before.
        if (accessKey.empty()) kept.putString("access-key", (accessKey = setupPassword(esp_random(), esp_random())).c_str());
        accessName = std::string("AquaMonitor-") + WiFi.macAddress().substring(12).c_str();
        joinKept();
    }

    // Everything but the password of the access point, which may be on a label.
    void forget() {
        for (const char *name : {"settings", "network", "password", "display"}) kept.remove(name);
    }

    void openAccess() {
        WiFi.mode(WIFI_AP_STA);
        WiFi.softAP(accessName.c_str(), accessKey.c_str());
        Serial.printf("Set-up: join %s with the password %s\n", accessName.c_str(), accessKey.c_str());
    }

    void closeAccess() {
        WiFi.softAPdisconnect(true);
        WiFi.mode(WIFI_STA);
    }

    void write(const std::string &bytes) override { Serial.write(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()); }

    void beginScan() override { WiFi.scanNetworks(true); }

    bool hasScanned(std::vector<Network> &networks) override {
        int count = WiFi.scanComplete();
        if (count == WIFI_SCAN_RUNNING) return false;
        for (int index = 0; index < count; index++)
            networks.push_back({WiFi.SSID(index).c_str(), WiFi.RSSI(index), WiFi.encryptionType(index) != WIFI_AUTH_OPEN});
        WiFi.scanDelete();
        return true;
    }

    void join(const std::string &name, const std::string &password) override {
        WiFi.disconnect();
        WiFi.begin(name.c_str(), password.c_str());
    }

    bool isJoined() override { return WiFi.status() == WL_CONNECTED; }

    void keepNetwork(const std::string &name, const std::string &password) override {
        kept.putString("network", name.c_str());
        kept.putString("password", password.c_str());
    }

    void leaveNetwork() override {
        WiFi.disconnect();
        joinKept();
    }

    bool keepSettings(const Settings &next) override {
        std::string text = next.text();
        if (kept.putString("settings", text.c_str()) != text.size()) return false;
        settings = next;
        apply();
        return true;
    }

    std::vector<std::string> information() override { return {"AquaMonitor", Life::version, "ESP32", settings.isEmpty() ? accessName : settings.id}; }
    std::vector<std::string> standing() override { return {settings.id, broker(), accessName, accessKey}; }
    std::vector<std::string> label() { return {"Set-up, Wi-Fi:", accessName, "Password:", accessKey}; }

private:
    Preferences &kept;
    void (*const apply)();
    const char *(*const broker)();
    std::string accessName, accessKey;

    void joinKept() {
        std::string name = kept.getString("network", "").c_str();
        if (!name.empty()) WiFi.begin(name.c_str(), kept.getString("password", "").c_str());
    }
};

// The access point's page and names, while it is open. One visitor at a time, with seconds to ask: it serves one person who stands beside it.
class AccessPoint {
public:
    AccessPoint(Radio &radio, Provisioner &provisioner) : radio(radio), provisioner(provisioner), portal(provisioner) {}

    bool isOpen() const { return isOpen_; }

    void update(bool shallBeOpen, const char *broker, uint32_t now) {
        if (shallBeOpen != isOpen_) shallBeOpen ? open() : close();
        if (!isOpen_) return;
        names.processNextRequest();
        if (!client) {
            client = server.accept();
            request = Request();
            since = now;
        }
        if (!client) return;
        auto found = Request::Found::more;
        while (found == Request::Found::more && client.available() > 0) found = request.take(static_cast<char>(client.read()));
        if (found == Request::Found::more && client.connected() && now - since < 5000) return;
        if (found == Request::Found::whole) {
            std::string answer = portal.answer(request, broker, !radio.settings.isEmpty(), now);
            client.write(reinterpret_cast<const uint8_t *>(answer.data()), answer.size());
        }
        client.stop();
        client = WiFiClient();
    }

private:
    Radio &radio;
    Provisioner &provisioner;
    Portal portal;
    WiFiServer server{80};
    WiFiClient client;
    DNSServer names;
    Request request;
    uint32_t since = 0;
    bool isOpen_ = false;

    void open() {
        isOpen_ = true;
        radio.openAccess();
        provisioner.scan();
        names.start(53, "*", WiFi.softAPIP());
        server.begin();
    }

    void close() {
        isOpen_ = false;
        client.stop();
        server.stop();
        names.stop();
        radio.closeAccess();
    }
};

} // namespace aqua
