#pragma once
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Lets handshakes with a context of OpenSSL (`SSL_CTX *`) use these groups alone, such as "X25519:P-256"; false when one is
/// unknown.
bool muster_tls_set_groups(void *context, const char *groups);

#ifdef __cplusplus
}
#endif
