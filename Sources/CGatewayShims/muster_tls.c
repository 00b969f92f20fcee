#include "muster_tls.h"

#include <openssl/ssl.h>

bool muster_tls_set_groups(void *context, const char *groups) {
    return SSL_CTX_set1_groups_list((SSL_CTX *)context, groups) == 1;
}
