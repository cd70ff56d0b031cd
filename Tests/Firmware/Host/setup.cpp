// Tests the set-up: settings, packets, commands, requests and pages, and inputs that are none.
#include "board.h"

#include "../../../deploy/firmware/aquamonitor/Button.h"
#include "expect.h"

#include <random>

using aqua::Improv;
using aqua::PacketReader;
using aqua::Provisioner;
using aqua::Request;
using aqua::Settings;
using Fault = Settings::Fault;

static const std::string authority = "-----BEGIN CERTIFICATE-----\nMIIB+/9=\n-----END CERTIFICATE-----\n";
static const std::string whole =
    "aquamonitor 1\nhost mqtt.example.org\nport 8883\ntls yes\nid pond-1\nkey s3cret-Key_\n" + authority + "end\n";

static std::string changed(const std::string &from, const std::string &to) {
    std::string text = whole;
    return text.replace(text.find(from), from.size(), to);
}

static Fault read(const std::string &text) {
    Settings settings;
    return settings.read(text);
}

static void settingsAreTakenWholeOrNot() {
    Settings settings;
    EXPECT(settings.isEmpty());
    EXPECT(settings.read(whole) == Fault::none && settings.text() == whole);
    EXPECT(settings.address() == "mqtts://mqtt.example.org:8883" && settings.authority == authority);
    // As a telephone pastes it.
    std::string pasted;
    for (char byte : "\n  " + whole) pasted += byte == '\n' ? "  \r\n" : std::string(1, byte);
    Settings other;
    EXPECT(other.read(pasted) == Fault::none && other.text() == whole);
    EXPECT(other.read(changed("tls yes", "tls no\nlater something")) == Fault::none && other.address() == "mqtt://mqtt.example.org:8883");
    EXPECT(read("") == Fault::notOurs && read("host a\nend\n") == Fault::notOurs);
    EXPECT(read(changed("end\n", "")) == Fault::cut && read(whole.substr(0, 140)) == Fault::cut);
    EXPECT(read(changed("mqtt.", "mqtt/")) == Fault::host && read(changed("host mqtt.example.org", "")) == Fault::host);
    for (const char *port : {"0", "65536", "-1", "88x", "0x1F"}) EXPECT(read(changed("8883", port)) == Fault::port);
    EXPECT(read(changed("pond-1", "pond/1")) == Fault::id && read(changed("pond-1", std::string(33, 'a'))) == Fault::id);
    EXPECT(read(changed("s3cret", "s\x01")) == Fault::key && read(changed("s3cret-Key_", std::string(129, 'a'))) == Fault::key);
    EXPECT(read(changed("MIIB", "MI<B")) == Fault::authority);
    EXPECT(read(whole + std::string(Settings::longest, ' ')) == Fault::tooLong);
    // A refused text changes nothing.
    EXPECT(settings.read(changed("pond-1", "")) == Fault::id && settings.text() == whole);
}

static std::string packet(uint8_t command, const std::string &data) {
    return Improv::packet(Improv::command, std::string({static_cast<char>(command), static_cast<char>(data.size())}) + data);
}

static std::string strings(const std::vector<std::string> &texts) {
    std::string data;
    for (const auto &text : texts) data += static_cast<char>(text.size()) + text;
    return data;
}

// The example of the protocol's own page: a network and its password. Over a serial port the sum has the header in it.
static void aPacketIsTheProtocols() {
    std::string bytes = packet(Improv::joinNetwork, strings({"MyWirelessAP", "mysecurepassword"}));
    EXPECT(bytes.substr(0, 11) == std::string("IMPROV\x01\x03\x20\x01\x1E", 11) && static_cast<uint8_t>(bytes[41]) == 0xC1 && bytes.size() == 43);
    PacketReader reader;
    for (size_t at = 0; at < bytes.size(); at++) {
        auto found = reader.take(static_cast<uint8_t>(bytes[at]), 0);
        EXPECT((found == PacketReader::Found::packet) == (at == 41));
    }
    std::vector<std::string> found;
    EXPECT(Improv::strings(std::string("\x01" "a\x00", 3), found) && found.size() == 2 && found[1].empty());
    EXPECT(!Improv::strings("\x02" "a", found) && Improv::answer(1, {std::string(252, 'a'), "b"}).size() == 9 + 2 + 253 + 2);
    EXPECT(Improv::answer(1, {std::string(254, 'a')}).size() == 9 + 2 + 2);
}

struct Bench {
    TestBoard board;
    Provisioner provisioner{board};
    uint32_t now = 0;

