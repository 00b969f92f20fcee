#pragma once
// What the kernel knows of a TCP connection and the C library's headers leave out.
#include <stdbool.h>
#include <stdint.h>

/// Sets `bytes` to how many bytes the other side of a TCP socket has acknowledged so far; false when nobody knows.
bool muster_socket_acknowledged(int socket, uint64_t *bytes);

/// Sets `bytes` to how many bytes the kernel has received on a TCP socket so far, and `unread` to how many of them it still
/// keeps, or more if some came meanwhile; false when nobody knows.
bool muster_socket_received(int socket, uint64_t *bytes, uint64_t *unread);
