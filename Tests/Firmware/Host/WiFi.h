// Stands in for Wi-Fi: the computer has a network.
#pragma once

struct WiFiStation {
    void begin(const char *, const char *) {}
    int RSSI() { return -67; }
};
inline WiFiStation WiFi;
