// Arkived's interface to OpenSSL's libcrypto: digests, age's keys and ciphers, and the phone's
// certificates. Functions that can fail return 1 on success and 0 on failure.
#ifndef ARKIVED_CRYPTO_H
#define ARKIVED_CRYPTO_H

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

enum {
  CRYPTO_DIGEST_SIZE = 32,
  CRYPTO_KEY_SIZE = 32,
  CRYPTO_NONCE_SIZE = 12,
  CRYPTO_TAG_SIZE = 16,
  CRYPTO_SIGNATURE_SIZE = 64,
};

/// Returns 1 if libcrypto could be loaded.
int crypto_is_there(void);
int crypto_random(void *bytes, size_t size);
/// Compares in constant time, which doesn't reveal where the data differs.
int crypto_is_equal(const void *left, const void *right, size_t size);

// SHA-256 (FIPS 180-4), incremental.
typedef struct crypto_digest crypto_digest;
crypto_digest *_Nullable crypto_digest_new(void);
crypto_digest *_Nullable crypto_digest_copy(const crypto_digest *digest);
int crypto_digest_update(crypto_digest *digest, const void *_Nullable bytes, size_t size);
int crypto_digest_finish(crypto_digest *digest, uint8_t *sum);
void crypto_digest_free(crypto_digest *_Nullable digest);

/// HMAC-SHA-256 (RFC 2104).
int crypto_hmac(
    const uint8_t *key, size_t key_size, const void *bytes, size_t size, uint8_t *code);
/// HKDF with SHA-256 (RFC 5869).
int crypto_hkdf(
    const uint8_t *key, size_t key_size, const uint8_t *salt, size_t salt_size, const uint8_t *info,
    size_t info_size, uint8_t *derived, size_t derived_size);
/// scrypt (RFC 7914) with a block size of 8 and no parallelism; needs a kibibyte of memory per
/// round.
int crypto_scrypt(
    const uint8_t *passphrase, size_t passphrase_size, const uint8_t *salt, size_t salt_size,
    uint64_t rounds, uint8_t *derived, size_t derived_size);

/// ChaCha20-Poly1305 (RFC 8439): writes `size` bytes and the tag.
int crypto_seal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *plain, size_t size, uint8_t *sealed);
/// Writes `size` bytes without the tag; 0 if anything was altered.
int crypto_open(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *sealed, size_t size, uint8_t *plain);

// X25519 (RFC 7748); keys have 32 bytes.
int crypto_x25519_public(const uint8_t *secret, uint8_t *point);
/// Also returns 0 if the shared secret is zero, as for a point of low order.
int crypto_x25519_shared(const uint8_t *secret, const uint8_t *point, uint8_t *shared);

// Ed25519 (RFC 8032); keys have 32 bytes, signatures 64.
int crypto_ed25519_public(const uint8_t *secret, uint8_t *point);
int crypto_ed25519_sign(
    const uint8_t *secret, const uint8_t *bytes, size_t size, uint8_t *signature);
int crypto_ed25519_verify(
    const uint8_t *point, const uint8_t *bytes, size_t size, const uint8_t *signature);

// A certificate (RFC 5280) and its key on P-256. Times are seconds since 1970.
typedef struct crypto_certificate crypto_certificate;
/// A self-signed authority that can certify only names that end in ".local".
crypto_certificate *_Nullable crypto_certificate_authority(
    const char *organization, const char *name, int64_t begin, int64_t end);
/// A server certificate for an address of 4 or 16 bytes, and optionally a host name.
crypto_certificate *_Nullable crypto_certificate_server(
    const crypto_certificate *authority, const char *organization, const char *name,
    const uint8_t *address, size_t address_size, const char *_Nullable host, int64_t begin,
    int64_t end);
/// Reads both from PEM; NULL if one is missing or they don't belong together.
crypto_certificate *_Nullable crypto_certificate_read(const char *pem, size_t size);
int64_t crypto_certificate_begin(const crypto_certificate *certificate);
int64_t crypto_certificate_end(const crypto_certificate *certificate);
/// Returns 1 if it is for exactly this address and host name.
int crypto_certificate_is_for(
    const crypto_certificate *certificate, const uint8_t *address, size_t address_size,
    const char *_Nullable host);
int crypto_certificate_is_by(
    const crypto_certificate *certificate, const crypto_certificate *authority);

typedef enum {
  CRYPTO_CERTIFICATE_DER,
  CRYPTO_CERTIFICATE_PEM,
  CRYPTO_KEY_PEM,
  /// A description for people.
  CRYPTO_CERTIFICATE_TEXT,
} crypto_form;
/// Returns bytes to be freed with `free`; NULL if it can't be encoded.
uint8_t *_Nullable crypto_certificate_bytes(
    const crypto_certificate *certificate, crypto_form form, size_t *size);
void crypto_certificate_free(crypto_certificate *_Nullable certificate);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
