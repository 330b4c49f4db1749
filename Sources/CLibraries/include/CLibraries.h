/// Libraries that most commands don't need. On Linux, they are loaded when one of their functions
/// is first called, because loading them at every start would take longer than most commands:
/// libarchive and libical load ICU, and libcrypto and libstemmer have 32,000 addresses to adjust.
/// The functions have their usual names.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <libical/ical.h>
#include <libstemmer.h>
#include <stdbool.h>

/// Loads libarchive, once. Where it can't be loaded, its functions return NULL or ARCHIVE_FATAL.
/// Returns: whether it is there.
bool clb_load_archive(void);

/// Loads libical, once. Where it can't be loaded, its functions return NULL or zero.
/// Returns: whether it is there.
bool clb_load_ical(void);

/// Loads OpenSSL's libcrypto, once. Where it can't be loaded, its functions return NULL or zero, and nothing is
/// equal to anything.
/// Returns: whether it is there.
bool clb_load_crypto(void);

/// Loads libstemmer, once. Where it can't be loaded, there is no stemmer for any language.
/// Returns: whether it is there.
bool clb_load_stemmer(void);
