#pragma once

struct TwoWire {
    void begin() {}
};
inline TwoWire Wire;
