#pragma once
// What the kernel knows of a TCP connection and the C library's headers leave out.
#include <stdbool.h>
#include <stdint.h>

/// Sets `bytes` to how many bytes the other side of a TCP socket has acknowledged so far; false when nobody knows.
bool muster_socket_acknowledged(int socket, uint64_t *bytes);
