// What a device shows of what its owner sees: reading the message, judging a value by its limits, lines for a small screen, a light and a
// button. The contract is in deploy/DEVICES.md.
//
// Plain C++17, without Arduino, so that it is tested on a computer.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace aqua {

// Walks over one JSON text, from left to right. What it does not know it passes over; a text that is no JSON ends in `failed`.
class JsonWalk {
public:
    explicit JsonWalk(const std::string &text) : text(text) {}
    bool failed = false;

    // Calls `member` with the name of each member, which has to take its value.
    template <class Member> void object(Member member) {
        list('{', '}', [&] {
            std::string name = string();
            expect(':');
            if (!failed) member(name);
        });
    }

    template <class Element> void array(Element element) { list('[', ']', element); }

    std::string string() {
        std::string found;
        expect('"');
        while (!failed && at < text.size() && text[at] != '"') {
            if (text[at] != '\\') found += text[at++];
            else found += escaped();
        }
        if (!failed) expect('"', false);
        return found;
    }

    // A number; NaN for null.
    double number() {
        if (next() == 'n') {
            skip();
            return NAN;
        }
        const char *start = text.c_str() + at;
        char *end = nullptr;
        double value = strtod(start, &end);
        if (end == start) failed = true;
        at += end - start;
        return value;
    }

    void skip(int depth = 0) {
        if (depth > 8) failed = true;
        if (failed) return;
        switch (next()) {
        case '{': object([&](const std::string &) { skip(depth + 1); }); break;
        case '[': array([&] { skip(depth + 1); }); break;
        case '"': string(); break;
        case 't': case 'f': case 'n':
            while (at < text.size() && text[at] >= 'a' && text[at] <= 'z') at++;
            break;
        default: number();
        }
    }

    bool isAtEnd() { return next() == 0 && !failed; }

private:
    const std::string &text;
    size_t at = 0;

    char next() {
        while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) at++;
        return at < text.size() ? text[at] : 0;
    }

    void expect(char wanted, bool skipsSpace = true) {
        if (skipsSpace) next();
        if (at < text.size() && text[at] == wanted) at++;
        else failed = true;
    }

    // Escapes of characters that no screen shows become a blank.
    char escaped() {
        at++;
        char letter = at < text.size() ? text[at++] : 0;
        if (letter == 'u') at += 4;
        if (letter == 0 || at > text.size()) failed = true;
        return letter == '"' || letter == '\\' || letter == '/' ? letter : ' ';
    }

    template <class Element> void list(char open, char close, Element element) {
        expect(open);
        if (next() == close) at++;
        else {
            do {
                element();
            } while (!failed && next() == ',' && ++at);
            if (!failed) expect(close);
        }
    }
};

enum class State { fine, fault, low, high, silent, critical };

inline State stateNamed(const std::string &name) {
    const char *names[] = {"fine", "fault", "low", "high", "silent", "critical"};
    for (int number = 0; number < 6; number++) if (name == names[number]) return static_cast<State>(number);
    // A state of a later version is nothing to keep quiet about.
    return State::fault;
}

// One parameter, in its owner's unit.
struct Value {
    std::string name, unit;
    double value = NAN, criticalLow = NAN, low = NAN, high = NAN, criticalHigh = NAN;
    int digits = 0;
    // told: the state of the message, which somebody may have answered.
    State state = State::fine, told = State::fine;
    // When it was measured, in Unix seconds; 0 where that is not known.
    int64_t at = 0;

    // The number in °C, of a temperature.
    double celsius() const { return unit == "°F" ? (value - 32) / 1.8 : unit == "K" ? value - 273.15 : value; }

    // What the limits say of a number. A comparison with a limit that there is not is false.
    State judged(double number) const {
        if (number < criticalLow || number > criticalHigh) return State::critical;
        return number < low ? State::low : number > high ? State::high : State::fine;
    }
};

// The last message, or what was kept of it.
struct Display {
    std::string name, onIt;
    int32_t offset = 0;
    int64_t onItUntil = 0;
    State state = State::fine;
    std::vector<Value> values;
    int more = 0;
    // When the device last judged what it measured itself, in Unix seconds; 0: never, or it did not know the time.
    int64_t judgedAt = 0;

