// What tests of the sketch's parts are written with.
#pragma once

#include <cstdio>

#define EXPECT(condition) \
    do { \
        if (!(condition)) { \
            printf("line %d: %s\n", __LINE__, #condition); \
            failures++; \
        } \
    } while (false)

static int failures = 0;
