#pragma once
// A look at what libwebsockets reads, before it does.
//
// libwebsockets reads a socket by `recv`, or with TLS by `SSL_read`, and has no hook there. A program may define functions of a
// shared library anew, and the dynamic linker lets every library call those: `recv` and `SSL_read` are defined here, and do what
// they always do, except on a thread that has set a filter.
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Reads up to `capacity` bytes of the socket that `from` stands for: their number, 0 at the end, or -1 as `recv` does.
typedef ptrdiff_t (*muster_input_source)(void *from, void *bytes, size_t capacity);

/// Reads a socket by `source`, and puts into `bytes` what the reader gets: their number, 0 at the end, or -1 as `source` does.
typedef ptrdiff_t (*muster_input_filter)(
    void *context, int socket, void *bytes, size_t capacity, muster_input_source source, void *from);

/// Lets `filter` stand between the calling thread and what it reads of sockets from now on; null for nothing.
void muster_input_set_filter(muster_input_filter filter, void *context);

#ifdef __cplusplus
}
#endif
