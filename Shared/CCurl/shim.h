#pragma once

#include <curl/curl.h>
#include <sys/socket.h>

// Swift calls no function with a variable number of arguments.

typedef size_t (*aqua_curl_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode aqua_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode aqua_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode aqua_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode aqua_curl_set_callback(CURL *handle, CURLoption option, aqua_curl_callback value) {
    return curl_easy_setopt(handle, option, value);
}

typedef int (*aqua_curl_progress)(void *context, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

static inline CURLcode aqua_curl_set_progress(CURL *handle, aqua_curl_progress value) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

/// Ends the connection of the last transfer, so that nobody waits for its server any more.
static inline void aqua_curl_hang_up(CURL *handle) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    if (curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK && socket != CURL_SOCKET_BAD)
        shutdown(socket, SHUT_RDWR);
}

static inline CURLcode aqua_curl_prepare(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}