    // What the device has judged since the message was measured stays as it is.
    // Returns: false for what is no message of this version; nothing changes then.
    bool read(const std::string &message) {
        Display found;
        int version = 0;
        int64_t newest = 0;
        JsonWalk json(message);
        json.object([&](const std::string &member) {
            if (member == "v") version = static_cast<int>(json.number());
            else if (member == "name") found.name = json.string();
            else if (member == "offset") found.offset = static_cast<int32_t>(json.number());
            else if (member == "state") found.state = stateNamed(json.string());
            else if (member == "at") newest = static_cast<int64_t>(json.number());
            else if (member == "more") found.more = static_cast<int>(json.number());
            else if (member == "onIt") readAnswer(json, found);
            else if (member == "values") readValues(json, found);
            else json.skip();
        });
        if (!json.isAtEnd() || version != 1) return false;
        for (Value &one : found.values) if (one.at == 0) one.at = newest;
        const Value *own = temperature();
        Value *sent = found.temperature();
        if (own && sent && sent->at <= judgedAt) {
            found.judge(*sent, own->celsius());
            found.judgedAt = judgedAt;
        }
        *this = found;
        return true;
    }

    // now: Unix seconds, 0 where they are not known.
    bool isAnswered(int64_t now) const { return now > 0 && now < onItUntil; }

    // Name, units and limits as one text: what is worth writing into flash when it changes.
    std::string settings() const {
        std::string all = name;
        char text[160];
        for (const Value &one : values) {
            snprintf(text, sizeof text, "|%s %s %d %g %g %g %g", one.name.c_str(), one.unit.c_str(), one.digits, one.criticalLow, one.low, one.high,
                     one.criticalHigh);
            all += text;
        }
        return all;
    }

    // Takes a temperature that the device has measured itself, in °C, as it is shown while the service is away: judged by the last limits. Worse than
    // what the service has told is answered by nobody.
    // now: Unix seconds, 0 where they are not known.
    void take(double celsius, int64_t now) {
        Value *one = temperature();
        if (!one) return;
        judge(*one, celsius);
        judgedAt = now;
    }

private:
    Value *temperature() {
        for (Value &one : values) if (one.name == "temperature") return &one;
        return nullptr;
    }

    void judge(Value &one, double celsius) {
        one.value = one.unit == "°F" ? celsius * 1.8 + 32 : one.unit == "K" ? celsius + 273.15 : celsius;
        one.state = one.judged(one.value);
        if (one.state > one.told) onItUntil = 0;
        // What had no room in the message is no worse than what had.
        state = State::fine;
        for (const Value &each : values) if (each.state > state) state = each.state;
    }

    static void readAnswer(JsonWalk &json, Display &found) {
        json.object([&](const std::string &member) {
            if (member == "name") found.onIt = json.string();
            else if (member == "until") found.onItUntil = static_cast<int64_t>(json.number());
            else json.skip();
        });
    }

    static void readValues(JsonWalk &json, Display &found) {
        json.object([&](const std::string &parameter) {
            Value one;
            one.name = parameter;
            json.object([&](const std::string &member) {
                if (member == "value") one.value = json.number();
                else if (member == "unit") one.unit = json.string();
                else if (member == "at") one.at = static_cast<int64_t>(json.number());
                else if (member == "digits") one.digits = static_cast<int>(json.number());
                else if (member == "state") one.state = one.told = stateNamed(json.string());
                else if (member == "limits") readLimits(json, one);
                else json.skip();
            });
            found.values.push_back(one);
        });
    }

    static void readLimits(JsonWalk &json, Value &one) {
        double *limits[] = {&one.criticalLow, &one.low, &one.high, &one.criticalHigh};
        size_t count = 0;
        json.array([&] {
            double limit = json.number();
            if (count < 4) *limits[count++] = limit;
        });
    }
};

// Whom the device reaches.
enum class Contact { nobody, broker, service };

// Tells whether the service lives: a broker answers for it for as long as nobody looks. It is heard by a receipt, or by a message for the display that
// has not waited at the broker.
class Hearing {
public:
    // Receipts come after the commit, which may take some seconds however often is measured.
    static constexpr uint64_t shortest = 10000;

    void hear(uint32_t milliseconds) {
        heardAt = milliseconds;
        isHeard = true;
    }

