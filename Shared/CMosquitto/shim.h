#pragma once

#include <errno.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>

/// Makes `mosquitto_loop_read` return after the packet whose callback calls this.
///
/// Over TLS that function reads on while decrypted bytes wait in the library, without any bound. After each packet it looks at
/// errno and takes EAGAIN for an empty socket; nothing between a callback and that look changes errno.
static inline void aqua_mosquitto_stop_reading(void) {
    errno = EAGAIN;
}

/// Sets one integer option of a TCP socket; false if the kernel refuses.
static inline bool aqua_tcp_option(int socket, int option, int value) {
    return setsockopt(socket, IPPROTO_TCP, option, &value, sizeof value) == 0;
}

/// Detects a dead peer without MQTT packets: probes an idle connection, and bounds how long sent bytes wait for their ACK.
static inline bool aqua_tcp_watch_peer(int socket, int idle_s, int interval_s, int probes, int user_timeout_ms) {
    int on = 1;
    return setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on) == 0
        && aqua_tcp_option(socket, TCP_KEEPIDLE, idle_s)
        && aqua_tcp_option(socket, TCP_KEEPINTVL, interval_s)
        && aqua_tcp_option(socket, TCP_KEEPCNT, probes)
        && aqua_tcp_option(socket, TCP_USER_TIMEOUT, user_timeout_ms);
}

/// Bounds the kernel's send buffer for bytes that the peer has not read.
static inline void aqua_tcp_bound_unread(int socket, int bytes) {
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

/// Corks the socket: until it is uncorked the kernel sends full segments only, so thousands of four-byte PUBACKs leave in a few
/// packets.
static inline void aqua_tcp_cork(int socket, bool corked) {
    aqua_tcp_option(socket, TCP_CORK, corked);
}
