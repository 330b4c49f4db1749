/// libarchive and libical. On Linux they are loaded when the first archive or calendar is read: they bring ICU
/// along, and loading them at every start would take a third of it. The functions have their usual names.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <libical/ical.h>
#include <stdbool.h>

/// Loads libarchive, once. Where it can't be loaded, its functions return NULL or ARCHIVE_FATAL.
/// Returns: whether it is there.
bool clb_load_archive(void);

/// Loads libical, once. Where it can't be loaded, its functions return NULL or zero.
/// Returns: whether it is there.
bool clb_load_ical(void);
