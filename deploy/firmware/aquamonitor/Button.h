// A button that has to be held: nothing is answered, opened or forgotten by a touch.
//
// Plain C++17, without Arduino, so that it is tested on a computer.
#pragma once

#include <cstdint>

namespace aqua {

// A cat on the case says nothing.
class Button {
public:
    // hold: how long it has to be down, in milliseconds.
    explicit Button(uint32_t hold = 1500) : hold(hold) {}

    // Returns: true once for each time that it was held long enough.
    bool update(bool isDown, uint32_t milliseconds) {
        if (!isDown) {
            isHeld = hasCounted = false;
            return false;
        }
        if (!isHeld) since = milliseconds;
        isHeld = true;
        if (hasCounted || milliseconds - since < hold) return false;
        return hasCounted = true;
    }

private:
    const uint32_t hold;
    bool isHeld = false, hasCounted = false;
    uint32_t since = 0;
};

} // namespace aqua
