#pragma once
// A filter for the reads of libwebsockets.
//
// libwebsockets reads a socket by `recv`, or with TLS by `SSL_read`, and has no hook there. A program may redefine
// functions of a shared library (symbol interposition), and the dynamic linker makes every library call the new
// definitions. `recv` and `SSL_read` are defined here. They behave as usual except on a thread that has set a filter.
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Reads up to `capacity` bytes of the socket `from`. Returns their number, 0 at the end, or -1 as `recv` does.
typedef ptrdiff_t (*muster_input_source)(void *from, void *bytes, size_t capacity);

/// Reads a socket by `source`, and stores the bytes for the caller in `bytes`. Returns their number, 0 at the end, or
/// -1 as `source` does.
typedef ptrdiff_t (*muster_input_filter)(
    void *context, int socket, void *bytes, size_t capacity, muster_input_source source, void *from);

/// Sets the filter of the calling thread's socket reads; null for none.
void muster_input_set_filter(muster_input_filter filter, void *context);

#ifdef __cplusplus
}
#endif
