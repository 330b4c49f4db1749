#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/rand.h>
#include <string.h>

#include "CLibraries.h"
#include "crypto.h"

int crypto_is_there(void) { return clb_load_crypto(); }

int crypto_random(void *bytes, size_t size) {
  return size <= INT32_MAX && RAND_bytes(bytes, (int)size) == 1;
}

int crypto_is_equal(const void *left, const void *right, size_t size) {
  return CRYPTO_memcmp(left, right, size) == 0;
}

crypto_digest *crypto_digest_new(void) {
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  if (context && EVP_DigestInit_ex(context, EVP_sha256(), NULL) != 1) {
    EVP_MD_CTX_free(context);
    context = NULL;
  }
  return (crypto_digest *)context;
}

crypto_digest *crypto_digest_copy(const crypto_digest *digest) {
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  if (context && EVP_MD_CTX_copy_ex(context, (const EVP_MD_CTX *)digest) != 1) {
    EVP_MD_CTX_free(context);
    context = NULL;
  }
  return (crypto_digest *)context;
}

int crypto_digest_update(crypto_digest *digest, const void *bytes, size_t size) {
  return size == 0 || EVP_DigestUpdate((EVP_MD_CTX *)digest, bytes, size) == 1;
}

int crypto_digest_finish(crypto_digest *digest, uint8_t *sum) {
  return EVP_DigestFinal_ex((EVP_MD_CTX *)digest, sum, NULL) == 1;
}

void crypto_digest_free(crypto_digest *digest) { EVP_MD_CTX_free((EVP_MD_CTX *)digest); }

int crypto_hmac(
    const uint8_t *key, size_t key_size, const void *bytes, size_t size, uint8_t *code) {
  return key_size <= INT32_MAX && HMAC(EVP_sha256(), key, (int)key_size, bytes, size, code, NULL) != NULL;
}

int crypto_hkdf(
    const uint8_t *key, size_t key_size, const uint8_t *salt, size_t salt_size, const uint8_t *info,
    size_t info_size, uint8_t *derived, size_t derived_size) {
  if (key_size > INT32_MAX || salt_size > INT32_MAX || info_size > INT32_MAX) return 0;
  // Without a salt, HKDF uses as many zeros as the digest has bytes.
  const uint8_t zeros[CRYPTO_DIGEST_SIZE] = {0};
  if (salt_size == 0) {
    salt = zeros;
    salt_size = sizeof zeros;
  }
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, NULL);
  int is_good = context && EVP_PKEY_derive_init(context) == 1 &&
      EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1 &&
      EVP_PKEY_CTX_set1_hkdf_salt(context, salt, (int)salt_size) == 1 &&
      EVP_PKEY_CTX_set1_hkdf_key(context, key, (int)key_size) == 1 &&
      EVP_PKEY_CTX_add1_hkdf_info(context, info, (int)info_size) == 1 &&
      EVP_PKEY_derive(context, derived, &derived_size) == 1;
  EVP_PKEY_CTX_free(context);
  return is_good;
}

int crypto_scrypt(
    const uint8_t *passphrase, size_t passphrase_size, const uint8_t *salt, size_t salt_size,
    uint64_t rounds, uint8_t *derived, size_t derived_size) {
  const uint64_t block_size = 8;
  if (rounds > UINT64_MAX / (256 * block_size)) return 0;
  // The library refuses more than 32 MiB unless a limit is given; it needs slightly more than the
  // block memory.
  const uint64_t memory = 128 * block_size * (rounds + 4);
  return EVP_PBE_scrypt(
             (const char *)passphrase, passphrase_size, salt, salt_size, rounds, block_size, 1,
             memory, derived, derived_size) == 1;
}
