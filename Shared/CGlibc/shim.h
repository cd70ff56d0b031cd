#pragma once

// What glibc has and Swift's Glibc module does not show.

#include <sys/epoll.h>
#include <time.h>

/// <time.h> declares it under _XOPEN_SOURCE only, with which that module is not compiled.
char *strptime(const char *text, const char *format, struct tm *parts);
