#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// Swift cannot call functions with variable arguments: one for each type that an option takes.

static inline CURLcode muster_curl_set_number(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode muster_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode muster_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode muster_curl_set_callback(
    CURL *easy, CURLoption option, size_t (*callback)(char *bytes, size_t size, size_t count, void *context)
) {
    return curl_easy_setopt(easy, option, callback);
}

static inline void muster_curl_set_socket_callback(CURL *easy, curl_opensocket_callback callback) {
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}

static inline CURLcode muster_curl_get_number(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode muster_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode muster_curl_get_text(CURL *easy, CURLINFO info, char **value) {
    return curl_easy_getinfo(easy, info, value);
}

// The result of a message is in a union, which Swift would read without looking at its kind.
static inline CURLcode muster_curl_result(const CURLMsg *message) { return message->data.result; }
