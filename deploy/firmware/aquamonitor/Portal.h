// The set-up page of the device's own access point: reading a request and its form, and writing the page.
//
// Plain C++17, without Arduino, so that it is tested on a computer.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "PortalWords.h"
#include "Provisioner.h"

namespace aqua {

// One request of HTTP/1.1, byte by byte. A longer one is refused, whatever it says of its length.
class Request {
public:
    static constexpr size_t longestHead = 4096, longestBody = 16384;
    enum class Found { more, whole, refused };

    std::string method, path, host, language, origin, body;

    Found take(char byte) {
        if (isRead) {
            body += byte;
            return body.size() < length ? Found::more : Found::whole;
        }
        if (byte != '\n') {
            if (++headSize > longestHead) return Found::refused;
            if (byte != '\r') line += byte;
            return Found::more;
        }
        if (line.empty() && !method.empty()) {
            isRead = true;
            return length == 0 ? Found::whole : length > longestBody ? Found::refused : Found::more;
        }
        if (method.empty()) readFirst();
        else readField();
        line.clear();
        return method.empty() ? Found::refused : Found::more;
    }

private:
    std::string line;
    size_t headSize = 0, length = 0;
    bool isRead = false;

    void readFirst() {
        size_t first = line.find(' '), second = line.find(' ', first + 1);
        if (first == std::string::npos || second == std::string::npos) return;
        method = line.substr(0, first);
        path = line.substr(first + 1, second - first - 1);
    }

    void readField() {
        size_t colon = line.find(':');
        if (colon == std::string::npos) return;
        std::string name = line.substr(0, colon);
        for (char &letter : name) if (letter >= 'A' && letter <= 'Z') letter += 'a' - 'A';
        size_t start = line.find_first_not_of(" \t", colon + 1);
        std::string value = start == std::string::npos ? "" : line.substr(start);
        if (name == "content-length") length = strtoul(value.c_str(), nullptr, 10);
        if (name == "host") host = value;
        if (name == "accept-language") language = value;
        if (name == "origin") origin = value;
    }
};

// The fields of a form (application/x-www-form-urlencoded); of a name that comes twice the first.
inline std::map<std::string, std::string> formOf(const std::string &body) {
    auto digit = [](char letter) {
        if (letter >= '0' && letter <= '9') return letter - '0';
        if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
        return letter >= 'A' && letter <= 'F' ? letter - 'A' + 10 : -1;
    };
    std::map<std::string, std::string> fields;
    std::string name, text;
    bool isName = true;
    for (size_t at = 0; at <= body.size(); at++) {
        if (at == body.size() || body[at] == '&') {
            if (isName) name.swap(text);
            if (!name.empty() && fields.size() < 16) fields.emplace(name, text);
            name.clear();
            text.clear();
            isName = true;
        } else if (body[at] == '=' && isName) {
            name.swap(text);
            text.clear();
            isName = false;
        } else if (body[at] == '%' && at + 2 < body.size() && digit(body[at + 1]) >= 0 && digit(body[at + 2]) >= 0) {
            text += static_cast<char>(digit(body[at + 1]) * 16 + digit(body[at + 2]));
            at += 2;
        } else text += body[at] == '+' ? ' ' : body[at];
    }
    return fields;
}

inline std::string escaped(const std::string &text) {
    std::string found;
    for (char byte : text) {
        if (byte == '&') found += "&amp;";
        else if (byte == '<') found += "&lt;";
        else if (byte == '>') found += "&gt;";
        else if (byte == '"') found += "&quot;";
        else found += byte;
    }
    return found;
}

// Answers of the set-up page. The Wi-Fi password and the key come in, and never go out.
class Portal {
public:
    static constexpr const char *address = "http://192.168.4.1";

    explicit Portal(Provisioner &provisioner) : provisioner(provisioner) {}

