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
#include "public_keys.h"

// Macros that Swift does not import.

static inline int muster_evp_public_key(void) { return EVP_PKEY_PUBLIC_KEY; }

static inline int muster_evp_key_pair(void) { return EVP_PKEY_KEYPAIR; }

static inline void muster_openssl_free(void *memory) { OPENSSL_free(memory); }
