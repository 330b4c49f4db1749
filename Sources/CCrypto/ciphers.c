#include <openssl/evp.h>
#include <string.h>

#include "crypto.h"

int crypto_seal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *plain, size_t size, uint8_t *sealed) {
  if (size > INT32_MAX) return 0;
  int written = 0;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int is_good = context &&
      EVP_EncryptInit_ex(context, EVP_chacha20_poly1305(), NULL, key, nonce) == 1 &&
      EVP_EncryptUpdate(context, sealed, &written, plain, (int)size) == 1 &&
      EVP_EncryptFinal_ex(context, sealed + written, &written) == 1 &&
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CRYPTO_TAG_SIZE, sealed + size) == 1;
  EVP_CIPHER_CTX_free(context);
  return is_good;
}

int crypto_open(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *sealed, size_t size, uint8_t *plain) {
  if (size > INT32_MAX || size < CRYPTO_TAG_SIZE) return 0;
  size -= CRYPTO_TAG_SIZE;
  int written = 0;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int is_good = context &&
      EVP_DecryptInit_ex(context, EVP_chacha20_poly1305(), NULL, key, nonce) == 1 &&
      EVP_CIPHER_CTX_ctrl(
          context, EVP_CTRL_AEAD_SET_TAG, CRYPTO_TAG_SIZE, (void *)(sealed + size)) == 1 &&
      EVP_DecryptUpdate(context, plain, &written, sealed, (int)size) == 1 &&
      EVP_DecryptFinal_ex(context, plain + written, &written) == 1;
  EVP_CIPHER_CTX_free(context);
  return is_good;
}

int crypto_x25519_public(const uint8_t *secret, uint8_t *point) {
  size_t size = CRYPTO_KEY_SIZE;
  EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, secret, size);
  int is_good = key && EVP_PKEY_get_raw_public_key(key, point, &size) == 1;
  EVP_PKEY_free(key);
  return is_good;
}

int crypto_x25519_shared(const uint8_t *secret, const uint8_t *point, uint8_t *shared) {
  size_t size = CRYPTO_KEY_SIZE;
  EVP_PKEY *own = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, secret, size);
  EVP_PKEY *other = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, point, size);
  EVP_PKEY_CTX *context = own ? EVP_PKEY_CTX_new(own, NULL) : NULL;
  int is_good = other && context && EVP_PKEY_derive_init(context) == 1 &&
      EVP_PKEY_derive_set_peer(context, other) == 1 &&
      EVP_PKEY_derive(context, shared, &size) == 1;
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_free(own);
  EVP_PKEY_free(other);
  // Not every version of the library refuses zero itself.
  uint8_t all = 0;
  for (size_t place = 0; is_good && place < CRYPTO_KEY_SIZE; place++) all |= shared[place];
  return is_good && all != 0;
}

int crypto_ed25519_public(const uint8_t *secret, uint8_t *point) {
  size_t size = CRYPTO_KEY_SIZE;
  EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, secret, size);
  int is_good = key && EVP_PKEY_get_raw_public_key(key, point, &size) == 1;
  EVP_PKEY_free(key);
  return is_good;
}

int crypto_ed25519_sign(
    const uint8_t *secret, const uint8_t *bytes, size_t size, uint8_t *signature) {
  size_t count = CRYPTO_SIGNATURE_SIZE;
  EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, secret, CRYPTO_KEY_SIZE);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  int is_good = key && context && EVP_DigestSignInit(context, NULL, NULL, NULL, key) == 1 &&
      EVP_DigestSign(context, signature, &count, bytes, size) == 1 &&
      count == CRYPTO_SIGNATURE_SIZE;
  EVP_MD_CTX_free(context);
  EVP_PKEY_free(key);
  return is_good;
}

int crypto_ed25519_verify(
    const uint8_t *point, const uint8_t *bytes, size_t size, const uint8_t *signature) {
  EVP_PKEY *key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, point, CRYPTO_KEY_SIZE);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  int is_good = key && context && EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) == 1 &&
      EVP_DigestVerify(context, signature, CRYPTO_SIGNATURE_SIZE, bytes, size) == 1;
  EVP_MD_CTX_free(context);
  EVP_PKEY_free(key);
  return is_good;
}