    // broker: the word for how the device stands with it; hasSettings: whether it has a broker at all.
    std::string answer(const Request &request, const std::string &broker, bool hasSettings, uint32_t now) {
        const PortalWords &words = PortalWords::of(request.language);
        // Every name leads here, so that a telephone that looks for the internet shows this page; by its address alone, so that no other page reads it.
        bool isHere = request.host.empty() || "http://" + request.host == address;
        if (request.path != "/" || !isHere) return std::string("HTTP/1.1 302 Found\r\nLocation: ") + address + "/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        if (request.method != "POST") return page(words, broker, hasSettings, "");
        if (!request.origin.empty() && request.origin != address) return page(words, broker, hasSettings, words.elsewhere, "403 Forbidden");
        auto form = formOf(request.body);
        if (!mayBeNetwork(form["network"], form["password"])) return page(words, broker, hasSettings, words.badNetwork, "400 Bad Request");
        if (form["settings"].empty() && !hasSettings) return page(words, broker, hasSettings, words.noSettings, "400 Bad Request");
        auto fault = provisioner.submit(form["network"], form["password"], form["settings"], now);
        if (fault != Settings::Fault::none) return page(words, broker, hasSettings, told(words, fault), "400 Bad Request");
        return page(words, broker, true, "");
    }

private:
    Provisioner &provisioner;

    static const char *told(const PortalWords &words, Settings::Fault fault) {
        return fault == Settings::Fault::cut ? words.cut : fault == Settings::Fault::tooLong ? words.tooLong : words.badSettings;
    }

    std::string page(const PortalWords &words, const std::string &broker, bool hasSettings, const std::string &fault, const char *status = "200 OK") {
        bool isTrying = provisioner.state() == Improv::provisioning;
        bool isDone = provisioner.state() == Improv::provisioned && hasSettings && fault.empty();
        std::string text = std::string("<!doctype html><html lang=") + words.code
            + "><meta charset=utf-8><meta name=viewport content=\"width=device-width,initial-scale=1\"><title>AquaMonitor</title>"
            + (isTrying || (isDone && broker != "connected") ? "<meta http-equiv=refresh content=\"3;url=/\">" : "") + "<style>" + style + "</style><h1>" + words.title + "</h1>";
        if (isTrying) text += std::string("<p role=status>") + words.joining;
        else if (isDone) text += std::string("<p role=status>") + (broker == "connected" ? words.connected : broker == "refused" ? words.refused : words.joined);
        if (!fault.empty() || provisioner.hasFailed()) text += std::string("<p role=alert>") + (fault.empty() ? words.notJoined : fault.c_str());
        if (!isTrying && !(isDone && broker == "connected")) text += form(words, hasSettings);
        return std::string("HTTP/1.1 ") + status + "\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\nX-Frame-Options: DENY\r\nContent-Length: "
            + std::to_string(text.size()) + "\r\nConnection: close\r\n\r\n" + text;
    }

    std::string form(const PortalWords &words, bool hasSettings) {
        std::string text = std::string("<form method=post action=/><label>") + words.network + "<input name=network list=networks maxlength=32 required autocomplete=off></label><datalist id=networks>";
        for (const auto &network : provisioner.networks()) text += "<option value=\"" + escaped(network.name) + "\">";
        return text + "</datalist><label>" + words.password + "<input name=password type=password maxlength=64 autocomplete=off></label><label>"
            + (hasSettings ? words.newSettings : words.settings) + "<textarea name=settings rows=8 spellcheck=false autocapitalize=off"
            + (hasSettings ? "" : " required") + "></textarea></label><button>" + words.send + "</button></form>";
    }

    static constexpr const char *style =
        "body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:2rem auto;padding:0 1rem;color:#0c252e;background:#f7fbfc}"
        "label{display:block;margin:1rem 0;font-weight:600}input,textarea{box-sizing:border-box;width:100%;font:inherit;padding:.75rem;"
        "border:1.5px solid #70848a;border-radius:14px;background:#fff;color:inherit}textarea{font:13px/1.4 monospace}"
        "button{width:100%;padding:1rem;border:0;border-radius:28px;font:inherit;font-weight:600;color:#fff;background:#005d6f}"
        "[role=alert]{color:#8a560c}@media(prefers-color-scheme:dark){body{color:#e9f0f1;background:#051317}"
        "input,textarea{background:#122126}button{color:#051920;background:#7ed4e1}[role=alert]{color:#ebbc69}}";
};

} // namespace aqua
