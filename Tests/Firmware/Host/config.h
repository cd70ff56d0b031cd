// The settings of whoever builds the sketch.
#pragma once

#include <cstdint>

#define PROBE_PIN 4
// The interval grows long once the sketch has measured often enough.
uint32_t readingInterval();
#define READING_INTERVAL_MS readingInterval()
#define DISPLAY_ADDRESS 0x3C
#define BUTTON_PIN 0
#define LIGHT_PIN 2
#define BUZZER_PIN 15