    // The packets that come back, without what frames them.
    std::vector<std::string> say(const std::string &bytes, uint32_t milliseconds = 0) {
        board.written.clear();
        for (char byte : bytes) provisioner.take(static_cast<uint8_t>(byte), now);
        provisioner.tick(now += milliseconds);
        std::vector<std::string> found;
        PacketReader reader;
        for (char byte : board.written)
            if (reader.take(static_cast<uint8_t>(byte), 0) == PacketReader::Found::packet) found.push_back(static_cast<char>(reader.type()) + reader.data());
        return found;
    }
};

static std::string state(uint8_t value) { return {1, static_cast<char>(value)}; }
static std::string error(uint8_t value) { return {2, static_cast<char>(value)}; }
static std::string result(uint8_t command, const std::vector<std::string> &texts) {
    std::string data = strings(texts);
    return std::string({4, static_cast<char>(command), static_cast<char>(data.size())}) + data;
}

using Packets = std::vector<std::string>;

static void aNetworkIsJoinedOrRefused() {
    Bench bench;
    bench.board.passwords = {{"Koi", "right password"}, {"Open", ""}};
    bench.board.reachable = {{"Far", -90, true}, {"Koi", -70, true}, {"Koi", -50, true}, {"", -10, true}, {"Open", -60, false}};
    EXPECT(bench.say("a line of the log\n" + packet(Improv::tellState, "")) == Packets{state(2)});
    EXPECT(bench.say(packet(Improv::tellInformation, "")) == Packets{result(3, bench.board.information())});
    EXPECT((bench.say(packet(Improv::listNetworks, ""))
        == Packets{result(4, {"Koi", "-50", "YES"}), result(4, {"Open", "-60", "NO"}), result(4, {"Far", "-90", "YES"}), result(4, {})}));
    EXPECT((bench.say(packet(Improv::joinNetwork, strings({"Koi", "wrong password"})), 900) == Packets{error(0), state(3)}));
    EXPECT(bench.say("", 19000).empty() && (bench.say("", 200) == Packets{state(2), error(3)}) && bench.provisioner.hasFailed());
    EXPECT((bench.say(packet(Improv::joinNetwork, strings({"Koi", "right password"})), 900) == Packets{error(0), state(3)}));
    EXPECT((bench.say("", 200) == Packets{state(4), result(1, {})}) && bench.board.keptPassword == "right password");
    // The one before holds when the next cannot be joined.
    bench.say(packet(Improv::joinNetwork, strings({"Nowhere", ""})));
    EXPECT((bench.say("", 20001) == Packets{state(4), error(3)}) && bench.board.joined == "Koi" && bench.board.keptName == "Koi");
    for (const auto &none : {strings({"", "12345678"}), strings({"Koi", "short"}), strings({"Koi"}), strings({std::string(33, 'a'), ""}),
             strings({"Koi", "12345678", ""}), std::string("\x09Koi")})
        EXPECT(bench.say(packet(Improv::joinNetwork, none)) == Packets{error(1)});
}

static void settingsComeInParts() {
    Bench bench;
    std::string text = whole;
    auto part = [](size_t place, const std::string &bytes) {
        return packet(Improv::takePart, std::string({static_cast<char>(place >> 8), static_cast<char>(place)}) + bytes);
    };
    EXPECT(bench.say(packet(Improv::keepSettings, "")) == Packets{error(0x81)});
    EXPECT(bench.say(part(0, text.substr(0, 100))) == Packets{result(0xA5, {"100"})});
    // A part that is missing, or comes twice.
    EXPECT(bench.say(part(150, "a")) == Packets{error(1)} && bench.say(part(0, text.substr(0, 100))) == Packets{result(0xA5, {"100"})});
    EXPECT(bench.say(part(100, text.substr(100))) == Packets{result(0xA5, {std::to_string(text.size())})});
    EXPECT(bench.say(part(100, text.substr(100))) == Packets{result(0xA5, {std::to_string(text.size())})});
    EXPECT(bench.say(packet(Improv::keepSettings, "")) == Packets{result(0xA6, {"pond-1"})} && bench.board.settings.text() == whole);
    EXPECT(bench.say(packet(Improv::keepSettings, "")) == Packets{error(0x81)}); // they are gone
    EXPECT((bench.say(packet(Improv::tellStanding, "")) == Packets{result(0xA7, {"pond-1", "trying", "AquaMonitor-AB:CD", "0123456789"})}));
    // A network that is being joined meanwhile keeps its password, and settings that are half there stay when it is joined.
    bench.board.passwords = {{"Koi", "right password"}};
    for (size_t from : {0, 100}) {
        bench.say(packet(Improv::joinNetwork, strings({"Koi", "right password"})));
        bench.say(part(from, text.substr(from, from == 0 ? 100 : text.npos)));
        if (from > 0) EXPECT(bench.say(packet(Improv::keepSettings, "")) == Packets{result(0xA6, {"pond-1"})});
        EXPECT((bench.say("", 1001) == Packets{state(4), result(1, {})}) && bench.board.keptPassword == "right password");
    }
    // A store that is full.
    bench.board.isFull = true;
    bench.say(part(0, whole.substr(0, 100)));
    bench.say(part(100, whole.substr(100)));
    EXPECT(bench.say(packet(Improv::keepSettings, "")) == Packets{error(0x81)});
    for (size_t place = 0; place < Settings::longest; place += 200) bench.say(part(place, std::string(200, 'a')));
    EXPECT(bench.say(part(3800, std::string(200, 'a'))) == Packets{error(1)} && bench.say(part(0, "")) == Packets{error(1)});
}

