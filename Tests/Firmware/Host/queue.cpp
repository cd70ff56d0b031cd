// Tests the queue alone: power failures, a full flash, late receipts.
#include "../../../deploy/firmware/aquamonitor/ReadingQueue.h"

#include "expect.h"

struct Memory : aqua::Flash {
    std::map<std::string, std::string> files;
    bool isFull = false;

    std::vector<std::string> list() override {
        std::vector<std::string> names;
        for (const auto &file : files) names.push_back(file.first);
        return names;
    }
    bool append(const std::string &name, const std::string &text) override {
        if (!isFull) files[name] += text;
        return !isFull;
    }
    std::string read(const std::string &name) override { return files[name]; }
    void remove(const std::string &name) override { files.erase(name); }
};

struct Sent {
    std::vector<std::string> keys, readings;

    void from(aqua::ReadingQueue &queue, uint32_t now = 0, size_t window = 100) {
        queue.send(now, window, 1000, [&](const std::string &key, const std::string &reading) {
            keys.push_back(key);
            readings.push_back(reading);
            return true;
        });
    }
};

static void push(aqua::ReadingQueue &queue, int from, int until) {
    for (int number = from; number < until; number++) EXPECT(queue.push(std::to_string(number)));
}

static void everyReadingIsSentInOrderAndForgottenWithItsReceipt() {
    Memory flash;
    aqua::ReadingQueue queue(flash);
    queue.begin();
    push(queue, 0, 100);
    int expected = 0;
    while (queue.waiting() > 0) {
        Sent sent;
        sent.from(queue, 0, 16);
        EXPECT(!sent.keys.empty() && sent.keys.size() <= 16);
        if (sent.keys.empty()) return;
        for (const auto &reading : sent.readings) EXPECT(reading == std::to_string(expected++));
        for (const auto &key : sent.keys) queue.acknowledge(key);
    }
    EXPECT(expected == 100);
    EXPECT(flash.files.empty());
}

static void aReadingWithoutAReceiptIsSentAgain() {
    Memory flash;
    aqua::ReadingQueue queue(flash);
    queue.begin();
    push(queue, 0, 2);
    Sent first, early, late, other;
    first.from(queue, 0xFFFFFF00u);
    queue.acknowledge(first.keys[0]);
    // Before and after the millisecond counter wraps around.
    early.from(queue, 0xFFFFFF00u + 10);
    early.from(queue, 0xFFFFFF00u + 999);
    EXPECT(early.keys.empty());
    late.from(queue, 0xFFFFFF00u + 1000);
    EXPECT(late.readings == std::vector<std::string>{"1"});
    queue.forgetSent();
    other.from(queue, 0xFFFFFF00u + 1001);
    EXPECT(other.readings == std::vector<std::string>{"1"});
}

static void aPowerLossLosesNothing() {
    Memory flash;
    std::string stale;
    {
        aqua::ReadingQueue queue(flash);
        queue.setRun(1);
        queue.begin();
        push(queue, 0, 40);
        Sent sent;
        sent.from(queue);
        stale = sent.keys[1];
        queue.acknowledge(sent.keys[0]);
    }
    // Cuts a line in the middle, and a file's first line.
    flash.files["1"] += "4";
    flash.files["2"] = "5";
    aqua::ReadingQueue queue(flash);
    queue.setRun(2);
    queue.begin();
    EXPECT(queue.waiting() == 40);
    queue.acknowledge(stale);
    EXPECT(queue.waiting() == 40);
    push(queue, 40, 50);
    std::vector<std::string> all;
    for (int round = 0; round < 4; round++) {
        Sent sent;
        sent.from(queue);
        for (const auto &reading : sent.readings) all.push_back(reading);
        for (const auto &key : sent.keys) queue.acknowledge(key);
    }
    EXPECT(all.size() == 50);
    for (size_t number = 0; number < all.size(); number++) EXPECT(all[number] == std::to_string(number));
    EXPECT(queue.waiting() == 0);
}

static void theOldestMakeRoom() {
    Memory flash;
    aqua::ReadingQueue queue(flash, 2);
    queue.begin();
    push(queue, 0, 65);
    EXPECT(queue.dropped() == 32);
    EXPECT(queue.waiting() == 33);
    EXPECT(flash.files.size() == 2);
    Sent sent;
    sent.from(queue);
    EXPECT(sent.readings.size() == 32 && sent.readings[0] == "32");
}

static void aFlashThatCannotBeWrittenIsTold() {
    Memory flash;
    aqua::ReadingQueue queue(flash);
    queue.begin();
    flash.isFull = true;
    EXPECT(!queue.push("0"));
    EXPECT(queue.waiting() == 0);
    flash.isFull = false;
    EXPECT(queue.push("1"));
    Sent sent;
    sent.from(queue);
    EXPECT(sent.readings == std::vector<std::string>{"1"});
    queue.acknowledge(sent.keys[0]);
    queue.acknowledge(sent.keys[0]);
    EXPECT(queue.waiting() == 0);
    push(queue, 2, 3);
    EXPECT(queue.waiting() == 1);
}

// A device that was given away, or another id: nothing of before is sent, and what comes is.
static void whatIsNotItsOwnIsNotSent() {
    Memory flash;
    aqua::ReadingQueue queue(flash);
    queue.begin();
    push(queue, 0, 100);
    Sent before, after;
    before.from(queue);
    queue.clear();
    EXPECT(queue.waiting() == 0 && flash.files.empty());
    push(queue, 100, 101);
    queue.acknowledge(before.keys[0]);
    after.from(queue);
    EXPECT(queue.waiting() == 1 && after.readings == std::vector<std::string>{"100"});
}

int main() {
    whatIsNotItsOwnIsNotSent();
    everyReadingIsSentInOrderAndForgottenWithItsReceipt();
    aReadingWithoutAReceiptIsSentAgain();
    aPowerLossLosesNothing();
    theOldestMakeRoom();
    aFlashThatCannotBeWrittenIsTold();
    return failures == 0 ? 0 : 1;
}
