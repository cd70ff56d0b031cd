// Stands in for the access point's names.
#pragma once

#include <cstdint>

struct DNSServer {
    void start(int, const char *, uint32_t) {}
    void stop() {}
    void processNextRequest() {}
};
