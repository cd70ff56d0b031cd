// The settings of a device: its broker, its id, its key and the authority that it trusts, as one text that comes over USB, by the set-up page and
// from the device's own store. The contract is in deploy/DEVICES.md.
//
// Plain C++17, without Arduino, so that it is tested on a computer.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace aqua {

struct Settings {
    // The ESP32's store takes 4,000 bytes with the zero at the end.
    static constexpr size_t longest = 3900;

    enum class Fault { none, tooLong, notOurs, cut, host, port, id, key, authority };

    std::string host, id, key;
    // PEM; empty: an authority that the device knows by itself.
    std::string authority;
    uint16_t port = 0;
    bool isSecure = true;

    bool isEmpty() const { return id.empty(); }

    std::string address() const { return (isSecure ? "mqtts://" : "mqtt://") + host + ":" + std::to_string(port); }

    // The text that `read` takes.
    std::string text() const {
        return "aquamonitor 1\nhost " + host + "\nport " + std::to_string(port) + "\ntls " + (isSecure ? "yes" : "no") + "\nid " + id + "\nkey "
            + key + "\n" + authority + "end\n";
    }

    // Takes the whole text or nothing of it. Lines that it does not know it passes over: a later version may have more.
    Fault read(const std::string &text) {
        if (text.size() > longest) return Fault::tooLong;
        Settings next;
        bool isFirst = true, isInside = false, isWhole = false;
        for (size_t start = 0; start < text.size() && !isWhole;) {
            size_t end = text.find('\n', start);
            std::string line = trimmed(text.substr(start, end == std::string::npos ? end : end - start));
            start = end == std::string::npos ? text.size() : end + 1;
            if (line.empty()) continue;
            if (isFirst && line != "aquamonitor 1") return Fault::notOurs;
            if (isFirst) {
                isFirst = false;
                continue;
            }
            if (line == "-----BEGIN CERTIFICATE-----" && !isInside) isInside = true;
            else if (isInside && line != "-----END CERTIFICATE-----" && !isBase64(line)) return start == text.size() ? Fault::cut : Fault::authority;
            else if (!isInside) {
                isWhole = line == "end";
                next.take(line);
                continue;
            }
            next.authority += line + "\n";
            if (line == "-----END CERTIFICATE-----") isInside = false;
        }
        if (isFirst) return Fault::notOurs;
        if (!isWhole) return Fault::cut;
        Fault fault = next.fault();
        if (fault == Fault::none) *this = next;
        return fault;
    }

private:
    void take(const std::string &line) {
        size_t blank = line.find(' ');
        if (blank == std::string::npos) return;
        std::string name = line.substr(0, blank), value = trimmed(line.substr(blank));
        if (name == "host") host = value;
        else if (name == "port") port = number(value);
        else if (name == "tls") isSecure = value != "no";
        else if (name == "id") id = value;
        else if (name == "key") key = value;
    }

    Fault fault() const {
        if (!isMadeOf(host, 253, ".-")) return Fault::host;
        if (port == 0) return Fault::port;
        if (!isMadeOf(id, 32, "_-")) return Fault::id;
        return isPrintable(key, 128) ? Fault::none : Fault::key;
    }

    static uint16_t number(const std::string &text) {
        if (text.empty() || text.size() > 5) return 0;
        for (char digit : text) if (digit < '0' || digit > '9') return 0;
        long found = strtol(text.c_str(), nullptr, 10);
        return found > 65535 ? 0 : static_cast<uint16_t>(found);
    }

    static bool isMadeOf(const std::string &text, size_t longest, const char *others) {
        if (text.empty() || text.size() > longest) return false;
        for (char byte : text) if (!isAlphanumeric(byte) && std::string(others).find(byte) == std::string::npos) return false;
        return true;
    }

    static bool isPrintable(const std::string &text, size_t longest) {
        for (char byte : text) if (byte < ' ' || byte > '~') return false;
        return !text.empty() && text.size() <= longest;
    }

    static bool isBase64(const std::string &line) { return isMadeOf(line, longest, "+/="); }

    static bool isAlphanumeric(char byte) {
        return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
    }

    static std::string trimmed(const std::string &text) {
        size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
        return first == std::string::npos ? "" : text.substr(first, last - first + 1);
    }
};

} // namespace aqua
