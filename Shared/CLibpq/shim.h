#ifndef AQUA_CLIBPQ_SHIM_H
#define AQUA_CLIBPQ_SHIM_H

#include <errno.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdint.h>
#include <unistd.h>

// PGconn, PGresult and PGcancel are opaque: Swift sees OpaquePointer. The diagnostic fields are character macros, whose type in
// Swift differs between compilers; these functions give them one type.

static inline const char *aqua_pq_sqlstate(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

static inline const char *aqua_pq_severity(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
}

static inline const char *aqua_pq_primary(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

static inline const char *aqua_pq_detail(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
}

static inline const char *aqua_pq_context(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_CONTEXT);
}

static inline const char *aqua_pq_function(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SOURCE_FUNCTION);
}

static inline const char *aqua_pq_table(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_TABLE_NAME);
}

static inline const char *aqua_pq_constraint(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);
}

// Waits until either descriptor can be read: 1 for the first, 2 for the second, 3 for both; 0 when interrupted or timed out; -1
// on failure (errno).
static inline int aqua_poll_two(int first, int second, int milliseconds) {
    struct pollfd files[2] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
    if (poll(files, 2, milliseconds) < 0) return errno == EINTR ? 0 : -1;
    return (files[0].revents ? 1 : 0) | (files[1].revents ? 2 : 0);
}

// Waits until a descriptor has bytes or an end of file to read, or has failed. False when interrupted or timed out.
static inline int aqua_await_readable(int file, int milliseconds) {
    struct pollfd files[1] = {{file, POLLIN, 0}};
    int count = poll(files, 1, milliseconds);
    return count > 0 || (count < 0 && errno != EINTR);
}

// Whether a read of the descriptor would return now, with bytes or an end of file.
static inline int aqua_is_readable(int file) {
    struct pollfd files[1] = {{file, POLLIN, 0}};
    return poll(files, 1, 0) > 0;
}

#endif
