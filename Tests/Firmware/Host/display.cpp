// Tests what is shown: reading messages, judging by limits, lines, signals, the button.
#include "../../../deploy/firmware/aquamonitor/Button.h"
#include "../../../deploy/firmware/aquamonitor/Display.h"

#include "expect.h"

static const std::string message =
    "{\"v\":1,\"name\":\"Koi \\\"pond\\\"\",\"offset\":7200,\"state\":\"high\",\"at\":1777636800,"
    "\"onIt\":{\"name\":\"Mika\",\"until\":1777640400},\"later\":[{\"x\":null},true,-1.5e3,\"\\u00e9\"],"
    "\"values\":{\"temperature\":{\"value\":29.4,\"unit\":\"°C\",\"digits\":1,\"limits\":[10,18,28,32],\"state\":\"high\"},"
    "\"ph\":{\"value\":8,\"at\":1777636740,\"digits\":2,\"limits\":[null,null,8.5,null],\"state\":\"fine\"}},\"more\":2}";

static aqua::Display displayed(const std::string &state = "high") {
    std::string said = message;
    for (size_t at; (at = said.find("\"high\"")) != std::string::npos;) said.replace(at, 6, "'" + state + "'");
    for (char &letter : said) if (letter == '\'') letter = '"';
    aqua::Display display;
    EXPECT(display.read(said));
    return display;
}

static void aMessageIsRead() {
    aqua::Display display = displayed();
    EXPECT(display.name == "Koi \"pond\"" && display.offset == 7200 && display.more == 2);
    EXPECT(display.state == aqua::State::high && display.onIt == "Mika" && display.onItUntil == 1777640400);
    EXPECT(display.values.size() == 2);
    const aqua::Value &ph = display.values[1];
    EXPECT(ph.name == "ph" && ph.value == 8 && ph.digits == 2 && ph.unit.empty());
    EXPECT(std::isnan(ph.low) && ph.high == 8.5 && std::isnan(ph.criticalHigh));
}

// Whatever is cut, or of another version, leaves what was shown.
static void whatIsNoMessageChangesNothing() {
    aqua::Display display = displayed();
    for (size_t length = 0; length < message.size(); length++) EXPECT(!display.read(message.substr(0, length)));
    EXPECT(!display.read("{\"v\":2}") && !display.read("[]") && !display.read(std::string(500, '[')));
    EXPECT(!display.read("{\"v\":1,\"x\":" + std::string(500, '[')));
    EXPECT(display.values.size() == 2 && display.name == "Koi \"pond\"");
}

static void aValueIsJudgedByItsLimits() {
    aqua::Value value = displayed().values[0];
    EXPECT(value.judged(18) == aqua::State::fine && value.judged(28) == aqua::State::fine);
    EXPECT(value.judged(17.9) == aqua::State::low && value.judged(28.1) == aqua::State::high);
    EXPECT(value.judged(9) == aqua::State::critical && value.judged(33) == aqua::State::critical);
    EXPECT(aqua::Value().judged(1e9) == aqua::State::fine);
}

static void whatIsMeasuredWithoutANetworkIsShownInTheOwnersUnit() {
    aqua::Display display = displayed();
    display.take(20, 0);
    EXPECT(display.state == aqua::State::fine && display.values[0].value == 20);
    display.take(33, 0);
    EXPECT(display.state == aqua::State::critical);
    display.values[0].unit = "°F";
    display.take(20, 0);
    EXPECT(std::fabs(display.values[0].value - 68) < 1e-9);
}

// What waited at the broker, and what the service catches up with, is older than what the device has judged.
static void anOlderMessageDoesNotOverwriteWhatWasJudged() {
    aqua::Display display = displayed();
    display.take(33, 1777636800);
    std::string renamed = message;
    renamed.replace(renamed.find("Koi"), 3, "Old");
    EXPECT(display.read(renamed) && display.name == "Old \"pond\"");
    EXPECT(display.values[0].value == 33 && display.values[0].state == aqua::State::critical && display.state == aqua::State::critical);
    EXPECT(!display.isAnswered(1777636801));
    // Limits are those of the message, and so is the rest.
    std::string wider = message;
    wider.replace(wider.find("28,32"), 5, "34,36");
    EXPECT(display.read(wider) && display.values[0].state == aqua::State::fine && display.state == aqua::State::fine);
    EXPECT(display.values[1].value == 8);
    std::string newer = message;
    newer.replace(newer.find("1777636800"), 10, "1777636801");
    EXPECT(display.read(newer) && display.values[0].value == 29.4 && display.state == aqua::State::high);
    EXPECT(display.read(message) && display.values[0].value == 29.4);
    // A device that did not know the time holds nothing against the service.
    display.take(33, 0);
    EXPECT(display.read(message) && display.values[0].value == 29.4);
}

// The broker lives longer than the service behind it.
static void theServiceIsHeardByWhatItAnswers() {
    aqua::Hearing hearing;
    EXPECT(hearing.contact(true, 5, 30000) == aqua::Contact::broker);
    uint32_t start = 0xFFFFFF00u; // the counter of milliseconds wraps around meanwhile
    hearing.hear(start);
    EXPECT(hearing.contact(true, start + 90000, 30000) == aqua::Contact::service);
    EXPECT(hearing.contact(false, start + 90000, 30000) == aqua::Contact::nobody);
    EXPECT(hearing.contact(true, start + 90001, 30000) == aqua::Contact::broker);
    EXPECT(hearing.contact(true, start, 30000) == aqua::Contact::broker);
    hearing.hear(0);
    EXPECT(hearing.contact(true, 10000, 20) == aqua::Contact::service && hearing.contact(true, 10001, 20) == aqua::Contact::broker);
    hearing.hear(0);
    EXPECT(hearing.contact(true, 0xFFFFFFFFu, 0xFFFFFFFFu) == aqua::Contact::service);
}

