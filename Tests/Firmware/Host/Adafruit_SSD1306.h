// Stands in for a screen: what is drawn on it is kept as text, and printed when it changes.
#pragma once

#include <cstdint>
#include <string>

#include "Wire.h"

enum { SSD1306_SWITCHCAPVCC = 2, SSD1306_WHITE = 1 };

class Adafruit_SSD1306 {
public:
    Adafruit_SSD1306(int, int, TwoWire *, int) {}
    bool begin(int, int) { return true; }
    void clearDisplay() { drawn.clear(); }
    void setTextSize(int) {}
    void setTextColor(int) {}
    void setCursor(int, int) {}
    void print(const char *text) { drawn += std::string(text) + "|"; }
    void display();

private:
    std::string drawn, before;
};
