#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "CLibraries.h"
#include "Loading.h"

// Without the library, all functions fail and no two values are equal.
#define FUNCTIONS(X)                                                                                 \
  X(void, ASN1_STRING_free, (ASN1_STRING *a), (a), (void)0)                                          \
  X(int, ASN1_STRING_set, (ASN1_STRING *str, const void *data, int len), (str, data, len), 0)        \
  X(ASN1_STRING *, ASN1_STRING_type_new, (int type), (type), NULL)                                   \
  X(ASN1_TIME *, ASN1_TIME_adj,                                                                      \
    (ASN1_TIME *s, time_t t, int offset_day, long offset_sec), (s, t, offset_day, offset_sec),       \
    NULL)                                                                                            \
  X(void, ASN1_TIME_free, (ASN1_TIME *a), (a), (void)0)                                              \
  X(int, ASN1_TIME_to_tm, (const ASN1_TIME *s, struct tm *tm), (s, tm), 0)                           \
  X(long, BIO_ctrl, (BIO *bp, int cmd, long larg, void *parg), (bp, cmd, larg, parg), 0)             \
  X(int, BIO_free, (BIO *a), (a), 0)                                                                 \
  X(BIO *, BIO_new, (const BIO_METHOD *type), (type), NULL)                                          \
  X(BIO *, BIO_new_mem_buf, (const void *buf, int len), (buf, len), NULL)                            \
  X(const BIO_METHOD *, BIO_s_mem, (void), (), NULL)                                                 \
  X(void, BN_free, (BIGNUM *a), (a), (void)0)                                                        \
  X(BIGNUM *, BN_new, (void), (), NULL)                                                              \
  X(int, BN_rand, (BIGNUM *rnd, int bits, int top, int bottom), (rnd, bits, top, bottom), 0)         \
  X(ASN1_INTEGER *, BN_to_ASN1_INTEGER, (const BIGNUM *bn, ASN1_INTEGER *ai), (bn, ai), NULL)        \
  X(int, CRYPTO_memcmp, (const void *in_a, const void *in_b, size_t len), (in_a, in_b, len), 1)      \
  X(const EVP_CIPHER *, EVP_chacha20_poly1305, (void), (), NULL)                                     \
  X(int, EVP_CIPHER_CTX_ctrl,                                                                        \
    (EVP_CIPHER_CTX *ctx, int type, int arg, void *ptr), (ctx, type, arg, ptr), 0)                   \
  X(void, EVP_CIPHER_CTX_free, (EVP_CIPHER_CTX *c), (c), (void)0)                                    \
  X(EVP_CIPHER_CTX *, EVP_CIPHER_CTX_new, (void), (), NULL)                                          \
  X(int, EVP_DecryptFinal_ex,                                                                        \
    (EVP_CIPHER_CTX *ctx, unsigned char *outm, int *outl), (ctx, outm, outl), 0)                     \
  X(int, EVP_DecryptInit_ex,                                                                         \
    (EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, ENGINE *impl, const unsigned char *key, const    \
    unsigned char *iv), (ctx, cipher, impl, key, iv), 0)                                             \
  X(int, EVP_DecryptUpdate,                                                                          \
    (EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl, const unsigned char *in, int inl), (ctx,    \
    out, outl, in, inl), 0)                                                                          \
  X(int, EVP_DigestFinal_ex,                                                                         \
    (EVP_MD_CTX *ctx, unsigned char *md, unsigned int *s), (ctx, md, s), 0)                          \
  X(int, EVP_DigestInit_ex,                                                                          \
    (EVP_MD_CTX *ctx, const EVP_MD *type, ENGINE *impl), (ctx, type, impl), 0)                       \
  X(int, EVP_DigestSign,                                                                             \
    (EVP_MD_CTX *ctx, unsigned char *sigret, size_t *siglen, const unsigned char *tbs, size_t        \
    tbslen), (ctx, sigret, siglen, tbs, tbslen), 0)                                                  \
  X(int, EVP_DigestSignInit,                                                                         \
    (EVP_MD_CTX *ctx, EVP_PKEY_CTX **pctx, const EVP_MD *type, ENGINE *e, EVP_PKEY *pkey), (ctx,     \
    pctx, type, e, pkey), 0)                                                                         \
  X(int, EVP_DigestUpdate, (EVP_MD_CTX *ctx, const void *d, size_t cnt), (ctx, d, cnt), 0)           \
  X(int, EVP_DigestVerify,                                                                           \
    (EVP_MD_CTX *ctx, const unsigned char *sigret, size_t siglen, const unsigned char *tbs, size_t   \
    tbslen), (ctx, sigret, siglen, tbs, tbslen), 0)                                                  \
  X(int, EVP_DigestVerifyInit,                                                                       \
    (EVP_MD_CTX *ctx, EVP_PKEY_CTX **pctx, const EVP_MD *type, ENGINE *e, EVP_PKEY *pkey), (ctx,     \
    pctx, type, e, pkey), 0)                                                                         \
  X(int, EVP_EncryptFinal_ex,                                                                        \
    (EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl), (ctx, out, outl), 0)                       \
  X(int, EVP_EncryptInit_ex,                                                                         \
    (EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, ENGINE *impl, const unsigned char *key, const    \
    unsigned char *iv), (ctx, cipher, impl, key, iv), 0)                                             \
  X(int, EVP_EncryptUpdate,                                                                          \
    (EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl, const unsigned char *in, int inl), (ctx,    \
    out, outl, in, inl), 0)                                                                          \
  X(int, EVP_MD_CTX_copy_ex, (EVP_MD_CTX *out, const EVP_MD_CTX *in), (out, in), 0)                  \
  X(void, EVP_MD_CTX_free, (EVP_MD_CTX *ctx), (ctx), (void)0)                                        \
  X(EVP_MD_CTX *, EVP_MD_CTX_new, (void), (), NULL)                                                  \
  X(int, EVP_PBE_scrypt,                                                                             \
    (const char *pass, size_t passlen, const unsigned char *salt, size_t saltlen, uint64_t N,        \
    uint64_t r, uint64_t p, uint64_t maxmem, unsigned char *key, size_t keylen), (pass, passlen,     \
    salt, saltlen, N, r, p, maxmem, key, keylen), 0)                                                 \
  X(int, EVP_PKEY_CTX_add1_hkdf_info,                                                                \
    (EVP_PKEY_CTX *ctx, const unsigned char *info, int infolen), (ctx, info, infolen), 0)            \
  X(void, EVP_PKEY_CTX_free, (EVP_PKEY_CTX *ctx), (ctx), (void)0)                                    \
  X(EVP_PKEY_CTX *, EVP_PKEY_CTX_new, (EVP_PKEY *pkey, ENGINE *e), (pkey, e), NULL)                  \
  X(EVP_PKEY_CTX *, EVP_PKEY_CTX_new_id, (int id, ENGINE *e), (id, e), NULL)                         \
  X(int, EVP_PKEY_CTX_set1_hkdf_key,                                                                 \
    (EVP_PKEY_CTX *ctx, const unsigned char *key, int keylen), (ctx, key, keylen), 0)                \
  X(int, EVP_PKEY_CTX_set1_hkdf_salt,                                                                \
    (EVP_PKEY_CTX *ctx, const unsigned char *salt, int saltlen), (ctx, salt, saltlen), 0)            \
  X(int, EVP_PKEY_CTX_set_group_name, (EVP_PKEY_CTX *ctx, const char *name), (ctx, name), 0)         \
  X(int, EVP_PKEY_CTX_set_hkdf_md, (EVP_PKEY_CTX *ctx, const EVP_MD *md), (ctx, md), 0)              \
  X(int, EVP_PKEY_derive,                                                                            \
    (EVP_PKEY_CTX *ctx, unsigned char *key, size_t *keylen), (ctx, key, keylen), 0)                  \
  X(int, EVP_PKEY_derive_init, (EVP_PKEY_CTX *ctx), (ctx), 0)                                        \
  X(int, EVP_PKEY_derive_set_peer, (EVP_PKEY_CTX *ctx, EVP_PKEY *peer), (ctx, peer), 0)              \
  X(void, EVP_PKEY_free, (EVP_PKEY *pkey), (pkey), (void)0)                                          \
  X(int, EVP_PKEY_generate, (EVP_PKEY_CTX *ctx, EVP_PKEY **ppkey), (ctx, ppkey), 0)                  \
  X(int, EVP_PKEY_get_raw_public_key,                                                                \
    (const EVP_PKEY *pkey, unsigned char *pub, size_t *len), (pkey, pub, len), 0)                    \
  X(int, EVP_PKEY_keygen_init, (EVP_PKEY_CTX *ctx), (ctx), 0)                                        \
  X(EVP_PKEY *, EVP_PKEY_new_raw_private_key,                                                        \
    (int type, ENGINE *e, const unsigned char *priv, size_t len), (type, e, priv, len), NULL)        \
  X(EVP_PKEY *, EVP_PKEY_new_raw_public_key,                                                         \
    (int type, ENGINE *e, const unsigned char *pub, size_t len), (type, e, pub, len), NULL)          \
  X(const EVP_MD *, EVP_sha256, (void), (), NULL)                                                    \
  X(int, GENERAL_NAME_cmp, (GENERAL_NAME *a, GENERAL_NAME *b), (a, b), 1)                            \
  X(void, GENERAL_NAME_free, (GENERAL_NAME *a), (a), (void)0)                                        \
  X(GENERAL_NAME *, GENERAL_NAME_new, (void), (), NULL)                                              \
  X(void, GENERAL_NAME_set0_value,                                                                   \
    (GENERAL_NAME *a, int type, void *value), (a, type, value), (void)0)                             \
  X(void, GENERAL_NAMES_free, (GENERAL_NAMES *a), (a), (void)0)                                      \
  X(GENERAL_NAMES *, GENERAL_NAMES_new, (void), (), NULL)                                            \
  X(unsigned char *, HMAC,                                                                           \
    (const EVP_MD *evp_md, const void *key, int key_len, const unsigned char *data, size_t           \
    data_len, unsigned char *md, unsigned int *md_len), (evp_md, key, key_len, data, data_len, md,   \
    md_len), NULL)                                                                                   \
  X(int, i2d_X509_bio, (BIO *bp, const X509 *x509), (bp, x509), 0)                                   \
  X(int, OPENSSL_sk_num, (const OPENSSL_STACK *a), (a), -1)                                          \
  X(int, OPENSSL_sk_push, (OPENSSL_STACK *st, const void *data), (st, data), 0)                      \
  X(void *, OPENSSL_sk_value, (const OPENSSL_STACK *a, int b), (a, b), NULL)                         \
  X(EVP_PKEY *, PEM_read_bio_PrivateKey,                                                             \
    (BIO *out, EVP_PKEY **x, pem_password_cb *cb, void *u), (out, x, cb, u), NULL)                   \
  X(X509 *, PEM_read_bio_X509,                                                                       \
    (BIO *out, X509 **x, pem_password_cb *cb, void *u), (out, x, cb, u), NULL)                       \
  X(int, PEM_write_bio_PKCS8PrivateKey,                                                              \
    (BIO *a, const EVP_PKEY *b, const EVP_CIPHER *c, const char *kstr, int klen, pem_password_cb     \
    *cb, void *u), (a, b, c, kstr, klen, cb, u), 0)                                                  \
  X(int, PEM_write_bio_X509, (BIO *out, const X509 *x), (out, x), 0)                                 \
  X(int, RAND_bytes, (unsigned char *buf, int num), (buf, num), 0)                                   \
  X(int, X509_add1_ext_i2d,                                                                          \
    (X509 *x, int nid, void *value, int crit, unsigned long flags), (x, nid, value, crit, flags),    \
    0)                                                                                               \
  X(int, X509_add_ext, (X509 *x, X509_EXTENSION *ex, int loc), (x, ex, loc), 0)                      \
  X(int, X509_check_private_key, (const X509 *x509, const EVP_PKEY *pkey), (x509, pkey), 0)          \
  X(void, X509_EXTENSION_free, (X509_EXTENSION *a), (a), (void)0)                                    \
  X(void, X509_free, (X509 *a), (a), (void)0)                                                        \
  X(const ASN1_TIME *, X509_get0_notAfter, (const X509 *x), (x), NULL)                               \
  X(const ASN1_TIME *, X509_get0_notBefore, (const X509 *x), (x), NULL)                              \
  X(void *, X509_get_ext_d2i,                                                                        \
    (const X509 *x, int nid, int *crit, int *idx), (x, nid, crit, idx), NULL)                        \
  X(X509_NAME *, X509_get_issuer_name, (const X509 *a), (a), NULL)                                   \
  X(ASN1_INTEGER *, X509_get_serialNumber, (X509 *x), (x), NULL)                                     \
  X(X509_NAME *, X509_get_subject_name, (const X509 *a), (a), NULL)                                  \
  X(int, X509_NAME_add_entry_by_NID,                                                                 \
    (X509_NAME *name, int nid, int type, const unsigned char *bytes, int len, int loc, int set),     \
    (name, nid, type, bytes, len, loc, set), 0)                                                      \
  X(int, X509_NAME_cmp, (const X509_NAME *a, const X509_NAME *b), (a, b), 1)                         \
  X(X509 *, X509_new, (void), (), NULL)                                                              \
  X(int, X509_print, (BIO *bp, X509 *x), (bp, x), 0)                                                 \
  X(int, X509_set1_notAfter, (X509 *x, const ASN1_TIME *tm), (x, tm), 0)                             \
  X(int, X509_set1_notBefore, (X509 *x, const ASN1_TIME *tm), (x, tm), 0)                            \
  X(int, X509_set_issuer_name, (X509 *x, const X509_NAME *name), (x, name), 0)                       \
  X(int, X509_set_pubkey, (X509 *x, EVP_PKEY *pkey), (x, pkey), 0)                                   \
  X(int, X509_set_version, (X509 *x, long version), (x, version), 0)                                 \
  X(int, X509_sign, (X509 *x, EVP_PKEY *pkey, const EVP_MD *md), (x, pkey, md), 0)                   \
  X(int, X509_verify, (X509 *a, EVP_PKEY *r), (a, r), 0)                                             \
  X(X509_EXTENSION *, X509V3_EXT_conf_nid,                                                           \
    (struct lhash_st_CONF_VALUE *conf, X509V3_CTX *ctx, int ext_nid, const char *value), (conf,      \
    ctx, ext_nid, value), NULL)                                                                      \
  X(void, X509V3_set_ctx,                                                                            \
    (X509V3_CTX *ctx, X509 *issuer, X509 *subject, X509_REQ *req, X509_CRL *crl, int flags), (ctx,   \
    issuer, subject, req, crl, flags), (void)0)

BIND(clb_load_crypto, "libcrypto.so.3")
