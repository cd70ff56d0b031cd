#pragma once

// The system calls of a load generator: OpenSSL's client, epoll for thousands of sockets, and a thread's processor time.

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <time.h>

/// The processor time of the calling thread so far, in nanoseconds.
static inline int64_t aqua_thread_time(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// A client's context that trusts one authority and takes partial writes; NULL if the file cannot be read.
static inline SSL_CTX *aqua_tls_context(const char *authority) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (!context) return NULL;
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    if (SSL_CTX_load_verify_locations(context, authority, NULL) == 1) return context;
    SSL_CTX_free(context);
    return NULL;
}

/// Performs the handshake over a connected, blocking socket; NULL if it fails.
static inline SSL *aqua_tls_connect(SSL_CTX *context, int socket) {
    SSL *session = SSL_new(context);
    if (session && SSL_set_fd(session, socket) == 1 && SSL_connect(session) == 1) return session;
    SSL_free(session);
    ERR_clear_error();
    return NULL;
}

/// The meaning of a call that moved no byte: 0 try again later, -1 the connection has ended.
static inline int aqua_tls_meaning(SSL *session, int result) {
    int error = SSL_get_error(session, result);
    ERR_clear_error();
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? 0 : -1;
}

/// The number of bytes read; 0 if none is available, -1 if the connection has ended.
static inline int aqua_tls_read(SSL *session, void *buffer, int size) {
    int count = SSL_read(session, buffer, size);
    return count > 0 ? count : aqua_tls_meaning(session, count);
}

/// The number of bytes written; 0 if the socket takes none now, -1 if the connection has ended.
static inline int aqua_tls_write(SSL *session, const void *bytes, int size) {
    int count = SSL_write(session, bytes, size);
    return count > 0 ? count : aqua_tls_meaning(session, count);
}
