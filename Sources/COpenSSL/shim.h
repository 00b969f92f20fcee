#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ec.h>
#include "certificates.h"
#include "public_keys.h"

// Macros that Swift does not import.

static inline int muster_evp_public_key(void) { return EVP_PKEY_PUBLIC_KEY; }

static inline int muster_evp_key_pair(void) { return EVP_PKEY_KEYPAIR; }

static inline void muster_openssl_free(void *memory) { OPENSSL_free(memory); }

// Parameters keep the pointers to their names, so the names are C's literals: those of Swift end with the call.

static inline OSSL_PARAM muster_group_parameter(char *name) {
    return OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, name, 0);
}

static inline OSSL_PARAM muster_public_key_parameter(void *bytes, size_t count) {
    return OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, bytes, count);
}

static inline OSSL_PARAM muster_private_key_parameter(unsigned char *number, size_t count) {
    return OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, number, count);
}
