// Readings that wait for their commit receipt, in flash: they survive a lost network, an absent server and a lost power supply.
//
// Plain C++17, without Arduino, so that it is tested on a computer. One task at a time may use a queue.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace aqua {

// A directory of small files.
class Flash {
public:
    virtual ~Flash() = default;
    virtual std::vector<std::string> list() = 0;
    virtual bool append(const std::string &name, const std::string &text) = 0;
    virtual std::string read(const std::string &name) = 0;
    virtual void remove(const std::string &name) = 0;
};

// A first-in-first-out queue in segments: files of up to 32 readings, a line each. A reading is written once; a segment is
// removed when the last of its readings was acknowledged. A power loss in between has the whole segment sent again, which is
// harmless: a reading with a time of its own counts once.
class ReadingQueue {
public:
    static constexpr size_t perSegment = 32;

    // segments: how many files are kept. 256 hold 8,192 readings, 68 hours at one in 30 s, in about 1 MB of LittleFS.
    explicit ReadingQueue(Flash &flash, size_t segments = 256) : flash(flash), most(segments) {}

    // Finds what an earlier run has left.
    void begin() {
        for (const auto &name : flash.list()) {
            char *end = nullptr;
            unsigned long number = strtoul(name.c_str(), &end, 10);
            if (end == name.c_str() || *end != 0) continue;
            lines[number] = split(flash.read(name)).size();
        }
        // A number is left out, so that what follows goes to a segment of its own: the last may end within a line.
        next = lines.empty() ? 0 : lines.rbegin()->first + 2;
        for (const auto &segment : lines) waiting_ += segment.second;
        load();
    }

    // Keeps a reading: one line of text. When the flash is full, the oldest segment makes room.
    // Returns: false if it could not be written. It is lost then, and the caller may send it at once.
    bool push(const std::string &reading) {
        if (lines.empty() || lines.rbegin()->first + 1 != next || lines.rbegin()->second >= perSegment) {
            while (lines.size() >= most) drop();
            lines[next++] = 0;
        }
        uint32_t number = lines.rbegin()->first;
        if (!flash.append(file(number), reading + "\n")) {
            if (lines[number] == 0) lines.erase(number);
            return false;
        }
        lines[number] += 1;
        waiting_ += 1;
        if (number == lines.begin()->first) {
            if (oldest.empty()) load();
            else oldest.push_back({reading, State::unsent, 0});
        }
        return true;
    }

    // Sends what is due: at most `window` readings are on their way, and one without a receipt is sent again after `patience`.
    // send: (key, reading) -> whether it left. The key comes back with the receipt.
    template <class Send> void send(uint32_t now, size_t window, uint32_t patience, Send send) {
        size_t underway = 0;
        for (size_t line = 0; line < oldest.size(); line++) {
            Entry &entry = oldest[line];
            if (entry.state == State::done) continue;
            if (++underway > window) return;
            // Unsigned: right when the milliseconds begin again from 0 after 49 days.
            if (entry.state == State::sent && now - entry.sentAt < patience) continue;
            if (!send(key(line), entry.reading)) return;
            entry.state = State::sent;
            entry.sentAt = now;
        }
    }

    // Takes a receipt. One for a reading that is not waiting any more, or of an earlier run, changes nothing.
    void acknowledge(const std::string &receipt) {
        for (size_t line = 0; line < oldest.size(); line++) {
            if (oldest[line].state == State::done || key(line) != receipt) continue;
            oldest[line].state = State::done;
            waiting_ -= 1;
            break;
        }
        for (const Entry &entry : oldest) if (entry.state != State::done) return;
        if (!oldest.empty()) removeOldest();
    }

    // The connection was lost: whatever has no receipt is sent again on the next.
    void forgetSent() {
        for (Entry &entry : oldest) if (entry.state == State::sent) entry.state = State::unsent;
    }

    // The device is another one from now on, or somebody else's: what waits is not its own.
    void clear() {
        for (const auto &segment : lines) flash.remove(file(segment.first));
        lines.clear();
        oldest.clear();
        waiting_ = 0;
    }

    // Tells this run's receipts from those of earlier ones.
    void setRun(uint32_t number) { run = number; }

    size_t waiting() const { return waiting_; }
    // Readings that made room for newer ones.
    size_t dropped() const { return dropped_; }

private:
    enum class State { unsent, sent, done };
    struct Entry {
        std::string reading;
        State state;
        uint32_t sentAt;
    };

    Flash &flash;
    const size_t most;
    // How many readings each segment has.
    std::map<uint32_t, size_t> lines;
    // The first segment, which is being sent.
    std::vector<Entry> oldest;
    uint32_t next = 0;
    uint32_t run = 0;
    size_t waiting_ = 0;
    size_t dropped_ = 0;

    static std::string file(uint32_t number) { return std::to_string(number); }

    std::string key(size_t line) const {
        char text[40];
        snprintf(text, sizeof text, "%lx-%lu-%lu", (unsigned long)run, (unsigned long)lines.begin()->first, (unsigned long)line);
        return text;
    }

    void load() {
        oldest.clear();
        while (!lines.empty()) {
            for (auto &reading : split(flash.read(file(lines.begin()->first)))) oldest.push_back({reading, State::unsent, 0});
            if (!oldest.empty()) return;
            // Nothing whole was written before the power was lost.
            removeOldestFile();
        }
    }

    void removeOldestFile() {
        flash.remove(file(lines.begin()->first));
        lines.erase(lines.begin());
    }

    void removeOldest() {
        removeOldestFile();
        load();
    }

    void drop() {
        for (const Entry &entry : oldest) if (entry.state != State::done) {
            waiting_ -= 1;
            dropped_ += 1;
        }
        removeOldest();
    }

    // The whole lines; what follows the last is of a write that was cut short.
    static std::vector<std::string> split(const std::string &text) {
        std::vector<std::string> found;
        size_t start = 0;
        for (size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1)
            if (end > start) found.push_back(text.substr(start, end - start));
        return found;
    }
};

} // namespace aqua
