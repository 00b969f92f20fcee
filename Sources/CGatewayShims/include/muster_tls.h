#pragma once
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Restricts handshakes with a context of OpenSSL (`SSL_CTX *`) to these groups, such as "X25519:P-256". Returns false
/// if one is unknown.
bool muster_tls_set_groups(void *context, const char *groups);

#ifdef __cplusplus
}
#endif
