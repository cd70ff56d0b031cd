// Tests what is shown: reading messages, judging by limits, lines, signals, the button.
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
    display.take(20);
    EXPECT(display.state == aqua::State::fine && display.values[0].value == 20);
    display.take(33);
    EXPECT(display.state == aqua::State::critical);
    display.values[0].unit = "°F";
    display.take(20);
    EXPECT(std::fabs(display.values[0].value - 68) < 1e-9);
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
    auto lines = aqua::Screen::lines(display, true, 1777636800, 0);
    EXPECT(lines.size() == 8);
    for (const auto &line : lines) EXPECT(line.size() <= 21);
    EXPECT(lines[0] == "Koi \"pond\"");
    EXPECT(lines[1] == "ph              8.00!");
    EXPECT(lines[2] == "temperature    29.4 C");
    EXPECT(lines[7] == "Mika on it -15:00");
    EXPECT(aqua::Screen::lines(display, true, 1777640400, 0)[7] == "too high");
    EXPECT(aqua::Screen::lines(display, false, 1777636800, 0)[7] == "no connection");
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
    auto first = aqua::Screen::lines(display, true, 0, 0), second = aqua::Screen::lines(display, true, 0, 1);
    EXPECT(first[0] == "???" && first[6] != "" && second[2] != "" && second[3] == "");
    EXPECT(aqua::Screen::lines(display, true, 0, 2) == first);
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
    EXPECT(aqua::Screen::lines(display, true, 0, 0)[7] == "CRITICAL");
}

// Whoever answered what was too high has not answered what is critical.
static void anAnswerIsNotOneToWhatIsWorse() {
    aqua::Display display = displayed();
    display.take(29);
    EXPECT(display.isAnswered(1777640399));
    display.take(33);
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
    flashIsWrittenForLimitsAndNotForValues();
    linesFitAndWhatIsWrongComesFirst();
    manyValuesAreShownPageAfterPage();
    whoeverIsOnItQuietsTheBuzzer();
    withoutAClockNobodyIsOnIt();
    anAnswerIsNotOneToWhatIsWorse();
    aLongPressCountsOnce();
    return failures == 0 ? 0 : 1;
}
