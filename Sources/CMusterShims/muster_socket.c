#include "muster_socket.h"

// Not <netinet/tcp.h>, whose struct tcp_info ends before the field.
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>

bool muster_socket_acknowledged(int socket, uint64_t *bytes) {
    struct tcp_info info;
    socklen_t length = sizeof info;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) {
        return false;
    }
    if (length < offsetof(struct tcp_info, tcpi_bytes_acked) + sizeof info.tcpi_bytes_acked) {
        return false;
    }
    *bytes = info.tcpi_bytes_acked;
    return true;
}