static void aCableThatIsPulledOrNoisy() {
    Bench bench;
    std::string ask = packet(Improv::tellState, "");
    std::string wrong = ask;
    wrong[wrong.size() - 2] ^= 1;
    EXPECT(bench.say(wrong) == Packets{error(1)} && bench.say(ask) == Packets{state(2)});
    EXPECT(bench.say(packet(0x33, "")) == Packets{error(2)} && bench.say(Improv::packet(Improv::command, "\x02")) == Packets{error(1)});
    EXPECT(bench.say(Improv::packet(Improv::result, "\x02")).empty());
    // Pulled in the middle; the next packet comes when the cable is back.
    EXPECT(bench.say(ask.substr(0, 10)).empty());
    bench.now += 1001;
    EXPECT(bench.say(ask) == Packets{state(2)});
    EXPECT(bench.say("IMPIMPROV\x01" + ask.substr(7)) == Packets{state(2)});
}

static Request request(const std::string &text, Request::Found expected) {
    Request found;
    auto state = Request::Found::more;
    for (char byte : text) if (state == Request::Found::more) state = found.take(byte);
    EXPECT(state == expected);
    return found;
}

static std::string post(const std::string &form, const std::string &more = "") {
    return "POST / HTTP/1.1\r\nHost: 192.168.4.1\r\nAccept-Language: fr, de-CH;q=0.9\r\n" + more + "Content-Length: " + std::to_string(form.size()) + "\r\n\r\n" + form;
}

static bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

static std::string encoded(const std::string &text) {
    std::string found;
    char hex[4];
    for (char byte : text) found += (snprintf(hex, sizeof hex, "%%%02X", static_cast<uint8_t>(byte)), hex);
    return found;
}

static void theSetUpPageTakesAForm() {
    Bench bench;
    bench.board.passwords = {{"Koi & \"Co\"", "right password"}};
    bench.board.reachable = {{"Koi & \"Co\"", -50, true}};
    bench.provisioner.scan();
    bench.provisioner.tick(0);
    aqua::Portal portal(bench.provisioner);
    auto answer = [&](const std::string &text) { return portal.answer(request(text, Request::Found::whole), bench.board.broker, !bench.board.settings.isEmpty(), bench.now); };
    EXPECT(has(answer("GET /generate_204 HTTP/1.1\r\nHost: anywhere\r\n\r\n"), "302 Found\r\nLocation: http://192.168.4.1/"));
    EXPECT(has(answer("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"), "302 Found\r\nLocation: http://192.168.4.1/"));
    std::string page = answer("GET / HTTP/1.1\r\nAccept-Language: ja\r\n\r\n");
    EXPECT(has(page, "lang=ja") && has(page, "value=\"Koi &amp; &quot;Co&quot;\"") && has(page, "Cache-Control: no-store"));
    EXPECT(has(answer("GET / HTTP/1.1\r\n\r\n"), "lang=en"));
    std::string network = "network=" + encoded("Koi & \"Co\"");
    EXPECT(has(answer(post(network + "&password=short")), "400 Bad Request") && has(answer(post(network)), "lang=de"));
    EXPECT(has(answer(post(network + "&password=right+password")), "Füge den Text aus der App ein."));
    EXPECT(has(answer(post(network + "&settings=" + encoded(whole.substr(0, 100)))), "Das Ende des Textes fehlt."));
    EXPECT(has(answer(post(network + "&settings=aquamonitor+2")), "400 Bad Request") && bench.board.settings.isEmpty());
    std::string form = network + "&password=right+password&settings=" + encoded(whole);
    EXPECT(has(answer(post(form, "Origin: http://evil.example\r\n")), "403 Forbidden") && bench.board.settings.isEmpty());
    page = answer(post(form, "Origin: http://192.168.4.1\r\n"));
    EXPECT(has(page, "Verbindet sich") && has(page, "http-equiv=refresh") && bench.board.settings.id == "pond-1");
    EXPECT(!has(page, "right password") && !has(page, "s3cret-Key_"));
    bench.provisioner.tick(bench.now += 1500);
    bench.board.broker = "refused";
    EXPECT(has(answer("GET / HTTP/1.1\r\n\r\n"), "does not take the key"));
    bench.board.broker = "connected";
    page = answer("GET / HTTP/1.1\r\n\r\n");
    EXPECT(has(page, "Done: the probe reports.") && !has(page, "<form"));
    // Wi-Fi alone: the settings stay.
    answer(post("network=Nowhere&password=&settings="));
    bench.provisioner.tick(bench.now += 20001);
    bench.board.joined.clear();
    bench.provisioner.see(false);
    EXPECT(has(answer("GET / HTTP/1.1\r\n\r\n"), "The network was not joined.") && bench.board.settings.id == "pond-1");
}

