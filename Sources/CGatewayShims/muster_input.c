#define _GNU_SOURCE
#include "muster_input.h"

#include <dlfcn.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

typedef int (*tls_read)(SSL *tls, void *bytes, int capacity);

static _Thread_local muster_input_filter filter;
static _Thread_local void *filter_context;
static tls_read next_tls_read;

__attribute__((constructor)) static void find_next(void) {
    next_tls_read = (tls_read)dlsym(RTLD_NEXT, "SSL_read");
}

void muster_input_set_filter(muster_input_filter new_filter, void *context) {
    filter = new_filter;
    filter_context = context;
}

static ptrdiff_t read_socket(void *from, void *bytes, size_t capacity) {
    return recvfrom(*(const int *)from, bytes, capacity, 0, NULL, NULL);
}

static ptrdiff_t read_tls(void *from, void *bytes, size_t capacity) {
    return next_tls_read(from, bytes, (int)capacity);
}

ssize_t recv(int socket, void *bytes, size_t capacity, int flags) {
    // A read with flags such as MSG_PEEK is not filtered.
    if (filter == NULL || flags != 0) {
        return recvfrom(socket, bytes, capacity, flags, NULL, NULL);
    }
    return filter(filter_context, socket, bytes, capacity, read_socket, &socket);
}

int SSL_read(SSL *tls, void *bytes, int capacity) {
    if (filter == NULL || capacity <= 0) {
        return next_tls_read(tls, bytes, capacity);
    }
    return (int)filter(filter_context, SSL_get_rfd(tls), bytes, (size_t)capacity, read_tls, tls);
}
