#include "muster_socket.h"

// Not <netinet/tcp.h>, whose struct tcp_info ends before the field.
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>

/// Reads the kernel's information about a socket up to offset `end`; false when it has less.
static bool read_info(int socket, struct tcp_info *info, size_t end) {
    socklen_t length = sizeof *info;
    return getsockopt(socket, IPPROTO_TCP, TCP_INFO, info, &length) == 0 && length >= end;
}

bool muster_socket_acknowledged(int socket, uint64_t *bytes) {
    struct tcp_info info;
    if (!read_info(socket, &info, offsetof(struct tcp_info, tcpi_bytes_acked) + sizeof info.tcpi_bytes_acked)) {
        return false;
    }
    *bytes = info.tcpi_bytes_acked;
    return true;
}