    // interval: milliseconds between two readings, each of which is answered; three of them may be lost.
    Contact contact(bool isConnected, uint32_t milliseconds, uint32_t interval) {
        uint64_t patience = 3ull * interval > shortest ? 3ull * interval : shortest;
        // Forgotten, before the counter has gone round.
        if (milliseconds - heardAt > patience) isHeard = false;
        return !isConnected ? Contact::nobody : isHeard ? Contact::service : Contact::broker;
    }

private:
    bool isHeard = false;
    uint32_t heardAt = 0;
};

// A light, and a buzzer for what cannot wait. Somebody who is on it quiets both, until their hour is over; without a clock nobody knows when.
struct Signals {
    bool light, buzzer;

    // now: Unix seconds, 0 where they are not known; milliseconds: the beat.
    Signals(const Display &shown, int64_t now, uint32_t milliseconds) {
        bool isAnswered = shown.isAnswered(now);
        bool beat = milliseconds / (shown.state == State::critical ? 200 : 1000) % 2 == 0;
        light = shown.state != State::fine && (isAnswered || beat);
        buzzer = shown.state == State::critical && !isAnswered && beat;
    }
};

// The lines of a screen of 21 by 8 characters, with what is wrong first.
class Screen {
public:
    static constexpr size_t width = 21, height = 8, perPage = 6;

    // page: counts up; a device with many values shows one page after the other.
    static std::vector<std::string> lines(const Display &shown, Contact contact, int64_t now, size_t page) {
        std::vector<const Value *> order;
        for (const Value &one : shown.values) if (one.state != State::fine) order.push_back(&one);
        for (const Value &one : shown.values) if (one.state == State::fine) order.push_back(&one);
        size_t pages = order.empty() ? 1 : (order.size() + perPage - 1) / perPage;
        std::vector<std::string> lines = {cut(plain(shown.name), width)};
        for (size_t number = page % pages * perPage; number < order.size() && lines.size() <= perPage; number++) lines.push_back(line(*order[number]));
        lines.resize(height - 1);
        lines.push_back(cut(last(shown, contact, now), width));
        return lines;
    }

private:
    static std::string line(const Value &one) {
        const char *marks[] = {"", "?", "v", "^", "?", "!"};
        char number[24] = "-";
        if (!std::isnan(one.value)) snprintf(number, sizeof number, "%.*f", one.digits < 0 || one.digits > 6 ? 1 : one.digits, one.value);
        std::string right = number;
        std::string unit = plain(one.unit);
        if (!unit.empty()) right += " " + unit;
        right += marks[static_cast<int>(one.state)];
        if (right.size() > width - 5) right.resize(width - 5);
        std::string left = cut(plain(one.name), width - 1 - right.size());
        return left + std::string(width - left.size() - right.size(), ' ') + right;
    }

    static std::string last(const Display &shown, Contact contact, int64_t now) {
        if (contact == Contact::nobody) return "no connection";
        if (contact == Contact::broker) return "no service";
        if (shown.isAnswered(now)) {
            int64_t minutes = (shown.onItUntil + shown.offset) / 60;
            char time[8];
            snprintf(time, sizeof time, "%02d:%02d", static_cast<int>(minutes / 60 % 24), static_cast<int>(minutes % 60));
            return cut(plain(shown.onIt), 9) + " on it -" + time;
        }
        const char *words[] = {"all fine", "check probe", "too low", "too high", "silent", "CRITICAL"};
        return words[static_cast<int>(shown.state)];
    }

    // The screen's font has ASCII: a degree sign goes, other characters become a question mark.
    static std::string plain(const std::string &text) {
        std::string found;
        for (size_t at = 0; at < text.size(); at++) {
            unsigned char byte = text[at];
            if (byte >= 0x20 && byte < 0x7F) found += text[at];
            else if (byte == 0xC2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) == 0xB0) continue;
            else if (byte >= 0xC3) found += '?';
        }
        return found;
    }

    static std::string cut(const std::string &text, size_t longest) { return text.substr(0, longest); }
};

// The message of a press. Its id tells it from every other, over restarts too, so that one that comes twice counts once.
inline std::string press(uint32_t run, uint32_t number) {
    char text[64];
    snprintf(text, sizeof text, "{\"id\":\"%lx-%lu\",\"answer\":\"onIt\"}", static_cast<unsigned long>(run), static_cast<unsigned long>(number));
    return text;
}

} // namespace aqua
