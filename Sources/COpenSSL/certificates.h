#pragma once
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

// Stacks of certificates are macros, which Swift does not import.

enum muster_certificate_state {
    muster_certificate_fine,
    muster_certificate_unreadable,
    muster_certificate_key_unreadable,
    muster_certificate_of_another_key,
    muster_certificate_of_another_name,
    muster_certificate_without_trust
};

static inline EVP_PKEY *muster_read_private_key(const char *path) {
    BIO *file = BIO_new_file(path, "r");
    EVP_PKEY *key = file ? PEM_read_bio_PrivateKey(file, NULL, NULL, NULL) : NULL;
    BIO_free(file);
    return key;
}

// The first thing that is wrong with a PEM file of a certificate and its chain. `host` may be NULL. `seconds` is what is left
// of its validity, below zero when it is over.
static inline int muster_certificate_check(const char *chain_path, const char *key_path, const char *host, long long *seconds) {
    int state = muster_certificate_unreadable;
    BIO *file = BIO_new_file(chain_path, "r");
    X509 *certificate = file ? PEM_read_bio_X509(file, NULL, NULL, NULL) : NULL;
    STACK_OF(X509) *chain = sk_X509_new_null();
    EVP_PKEY *key = NULL;
    X509_STORE *store = X509_STORE_new();
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    if (certificate && chain && store && context) {
        X509 *next;
        while ((next = PEM_read_bio_X509(file, NULL, NULL, NULL))) { sk_X509_push(chain, next); }
        int days = 0, rest = 0;
        ASN1_TIME_diff(&days, &rest, NULL, X509_get0_notAfter(certificate));
        *seconds = (long long)days * 86400 + rest;
        key = muster_read_private_key(key_path);
        // A time that is over is told by the caller, with its date.
        X509_STORE_set_default_paths(store);
        int is_trusted = X509_STORE_CTX_init(context, store, certificate, chain) == 1;
        X509_VERIFY_PARAM_set_flags(X509_STORE_CTX_get0_param(context), X509_V_FLAG_NO_CHECK_TIME);
        is_trusted = is_trusted && X509_verify_cert(context) == 1;
        if (!key) {
            state = muster_certificate_key_unreadable;
        } else if (X509_check_private_key(certificate, key) != 1) {
            state = muster_certificate_of_another_key;
        } else if (host && X509_check_host(certificate, host, 0, 0, NULL) != 1 && X509_check_ip_asc(certificate, host, 0) != 1) {
            state = muster_certificate_of_another_name;
        } else {
            state = is_trusted ? muster_certificate_fine : muster_certificate_without_trust;
        }
    }
    X509_STORE_CTX_free(context);
    X509_STORE_free(store);
    EVP_PKEY_free(key);
    sk_X509_pop_free(chain, X509_free);
    X509_free(certificate);
    BIO_free(file);
    ERR_clear_error();
    return state;
}
