// Stands in for the Arduino core of the ESP32, as far as the sketch uses it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

uint32_t millis();
void delay(uint32_t milliseconds);
uint32_t esp_random();
inline void configTime(long, int, const char *) {}

struct SerialPort {
    void begin(unsigned long) {}
};
inline SerialPort Serial;
