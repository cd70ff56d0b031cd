// A board at the end of a cable, for walks through the web app: the sketch's own set-up, whose Wi-Fi and broker are remembered ones. A line of
// standard input is the time that has passed, in milliseconds, and the bytes that came, in hexadecimal digits; a line of standard output is what
// the board wrote since. Its network is "Koi house" with "right password"; the broker takes the key BOARD_KEY.
#include "board.h"

#include <iostream>

class WalkBoard : public TestBoard {
public:
    std::vector<std::string> standing() override {
        const char *key = getenv("BOARD_KEY");
        if (!settings.isEmpty()) broker = joined.empty() ? "trying" : key && settings.key == key ? "connected" : "refused";
        return TestBoard::standing();
    }
};

int main() {
    WalkBoard board;
    board.reachable = {{"Koi house", -52, true}, {"Guests", -60, false}, {"<b>Neighbours</b>", -80, true}};
    board.passwords = {{"Koi house", "right password"}, {"Guests", ""}};
    aqua::Provisioner provisioner(board);
    uint32_t now = 0, passed = 0;
    for (std::string line; std::getline(std::cin, line);) {
        size_t blank = line.find(' ');
        passed = static_cast<uint32_t>(strtoul(line.c_str(), nullptr, 10));
        now += passed;
        for (size_t at = blank + 1; blank != std::string::npos && at + 1 < line.size(); at += 2)
            provisioner.take(static_cast<uint8_t>(strtoul(line.substr(at, 2).c_str(), nullptr, 16)), now);
        provisioner.tick(now);
        for (char byte : board.written) printf("%02x", static_cast<uint8_t>(byte));
        board.written.clear();
        puts("");
        fflush(stdout);
    }
    return 0;
}
