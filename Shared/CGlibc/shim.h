#pragma once

// What glibc has and Swift's Glibc module does not show.

#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>

/// <time.h> declares it under _XOPEN_SOURCE only, with which that module is not compiled.
char *strptime(const char *text, const char *format, struct tm *parts);

/// <spawn.h> declares it under _DEFAULT_SOURCE only, likewise.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/// A counter that another thread raises to make a poll return; -1 if the system refuses.
static inline int aqua_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}
