// Stands in for the ESP32's store of settings: a file beside the queue.
#pragma once

#include <cstddef>

#include "StoredText.h"

class Preferences {
public:
    bool begin(const char *, bool) { return true; }
    StoredText getString(const char *key, const char *otherwise);
    size_t putString(const char *key, const char *text);
    bool remove(const char *key);
};
