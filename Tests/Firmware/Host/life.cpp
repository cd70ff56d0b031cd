// Tests what the device says of itself.
#include "../../../deploy/firmware/aquamonitor/Life.h"

#include "expect.h"

static void aStatusHasWhatIsKnown() {
    aqua::Life life;
    life.uptime = 5000000000;
    life.reset = 9;
    EXPECT(life.status() == std::string("{\"status\":\"online\",\"version\":\"") + aqua::Life::version
        + "\",\"uptime\":5000000000,\"reset\":\"brownout\"}");
    life.signal = -67;
    life.battery = 0;
    EXPECT(life.status().find(",\"rssi\":-67,\"battery\":0,\"uptime\":") != std::string::npos);
    life.signal = -127;
    life.battery = 100;
    life.uptime = INT64_MAX;
    // An Ingestor reads a status of at most 512 bytes.
    EXPECT(life.status().size() < 512 && life.status().back() == '}');
}

static void aReasonHasAWord() {
    EXPECT(std::string(aqua::Life::reason(1)) == "poweron" && std::string(aqua::Life::reason(6)) == "watchdog");
    for (int reset : {-1, 0, 10, 99}) EXPECT(std::string(aqua::Life::reason(reset)) == "unknown");
}

static void aVoltageIsACharge() {
    EXPECT(aqua::Life::charge(0) == 0 && aqua::Life::charge(3300) == 0 && aqua::Life::charge(3725) == 50);
    EXPECT(aqua::Life::charge(4150) == 100 && aqua::Life::charge(5000) == 100);
}

int main() {
    aStatusHasWhatIsKnown();
    aReasonHasAWord();
    aVoltageIsACharge();
    return failures;
}
