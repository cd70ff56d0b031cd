// Setting a device up: commands over USB and the form of the set-up page lead to the same few steps. What the board does stands behind `Board`.
//
// Plain C++17, without Arduino, so that it is tested on a computer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "Improv.h"
#include "Settings.h"

namespace aqua {

struct Network {
    std::string name;
    int signal = 0; // dBm
    bool isSecured = true;
};

// Each name once, by its strongest station, the strongest first, sixteen at most; hidden ones have no name.
inline std::vector<Network> nearest(std::vector<Network> networks) {
    std::stable_sort(networks.begin(), networks.end(), [](const Network &one, const Network &other) { return one.signal > other.signal; });
    std::vector<Network> found;
    for (const auto &network : networks) {
        bool isKnown = false;
        for (const auto &known : found) isKnown = isKnown || known.name == network.name;
        if (!isKnown && !network.name.empty() && network.name.size() <= 32 && found.size() < 16) found.push_back(network);
    }
    return found;
}

// Whether a name and a password may be those of a network (IEEE 802.11): up to 32 bytes, and none or 8 to 64.
inline bool mayBeNetwork(const std::string &name, const std::string &password) {
    bool hasZero = name.find('\0') != std::string::npos || password.find('\0') != std::string::npos;
    return !hasZero && !name.empty() && name.size() <= 32 && (password.empty() || (password.size() >= 8 && password.size() <= 64));
}

// Ten letters for the password of the access point, of 50 random bits, without those that are taken for one another.
inline std::string setupPassword(uint32_t one, uint32_t other) {
    static const char letters[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    uint64_t bits = static_cast<uint64_t>(one) << 32 | other;
    std::string password;
    for (int place = 0; place < 10; place++, bits >>= 5) password += letters[bits & 31];
    return password;
}

class Board {
public:
    virtual ~Board() = default;
    // To whoever is at the other end of the cable.
    virtual void write(const std::string &bytes) = 0;
    virtual void beginScan() = 0;
    // Returns: whether the scan has ended.
    virtual bool hasScanned(std::vector<Network> &networks) = 0;
    virtual void join(const std::string &name, const std::string &password) = 0;
    virtual bool isJoined() = 0;
    // The network that was just joined is the device's from now on.
    virtual void keepNetwork(const std::string &name, const std::string &password) = 0;
    // The network could not be joined: back to the one before.
    virtual void leaveNetwork() = 0;
    // Returns: whether they could be kept. They hold at once.
    virtual bool keepSettings(const Settings &settings) = 0;
    // Version, chip, name; then the standing: id, word for the broker, access point, its password.
    virtual std::vector<std::string> information() = 0;
    virtual std::vector<std::string> standing() = 0;
};

class Provisioner {
public:
    // A network that was not joined within this, in milliseconds, refuses the password or is not there.
    static constexpr uint32_t patience = 20000;
    // So long after the attempt began the board may still speak of the network before.
    static constexpr uint32_t settling = 1000;

    explicit Provisioner(Board &board) : board(board) {}

    // A byte that came over USB.
    void take(uint8_t byte, uint32_t now) {
        switch (reader.take(byte, now)) {
        case PacketReader::Found::nothing: return;
        case PacketReader::Found::badSum: return refuse(Improv::invalid);
        case PacketReader::Found::packet: break;
        }
        if (reader.type() != Improv::command) return;
        std::string data = reader.data();
        if (data.size() < 2 || static_cast<uint8_t>(data[1]) != data.size() - 2) return refuse(Improv::invalid);
        answer(static_cast<uint8_t>(data[0]), data.substr(2), now);
    }

    // Continues what takes time; called often.
    void tick(uint32_t now) {
        std::vector<Network> networks;
        if (isScanning && board.hasScanned(networks)) {
            isScanning = false;
            known = nearest(networks);
            if (isAwaited) tellNetworks();
            isAwaited = false;
        }
        if (state_ != Improv::provisioning || now - since < settling) return;
        if (board.isJoined()) {
            board.keepNetwork(name, password);
            state_ = Improv::provisioned;
            tellState();
            board.write(Improv::answer(Improv::joinNetwork, {}));
        } else if (now - since > patience) {
            board.leaveNetwork();
            state_ = board.isJoined() ? Improv::provisioned : Improv::ready;
            hasFailed_ = true;
            tellState();
            board.write(error(Improv::unableToConnect));
        } else return;
        forget(password);
    }

    // A form of the set-up page; empty settings leave those that hold.
    // Returns: the fault of the settings; nothing has begun then. A name that is none is `notOurs`.
    Settings::Fault submit(const std::string &network, const std::string &key, const std::string &text, uint32_t now) {
        if (!text.empty()) {
            Settings settings;
            Settings::Fault fault = settings.read(text);
            if (fault != Settings::Fault::none) return fault;
            if (!board.keepSettings(settings)) return Settings::Fault::tooLong;
        }
        join(network, key, now);
        return Settings::Fault::none;
    }

    void scan() {
        if (isScanning) return;
        isScanning = true;
        board.beginScan();
    }

    // The network that holds was joined, or lost, without anybody's command.
    void see(bool isJoined) {
        if (state_ != Improv::provisioning) state_ = isJoined ? Improv::provisioned : Improv::ready;
    }

    uint8_t state() const { return state_; }
    // Whether the last network that was tried could not be joined.
    bool hasFailed() const { return hasFailed_; }
    const std::vector<Network> &networks() const { return known; }

private:
    Board &board;
    PacketReader reader;
    uint8_t state_ = Improv::ready;
    bool hasFailed_ = false, isScanning = false, isAwaited = false;
    std::string name, password, parts;
    uint32_t since = 0;
    std::vector<Network> known;

    void answer(uint8_t command, const std::string &data, uint32_t now) {
        std::vector<std::string> strings;
        switch (command) {
        case Improv::joinNetwork:
            if (!Improv::strings(data, strings) || strings.size() != 2 || !mayBeNetwork(strings[0], strings[1])) return refuse(Improv::invalid);
            board.write(error(Improv::none));
            return join(strings[0], strings[1], now);
        case Improv::tellState:
            tellState();
            if (state_ == Improv::provisioned) board.write(Improv::answer(command, {}));
            return;
        case Improv::tellInformation: return board.write(Improv::answer(command, board.information()));
        case Improv::listNetworks:
            isAwaited = true;
            return scan();
        case Improv::takePart: return take(data);
        case Improv::keepSettings: return keep();
        case Improv::tellStanding: return board.write(Improv::answer(command, board.standing()));
        default: return refuse(Improv::unknown);
        }
    }

    void take(const std::string &data) {
        if (data.size() < 3) return refuse(Improv::invalid);
        size_t place = static_cast<uint8_t>(data[0]) << 8 | static_cast<uint8_t>(data[1]);
        if (place == 0) parts.clear();
        std::string part = data.substr(2);
        // One whose answer was lost comes again.
        bool isRepeated = place + part.size() == parts.size() && parts.compare(place, part.size(), part) == 0;
        if (!isRepeated && (place != parts.size() || place + part.size() > Settings::longest)) return refuse(Improv::invalid);
        if (!isRepeated) parts += part;
        board.write(Improv::answer(Improv::takePart, {std::to_string(parts.size())}));
    }

    void keep() {
        Settings settings;
        bool isKept = settings.read(parts) == Settings::Fault::none && board.keepSettings(settings);
        forget(parts);
        if (!isKept) return refuse(Improv::notTaken);
        board.write(Improv::answer(Improv::keepSettings, {settings.id}));
    }

    void join(const std::string &network, const std::string &key, uint32_t now) {
        name = network;
        password = key;
        since = now;
        hasFailed_ = false;
        state_ = Improv::provisioning;
        tellState();
        board.join(name, password);
    }

    // Secrets stay no longer than they are needed.
    static void forget(std::string &secret) {
        std::fill(secret.begin(), secret.end(), '\0');
        secret.clear();
    }

    void tellNetworks() {
        for (const auto &network : known)
            board.write(Improv::answer(Improv::listNetworks, {network.name, std::to_string(network.signal), network.isSecured ? "YES" : "NO"}));
        board.write(Improv::answer(Improv::listNetworks, {}));
    }

    void tellState() { board.write(Improv::packet(Improv::currentState, std::string(1, static_cast<char>(state_)))); }
    void refuse(uint8_t code) { board.write(error(code)); }
    static std::string error(uint8_t code) { return Improv::packet(Improv::errorState, std::string(1, static_cast<char>(code))); }
};

// When the access point is open: while the device has no settings, and for ten minutes after it got the first ones or somebody held the button. Whoever
// mistyped the network's password on its page corrects it there.
class Window {
public:
    static constexpr uint32_t length = 600000;

    void open(uint32_t now) {
        isOpened = true;
        since = now;
    }

    bool isOpen(bool hasSettings, uint32_t now) {
        if (!hasSettings) open(now);
        if (isOpened && now - since > length) isOpened = false;
        return isOpened;
    }

private:
    bool isOpened = false;
    uint32_t since = 0;
};

} // namespace aqua
