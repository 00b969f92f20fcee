#pragma once
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

// A parameter builder keeps pointers to names and values until it is asked for its parameters. Swift's pointers to
// strings do not live that long, so that keys are built here.

static inline EVP_PKEY *muster_key_of(OSSL_PARAM_BLD *builder, const char *type) {
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *context = parameters ? EVP_PKEY_CTX_new_from_name(NULL, type, NULL) : NULL;
    EVP_PKEY *key = NULL;
    if (context && EVP_PKEY_fromdata_init(context) == 1) {
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters);
    }
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    return key;
}

// An RSA key of big-endian numbers; the caller owns it. NULL when OpenSSL refuses it.
static inline EVP_PKEY *muster_rsa_public_key(
    const unsigned char *modulus, int modulus_count, const unsigned char *exponent, int exponent_count
) {
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    BIGNUM *n = BN_bin2bn(modulus, modulus_count, NULL);
    BIGNUM *e = BN_bin2bn(exponent, exponent_count, NULL);
    EVP_PKEY *key = NULL;
    if (builder && n && e && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1) {
        key = muster_key_of(builder, "RSA");
    }
    BN_free(n);
    BN_free(e);
    OSSL_PARAM_BLD_free(builder);
    return key;
}

// A key of an encoded point of a named curve, which is checked; the caller owns it. NULL when the point is refused.
static inline EVP_PKEY *muster_ec_public_key(const char *curve, const unsigned char *point, size_t count) {
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY *key = NULL;
    if (builder && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, curve, 0) == 1
        && OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, count) == 1) {
        key = muster_key_of(builder, "EC");
    }
    OSSL_PARAM_BLD_free(builder);
    EVP_PKEY_CTX *context = key ? EVP_PKEY_CTX_new(key, NULL) : NULL;
    if (key && (!context || EVP_PKEY_public_check(context) != 1)) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    return key;
}
