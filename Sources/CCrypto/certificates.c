#include <openssl/bn.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crypto.h"

struct crypto_certificate {
  X509 *certificate;
  EVP_PKEY *key;
};

void crypto_certificate_free(crypto_certificate *certificate) {
  if (!certificate) return;
  X509_free(certificate->certificate);
  EVP_PKEY_free(certificate->key);
  free(certificate);
}

static crypto_certificate *allocated(void) { return calloc(1, sizeof(crypto_certificate)); }

// MARK: Making

static int set_serial(X509 *certificate) {
  BIGNUM *number = BN_new();
  // At most twenty bytes, without a sign (RFC 5280, 4.1.2.2).
  int is_good = number && BN_rand(number, 159, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1 &&
      BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != NULL;
  BN_free(number);
  return is_good;
}

static int set_time(
    X509 *certificate, int64_t seconds, int (*set)(X509 *, const ASN1_TIME *)) {
  ASN1_TIME *time = ASN1_TIME_adj(NULL, (time_t)seconds, 0, 0);
  int is_good = time && set(certificate, time) == 1;
  ASN1_TIME_free(time);
  return is_good;
}

static int add_extension(X509 *certificate, X509 *issuer, int nid, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
  int is_good = extension && X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return is_good;
}

static EVP_PKEY *new_key(void) {
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, NULL);
  // The key is NULL if any step fails.
  if (context && EVP_PKEY_keygen_init(context) == 1 &&
      EVP_PKEY_CTX_set_group_name(context, "P-256") == 1)
    EVP_PKEY_generate(context, &key);
  EVP_PKEY_CTX_free(context);
  return key;
}

/// A new key and an unsigned certificate for it, without extensions.
static crypto_certificate *blank(
    const char *organization, const char *name, int64_t begin, int64_t end) {
  crypto_certificate *made = allocated();
  if (!made) return NULL;
  made->key = new_key();
  made->certificate = X509_new();
  X509 *it = made->certificate;
  X509_NAME *subject = it ? X509_get_subject_name(it) : NULL;
  int is_good = made->key && subject && X509_set_version(it, 2) == 1 && set_serial(it) &&
      set_time(it, begin, X509_set1_notBefore) && set_time(it, end, X509_set1_notAfter) &&
      X509_set_pubkey(it, made->key) == 1 &&
      X509_NAME_add_entry_by_NID(
          subject, NID_organizationName, MBSTRING_UTF8, (const unsigned char *)organization, -1, -1,
          0) == 1 &&
      X509_NAME_add_entry_by_NID(
          subject, NID_commonName, MBSTRING_UTF8, (const unsigned char *)name, -1, -1, 0) == 1;
  if (is_good) return made;
  crypto_certificate_free(made);
  return NULL;
}

