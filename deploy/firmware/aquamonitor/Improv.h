// Packets of Improv Serial, version 1 (improv-wifi.com/serial), and three commands of our own in its numbers for settings, which it leaves free.
//
//   IMPROV, version, type, length, data, sum of all bytes before it modulo 256, line feed
//
// Plain C++17, without Arduino, so that it is tested on a computer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aqua {

struct Improv {
    enum Type : uint8_t { currentState = 1, errorState = 2, command = 3, result = 4 };
    enum State : uint8_t { ready = 2, provisioning = 3, provisioned = 4 };
    enum Error : uint8_t { none = 0, invalid = 1, unknown = 2, unableToConnect = 3, notTaken = 0x81 };
    enum Command : uint8_t {
        joinNetwork = 1,
        tellState = 2,
        tellInformation = 3,
        listNetworks = 4,
        // A part of the settings: two bytes with its place in them, the greater first, then up to 240 bytes.
        takePart = 0xA5,
        // All parts are there: they are read, and kept if they are right.
        keepSettings = 0xA6,
        // The id, how it stands with the broker, and the access point with its password, as a label has them.
        tellStanding = 0xA7,
    };

    static std::string packet(uint8_t type, const std::string &data) {
        std::string bytes = "IMPROV\x01";
        bytes += static_cast<char>(type);
        bytes += static_cast<char>(data.size());
        bytes += data;
        uint8_t sum = 0;
        for (char byte : bytes) sum += static_cast<uint8_t>(byte);
        bytes += static_cast<char>(sum);
        return bytes + "\n";
    }

    // The answer to a command. Strings that have no room any more are left out.
    static std::string answer(uint8_t command, const std::vector<std::string> &strings) {
        std::string data;
        for (const auto &text : strings) {
            if (data.size() + 1 + text.size() > 253) break;
            data += static_cast<char>(text.size());
            data += text;
        }
        return packet(result, std::string({static_cast<char>(command), static_cast<char>(data.size())}) + data);
    }

    // Strings, each behind its length. Returns: false when they do not end where the data ends.
    static bool strings(const std::string &data, std::vector<std::string> &found) {
        found.clear();
        for (size_t at = 0; at < data.size();) {
            size_t length = static_cast<uint8_t>(data[at++]);
            if (length > data.size() - at) return false;
            found.push_back(data.substr(at, length));
            at += length;
        }
        return true;
    }
};

// Finds packets among the bytes of a serial port, which has lines of a log as well.
class PacketReader {
public:
    enum class Found { nothing, packet, badSum };

    // A packet that stops for this long, in milliseconds, has lost its end.
    static constexpr uint32_t patience = 1000;

    uint8_t type() const { return static_cast<uint8_t>(bytes[7]); }
    std::string data() const { return bytes.substr(9, static_cast<uint8_t>(bytes[8])); }

    Found take(uint8_t byte, uint32_t now) {
        if (isOver || (!bytes.empty() && now - heardAt > patience)) bytes.clear();
        isOver = false;
        heardAt = now;
        static const std::string header = "IMPROV\x01";
        if (bytes.size() < header.size()) {
            if (static_cast<uint8_t>(header[bytes.size()]) != byte) bytes.clear();
            if (static_cast<uint8_t>(header[bytes.size()]) == byte) bytes += static_cast<char>(byte);
            return Found::nothing;
        }
        if (bytes.size() < 9 || bytes.size() < 9u + static_cast<uint8_t>(bytes[8])) {
            bytes += static_cast<char>(byte);
            return Found::nothing;
        }
        uint8_t sum = 0;
        for (char one : bytes) sum += static_cast<uint8_t>(one);
        isOver = true;
        return sum == byte ? Found::packet : Found::badSum;
    }

private:
    std::string bytes;
    uint32_t heardAt = 0;
    bool isOver = false;
};

} // namespace aqua
