// A board that only remembers, for tests of the set-up: networks in reach, their passwords, and what was kept.
#pragma once

#include "../../../deploy/firmware/aquamonitor/Portal.h"

class TestBoard : public aqua::Board {
public:
    std::string written;
    std::vector<aqua::Network> reachable;
    // Of each network that can be joined.
    std::map<std::string, std::string> passwords;
    std::string keptName, keptPassword, joined;
    aqua::Settings settings;
    std::string broker = "none";
    int scans = 0;
    bool isFull = false;

    void write(const std::string &bytes) override { written += bytes; }
    void beginScan() override { scans++; }

    bool hasScanned(std::vector<aqua::Network> &networks) override {
        networks = reachable;
        return true;
    }

    void join(const std::string &name, const std::string &password) override {
        auto found = passwords.find(name);
        joined = found != passwords.end() && found->second == password ? name : "";
    }

    bool isJoined() override { return !joined.empty(); }

    void keepNetwork(const std::string &name, const std::string &password) override {
        keptName = name;
        keptPassword = password;
    }

    void leaveNetwork() override { join(keptName, keptPassword); }

    bool keepSettings(const aqua::Settings &next) override {
        if (isFull) return false;
        settings = next;
        broker = "trying";
        return true;
    }

    std::vector<std::string> information() override { return {"AquaMonitor", "1.2.0", "ESP32", "AquaMonitor-AB:CD"}; }
    std::vector<std::string> standing() override { return {settings.id, broker, "AquaMonitor-AB:CD", "0123456789"}; }
};