crypto_certificate *crypto_certificate_authority(
    const char *organization, const char *name, int64_t begin, int64_t end) {
  crypto_certificate *made = blank(organization, name, begin, end);
  if (!made) return NULL;
  X509 *it = made->certificate;
  // Anyone who steals the key can't impersonate a site with a name. Addresses are not constrained:
  // BoringSSL, which many apps include, rejects a certificate with address constraints.
  int is_good = X509_set_issuer_name(it, X509_get_subject_name(it)) == 1 &&
      add_extension(it, it, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
      add_extension(it, it, NID_key_usage, "critical,keyCertSign") &&
      add_extension(it, it, NID_name_constraints, "critical,permitted;DNS:local") &&
      add_extension(it, it, NID_subject_key_identifier, "hash") &&
      X509_sign(it, made->key, EVP_sha256()) > 0;
  if (is_good) return made;
  crypto_certificate_free(made);
  return NULL;
}

/// Adds a name, which takes ownership of the string.
static int add_name(GENERAL_NAMES *names, int type, ASN1_STRING *string) {
  GENERAL_NAME *name = GENERAL_NAME_new();
  if (!name || !string) {
    GENERAL_NAME_free(name);
    ASN1_STRING_free(string);
    return 0;
  }
  GENERAL_NAME_set0_value(name, type, string);
  if (sk_GENERAL_NAME_push(names, name) > 0) return 1;
  GENERAL_NAME_free(name);
  return 0;
}

static ASN1_STRING *string_of(int type, const void *bytes, size_t size) {
  ASN1_STRING *string = ASN1_STRING_type_new(type);
  if (string && ASN1_STRING_set(string, bytes, (int)size) == 1) return string;
  ASN1_STRING_free(string);
  return NULL;
}

static GENERAL_NAMES *names_of(const uint8_t *address, size_t address_size, const char *host) {
  GENERAL_NAMES *names = GENERAL_NAMES_new();
  if (names &&
      add_name(names, GEN_IPADD, string_of(V_ASN1_OCTET_STRING, address, address_size)) &&
      (!host || add_name(names, GEN_DNS, string_of(V_ASN1_IA5STRING, host, strlen(host)))))
    return names;
  GENERAL_NAMES_free(names);
  return NULL;
}

crypto_certificate *crypto_certificate_server(
    const crypto_certificate *authority, const char *organization, const char *name,
    const uint8_t *address, size_t address_size, const char *host, int64_t begin, int64_t end) {
  crypto_certificate *made = blank(organization, name, begin, end);
  if (!made) return NULL;
  X509 *it = made->certificate;
  X509 *issuer = authority->certificate;
  GENERAL_NAMES *names = names_of(address, address_size, host);
  int is_good = names && X509_set_issuer_name(it, X509_get_subject_name(issuer)) == 1 &&
      add_extension(it, issuer, NID_basic_constraints, "critical,CA:FALSE") &&
      add_extension(it, issuer, NID_key_usage, "critical,digitalSignature") &&
      add_extension(it, issuer, NID_ext_key_usage, "serverAuth") &&
      X509_add1_ext_i2d(it, NID_subject_alt_name, names, 0, X509V3_ADD_DEFAULT) == 1 &&
      add_extension(it, issuer, NID_subject_key_identifier, "hash") &&
      add_extension(it, issuer, NID_authority_key_identifier, "keyid:always") &&
      X509_sign(it, authority->key, EVP_sha256()) > 0;
  GENERAL_NAMES_free(names);
  if (is_good) return made;
  crypto_certificate_free(made);
  return NULL;
}

// MARK: Reading

/// Never asks for a passphrase.
static int no_passphrase(char *buffer, int size, int is_written, void *data) { return 0; }

crypto_certificate *crypto_certificate_read(const char *pem, size_t size) {
  if (size > INT32_MAX) return NULL;
  crypto_certificate *found = allocated();
  BIO *first = BIO_new_mem_buf(pem, (int)size);
  BIO *second = BIO_new_mem_buf(pem, (int)size);
  if (found && first && second) {
    found->certificate = PEM_read_bio_X509(first, NULL, no_passphrase, NULL);
    found->key = PEM_read_bio_PrivateKey(second, NULL, no_passphrase, NULL);
  }
  BIO_free(first);
  BIO_free(second);
  if (found && found->certificate && found->key &&
      X509_check_private_key(found->certificate, found->key) == 1)
    return found;
  crypto_certificate_free(found);
  return NULL;
}

static int64_t seconds_of(const ASN1_TIME *time) {
  struct tm parts;
  return ASN1_TIME_to_tm(time, &parts) == 1 ? (int64_t)timegm(&parts) : 0;
}

int64_t crypto_certificate_begin(const crypto_certificate *certificate) {
  return seconds_of(X509_get0_notBefore(certificate->certificate));
}

int64_t crypto_certificate_end(const crypto_certificate *certificate) {
  return seconds_of(X509_get0_notAfter(certificate->certificate));
}

int crypto_certificate_is_for(
    const crypto_certificate *certificate, const uint8_t *address, size_t address_size,
    const char *host) {
  GENERAL_NAMES *found = X509_get_ext_d2i(certificate->certificate, NID_subject_alt_name, NULL, NULL);
  GENERAL_NAMES *wanted = names_of(address, address_size, host);
  int count = found ? sk_GENERAL_NAME_num(found) : -1;
  int is_same = wanted && count == sk_GENERAL_NAME_num(wanted);
  for (int place = 0; is_same && place < count; place++)
    is_same = GENERAL_NAME_cmp(
                  sk_GENERAL_NAME_value(found, place), sk_GENERAL_NAME_value(wanted, place)) == 0;
  GENERAL_NAMES_free(found);
  GENERAL_NAMES_free(wanted);
  return is_same;
}

int crypto_certificate_is_by(
    const crypto_certificate *certificate, const crypto_certificate *authority) {
  return X509_NAME_cmp(
             X509_get_issuer_name(certificate->certificate),
             X509_get_subject_name(authority->certificate)) == 0 &&
      X509_verify(certificate->certificate, authority->key) == 1;
}

// MARK: Writing

uint8_t *crypto_certificate_bytes(
    const crypto_certificate *certificate, crypto_form form, size_t *size) {
  BIO *output = BIO_new(BIO_s_mem());
  if (!output) return NULL;
  int is_good = 0;
  switch (form) {
    case CRYPTO_CERTIFICATE_DER:
      is_good = i2d_X509_bio(output, certificate->certificate) == 1;
      break;
    case CRYPTO_CERTIFICATE_PEM:
      is_good = PEM_write_bio_X509(output, certificate->certificate) == 1;
      break;
    case CRYPTO_KEY_PEM:
      is_good =
          PEM_write_bio_PKCS8PrivateKey(output, certificate->key, NULL, NULL, 0, NULL, NULL) == 1;
      break;
    case CRYPTO_CERTIFICATE_TEXT:
      is_good = X509_print(output, certificate->certificate) == 1;
      break;
  }
  uint8_t *bytes = NULL;
  char *content = NULL;
  long count = BIO_get_mem_data(output, &content);
  if (is_good && count > 0 && (bytes = malloc((size_t)count))) {
    memcpy(bytes, content, (size_t)count);
    *size = (size_t)count;
  }
  BIO_free(output);
  return bytes;
}
