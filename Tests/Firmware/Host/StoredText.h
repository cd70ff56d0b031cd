// Stands in for Arduino's text.
#pragma once

#include <string>

struct StoredText {
    std::string text;
    const char *c_str() const { return text.c_str(); }
    StoredText substring(unsigned from) const { return {text.substr(from)}; }
};
