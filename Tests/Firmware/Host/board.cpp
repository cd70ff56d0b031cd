// A board at the end of a cable, for walks through the web app: the sketch's own set-up, whose Wi-Fi is a remembered one, and whose broker the walk
// tries. A line of standard input is the time that has passed, in milliseconds, how the broker answers what the board keeps (trying, connected or
// refused), and the bytes that came, in hexadecimal digits; a line of standard output is what the board wrote since and, behind a blank, the text of
// the settings that it keeps, both in such digits. Its network is "Koi house" with "right password".
#include "board.h"

#include <iostream>
#include <sstream>

class WalkBoard : public TestBoard {
public:
    std::string answered;

    std::vector<std::string> standing() override {
        if (!settings.isEmpty()) broker = joined.empty() ? "trying" : answered;
        return TestBoard::standing();
    }
};

static void print(const std::string &bytes) {
    for (char byte : bytes) printf("%02x", static_cast<uint8_t>(byte));
}

int main() {
    WalkBoard board;
    board.reachable = {{"Koi house", -52, true}, {"Guests", -60, false}, {"<b>Neighbours</b>", -80, true}};
    board.passwords = {{"Koi house", "right password"}, {"Guests", ""}};
    aqua::Provisioner provisioner(board);
    uint32_t now = 0, passed = 0;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string came;
        words >> passed >> board.answered >> came;
        now += passed;
        for (size_t at = 0; at + 1 < came.size(); at += 2)
            provisioner.take(static_cast<uint8_t>(strtoul(came.substr(at, 2).c_str(), nullptr, 16)), now);
        provisioner.tick(now);
        print(board.written);
        board.written.clear();
        if (!board.settings.isEmpty()) {
            printf(" ");
            print(board.settings.text());
        }
        puts("");
        fflush(stdout);
    }
    return 0;
}