static void flashIsWrittenForLimitsAndNotForValues() {
    aqua::Display before = displayed(), after = displayed();
    after.values[0].value = 20;
    after.state = aqua::State::fine;
    EXPECT(before.settings() == after.settings());
    after.values[0].high = 27;
    EXPECT(before.settings() != after.settings());
}

static void linesFitAndWhatIsWrongComesFirst() {
    aqua::Display display = displayed();
    display.values[0].state = aqua::State::fine;
    display.values[1].state = aqua::State::critical;
    auto lines = aqua::Screen::lines(display, aqua::Contact::service, 1777636800, 0);
    EXPECT(lines.size() == 8);
    for (const auto &line : lines) EXPECT(line.size() <= 21);
    EXPECT(lines[0] == "Koi \"pond\"");
    EXPECT(lines[1] == "ph              8.00!");
    EXPECT(lines[2] == "temperature    29.4 C");
    EXPECT(lines[7] == "Mika on it -15:00");
    EXPECT(aqua::Screen::lines(display, aqua::Contact::service, 1777640400, 0)[7] == "too high");
    EXPECT(aqua::Screen::lines(display, aqua::Contact::nobody, 1777636800, 0)[7] == "no connection");
    EXPECT(aqua::Screen::lines(display, aqua::Contact::broker, 1777636800, 0)[7] == "no service");
}

static void manyValuesAreShownPageAfterPage() {
    aqua::Display display;
    display.name = "鯉の池";
    for (int number = 0; number < 8; number++) {
        aqua::Value value;
        value.name = "parameter_with_a_long_name_" + std::to_string(number);
        value.unit = "mg/L NO3-N of something";
        value.value = number;
        display.values.push_back(value);
    }
    auto first = aqua::Screen::lines(display, aqua::Contact::service, 0, 0), second = aqua::Screen::lines(display, aqua::Contact::service, 0, 1);
    EXPECT(first[0] == "???" && first[6] != "" && second[2] != "" && second[3] == "");
    EXPECT(aqua::Screen::lines(display, aqua::Contact::service, 0, 2) == first);
    for (const auto &line : first) EXPECT(line.size() <= 21);
}

static void whoeverIsOnItQuietsTheBuzzer() {
    aqua::Display display = displayed("critical");
    EXPECT(aqua::Signals(display, 1777640399, 0).light && !aqua::Signals(display, 1777640399, 0).buzzer);
    EXPECT(aqua::Signals(display, 1777640399, 200).light);
    EXPECT(aqua::Signals(display, 1777640400, 0).buzzer && !aqua::Signals(display, 1777640400, 200).buzzer);
    display = displayed("high");
    EXPECT(!aqua::Signals(display, 1777640400, 0).buzzer && aqua::Signals(display, 1777640400, 0).light);
    display = displayed("fine");
    EXPECT(!aqua::Signals(display, 0, 0).light);
}

// An hour that may be over long since quiets nothing.
static void withoutAClockNobodyIsOnIt() {
    aqua::Display display = displayed("critical");
    EXPECT(aqua::Signals(display, 0, 0).buzzer && !aqua::Signals(display, 0, 200).buzzer);
    EXPECT(aqua::Screen::lines(display, aqua::Contact::service, 0, 0)[7] == "CRITICAL");
}

// Whoever answered what was too high has not answered what is critical.
static void anAnswerIsNotOneToWhatIsWorse() {
    aqua::Display display = displayed();
    display.take(29, 0);
    EXPECT(display.isAnswered(1777640399));
    display.take(33, 0);
    EXPECT(!display.isAnswered(1777640399) && aqua::Signals(display, 1777640399, 0).buzzer);
}

static void aLongPressCountsOnce() {
    aqua::Button button;
    uint32_t start = 0xFFFFFF00u; // the counter of milliseconds wraps around meanwhile
    EXPECT(!button.update(true, start) && !button.update(true, start + 1499) && button.update(true, start + 1500));
    EXPECT(!button.update(true, start + 9000));
    EXPECT(!button.update(false, start + 9001) && !button.update(true, start + 9002) && button.update(true, start + 10502));
    EXPECT(!button.update(false, 0) && !button.update(true, 10) && !button.update(false, 1400) && !button.update(true, 1600));
    EXPECT(aqua::press(0x7f3a, 12) == "{\"id\":\"7f3a-12\",\"answer\":\"onIt\"}");
}

int main() {
    aMessageIsRead();
    whatIsNoMessageChangesNothing();
    aValueIsJudgedByItsLimits();
    whatIsMeasuredWithoutANetworkIsShownInTheOwnersUnit();
    anOlderMessageDoesNotOverwriteWhatWasJudged();
    theServiceIsHeardByWhatItAnswers();
    flashIsWrittenForLimitsAndNotForValues();
    linesFitAndWhatIsWrongComesFirst();
    manyValuesAreShownPageAfterPage();
    whoeverIsOnItQuietsTheBuzzer();
    withoutAClockNobodyIsOnIt();
    anAnswerIsNotOneToWhatIsWorse();
    aLongPressCountsOnce();
    return failures == 0 ? 0 : 1;
}
