#pragma once
// TCP connection information of the kernel that the C library's headers omit.
#include <stdbool.h>
#include <stdint.h>

/// Stores the number of bytes that the peer of a TCP socket has acknowledged. Returns false when it is unknown.
bool muster_socket_acknowledged(int socket, uint64_t *bytes);
