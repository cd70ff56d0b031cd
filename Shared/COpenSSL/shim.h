#pragma once
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* Macros of OpenSSL's, which Swift does not see. */

static inline EVP_PKEY *aqua_p256_key(void) { return EVP_EC_gen("P-256"); }

static inline long aqua_bio_bytes(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

static inline int aqua_revoked_count(X509_CRL *list) {
    STACK_OF(X509_REVOKED) *entries = X509_CRL_get_REVOKED(list);
    return entries == NULL ? 0 : sk_X509_REVOKED_num(entries);
}

static inline X509_REVOKED *aqua_revoked_entry(X509_CRL *list, int index) {
    return sk_X509_REVOKED_value(X509_CRL_get_REVOKED(list), index);
}
