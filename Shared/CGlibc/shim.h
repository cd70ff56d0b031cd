#pragma once

// Declarations of glibc that Swift's Glibc module lacks.

#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>

/// <time.h> declares strptime under _XOPEN_SOURCE only, and Swift's module is compiled without it.
char *strptime(const char *text, const char *format, struct tm *parts);

/// <spawn.h> declares this under _DEFAULT_SOURCE only, and Swift's module is compiled without it.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/// An eventfd, which another thread writes to make a poll return; -1 if the system refuses.
static inline int aqua_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}
