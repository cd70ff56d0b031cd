// The device's words about itself, with its status: version, signal, battery, uptime, and why it started. Plain C++, so that a computer can
// test it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace aqua {

struct Life {
    // Raised with every change of the sketch.
    static constexpr const char *version = "1.2.0";
    // So often the status is published anew, in milliseconds.
    static constexpr uint32_t interval = 600000;

    int signal = 0;   // dBm; 0: none
    int battery = -1; // percent; -1: it has none
    int64_t uptime = 0; // seconds
    int reset = 0;    // esp_reset_reason_t

    std::string status() const {
        char numbers[96];
        snprintf(numbers, sizeof numbers, ",\"uptime\":%lld,\"reset\":\"%s\"}", static_cast<long long>(uptime), reason(reset));
        std::string text = std::string("{\"status\":\"online\",\"version\":\"") + version + "\"";
        if (signal < 0) text += ",\"rssi\":" + std::to_string(signal);
        if (battery >= 0) text += ",\"battery\":" + std::to_string(battery);
        return text + numbers;
    }

    // The charge of a lithium cell, by its voltage: near enough to say when it wants to be filled.
    static int charge(int millivolts) {
        const int empty = 3300, full = 4150;
        if (millivolts <= empty) return 0;
        return millivolts >= full ? 100 : (millivolts - empty) * 100 / (full - empty);
    }

    static const char *reason(int reset) {
        static const char *const reasons[] = {
            "unknown", "poweron", "external", "software", "panic", "watchdog", "watchdog", "watchdog", "deepsleep", "brownout",
        };
        return reset > 0 && reset < static_cast<int>(sizeof reasons / sizeof *reasons) ? reasons[reset] : reasons[0];
    }
};

} // namespace aqua
