// Stands in for the ESP32's timer: microseconds since the start.
#pragma once

#include <cstdint>

#include "Arduino.h"

inline int64_t esp_timer_get_time() { return static_cast<int64_t>(millis()) * 1000; }
