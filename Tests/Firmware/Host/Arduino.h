// Stands in for the ESP32's Arduino core, as far as the sketch uses it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

uint32_t millis();
void delay(uint32_t milliseconds);
uint32_t esp_random();
enum { LOW, HIGH, OUTPUT, INPUT_PULLUP };
inline void pinMode(int, int) {}
int digitalRead(int pin);
void digitalWrite(int pin, int level);
inline int analogReadMilliVolts(int) { return 1900; }
inline void configTime(long, int, const char *) {}

// A cable without anybody at its other end.
struct SerialPort {
    void setRxBufferSize(size_t) {}
    void begin(unsigned long) {}
    int available() { return 0; }
    int read() { return -1; }
    size_t write(const uint8_t *, size_t count) { return count; }
    template <class... Values> void printf(const char *, Values...) {}
};
inline SerialPort Serial;

struct Chip {
    void restart() {}
};
inline Chip ESP;
