// Stands in for Wi-Fi: the computer has a network, and nobody joins its access point.
#pragma once

#include <cstddef>
#include <cstdint>

#include "StoredText.h"

enum { WIFI_STA, WIFI_AP_STA };
enum { WL_CONNECTED = 3 };
enum { WIFI_AUTH_OPEN };
enum { WIFI_SCAN_RUNNING = -1 };

struct WiFiStation {
    bool isOn = false, isPersistent = true;

    void persistent(bool isPersistent) { this->isPersistent = isPersistent; }
    void mode(int) { isOn = true; }
    void begin(const char *, const char *) {}
    void disconnect() {}
    int status() { return WL_CONNECTED; }
    int RSSI() { return -67; }
    StoredText macAddress() { return {"24:6F:28:AA:BB:CC"}; }
    void scanNetworks(bool) {}
    int scanComplete() { return 0; }
    void scanDelete() {}
    StoredText SSID(int) { return {""}; }
    int RSSI(int) { return 0; }
    int encryptionType(int) { return WIFI_AUTH_OPEN; }
    void softAP(const char *, const char *) {}
    void softAPdisconnect(bool) {}
    uint32_t softAPIP() { return 0; }
};
inline WiFiStation WiFi;

struct WiFiClient {
    explicit operator bool() const { return false; }
    int available() { return 0; }
    int read() { return -1; }
    bool connected() { return false; }
    size_t write(const uint8_t *, size_t count) { return count; }
    void stop() {}
};

struct WiFiServer {
    explicit WiFiServer(int) {}
    void begin() {}
    void stop() {}
    WiFiClient accept() { return {}; }
};
