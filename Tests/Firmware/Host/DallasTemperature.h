// A probe whose every measurement is another, so that a test tells them apart.
#pragma once

#include "OneWire.h"

class DallasTemperature {
public:
    explicit DallasTemperature(OneWire *) {}
    void begin() {}
    void requestTemperatures() {}
    float getTempCByIndex(int);
};
