#pragma once

#include <curl/curl.h>

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

static inline CURLcode aqua_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline long aqua_curl_response_code(CURL *handle) {
    long code = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code);
    return code;
}

static inline CURLcode aqua_curl_prepare(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}