static void aRequestHasBounds() {
    request("GET / HTTP/1.1\r\n" + std::string(Request::longestHead, 'a'), Request::Found::refused);
    request("POST / HTTP/1.1\r\nContent-Length: 16385\r\n\r\n", Request::Found::refused);
    request("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", Request::Found::refused);
    request("nonsense\r\n", Request::Found::refused);
    EXPECT(request("POST / HTTP/1.1\ncontent-length:3\n\nabcdef", Request::Found::whole).body == "abc");
    auto form = aqua::formOf("a=1+2%2B&a=3&b&c=%zz%4&=d");
    EXPECT(form["a"] == "1 2+" && form["b"].empty() && form["c"] == "%zz%4" && form.size() == 3);
}

static void thePasswordAndTheButton() {
    EXPECT(aqua::setupPassword(0, 0) == "0000000000" && aqua::setupPassword(~0u, ~0u) == "ZZZZZZZZZZ" && aqua::setupPassword(1, 2) != aqua::setupPassword(2, 1));
    aqua::Button opening(10000);
    EXPECT(!opening.update(true, 5) && !opening.update(true, 10004) && opening.update(true, 10005) && !opening.update(true, 20000));
    aqua::Window window;
    EXPECT(!window.isOpen(true, 0));
    window.open(UINT32_MAX);
    EXPECT(window.isOpen(true, 0) && window.isOpen(true, 599999) && !window.isOpen(true, 600001) && !window.isOpen(true, 1));
    // The first settings close no page on which the network's password may yet be corrected.
    EXPECT(window.isOpen(false, 700000) && window.isOpen(true, 700010) && window.isOpen(true, 1300000) && !window.isOpen(true, 1300001));
}

// Whatever comes: nothing is kept but whole settings, nothing grows, and the next whole packet is answered.
static void anythingElse() {
    std::mt19937 random(1);
    std::string ask = packet(Improv::tellState, "");
    std::vector<std::string> seeds = {ask, packet(Improv::joinNetwork, strings({"Koi", "right password"})), packet(Improv::takePart, std::string(2, '\0') + whole.substr(0, 200)),
        packet(Improv::keepSettings, ""), post("network=Koi&settings=" + encoded(whole)), whole};
    Bench bench;
    for (int round = 0; round < 20000; round++) {
        std::string input = seeds[random() % seeds.size()];
        for (int changes = random() % 4; changes > 0 && !input.empty(); changes--) {
            size_t at = random() % input.size();
            switch (random() % 4) {
            case 0: input[at] = static_cast<char>(random()); break;
            case 1: input.erase(at, random() % 8); break;
            case 2: input.insert(at, std::string(random() % 8, static_cast<char>(random()))); break;
            default: input = input.substr(0, at) + seeds[random() % seeds.size()]; break;
            }
        }
        bench.say(input, random() % 1500);
        Settings settings;
        if (settings.read(input) == Fault::none) EXPECT(read(settings.text()) == Fault::none);
        Request asked;
        auto found = Request::Found::more;
        for (char byte : input) if (found == Request::Found::more) found = asked.take(byte);
        EXPECT(asked.body.size() <= Request::longestBody && aqua::formOf(input).size() <= 16);
        if (!bench.board.settings.isEmpty()) EXPECT(read(bench.board.settings.text()) == Fault::none);
    }
    bench.now += 30000;
    bench.say("");
    bench.now += 2000;
    auto answers = bench.say(ask);
    EXPECT(!answers.empty() && answers[0][0] == 1);
}

int main() {
    settingsAreTakenWholeOrNot();
    aPacketIsTheProtocols();
    aNetworkIsJoinedOrRefused();
    settingsComeInParts();
    aCableThatIsPulledOrNoisy();
    theSetUpPageTakesAForm();
    aRequestHasBounds();
    thePasswordAndTheButton();
    anythingElse();
    return failures;
}
