#include "CLibraries.h"
#include "Loading.h"

#define FUNCTIONS(X)                                                                                 \
  X(struct archive_entry *, archive_entry_clear, (struct archive_entry * e), (e), NULL)              \
  X(__LA_MODE_T, archive_entry_filetype, (struct archive_entry * e), (e), 0)                         \
  X(void, archive_entry_free, (struct archive_entry * e), (e), (void)0)                              \
  X(int, archive_entry_is_encrypted, (struct archive_entry * e), (e), 0)                             \
  X(struct archive_entry *, archive_entry_new, (void), (), NULL)                                     \
  X(const char *, archive_entry_pathname, (struct archive_entry * e), (e), NULL)                     \
  X(void, archive_entry_set_filetype, (struct archive_entry * e, unsigned type), (e, type), (void)0) \
  X(void, archive_entry_set_mtime, (struct archive_entry * e, time_t s, long ns), (e, s, ns), (void)0) \
  X(void, archive_entry_set_pathname, (struct archive_entry * e, const char *name), (e, name), (void)0) \
  X(void, archive_entry_set_perm, (struct archive_entry * e, __LA_MODE_T mode), (e, mode), (void)0)  \
  X(void, archive_entry_set_size, (struct archive_entry * e, la_int64_t size), (e, size), (void)0)   \
  X(la_int64_t, archive_entry_size, (struct archive_entry * e), (e), 0)                              \
  X(int, archive_entry_size_is_set, (struct archive_entry * e), (e), 0)                              \
  X(void, archive_entry_set_symlink, (struct archive_entry * e, const char *to), (e, to), (void)0)    \
  X(void, archive_entry_unset_size, (struct archive_entry * e), (e), (void)0)                        \
  X(const char *, archive_error_string, (struct archive * a), (a), NULL)                             \
  X(la_ssize_t, archive_read_data, (struct archive * a, void *to, size_t n), (a, to, n), ARCHIVE_FATAL) \
  X(int, archive_read_free, (struct archive * a), (a), ARCHIVE_FATAL)                                \
  X(struct archive *, archive_read_new, (void), (), NULL)                                            \
  X(int, archive_read_next_header, (struct archive * a, struct archive_entry * *e), (a, e), ARCHIVE_FATAL) \
  X(int, archive_read_open1, (struct archive * a), (a), ARCHIVE_FATAL)                               \
  X(int, archive_read_open_filename, (struct archive * a, const char *name, size_t block),           \
    (a, name, block), ARCHIVE_FATAL)                                                                 \
  X(int, archive_read_set_callback_data, (struct archive * a, void *data), (a, data), ARCHIVE_FATAL) \
  X(int, archive_read_set_read_callback, (struct archive * a, archive_read_callback * c), (a, c), ARCHIVE_FATAL) \
  X(int, archive_read_set_seek_callback, (struct archive * a, archive_seek_callback * c), (a, c), ARCHIVE_FATAL) \
  X(int, archive_read_set_skip_callback, (struct archive * a, archive_skip_callback * c), (a, c), ARCHIVE_FATAL) \
  X(int, archive_read_support_format_zip, (struct archive * a), (a), ARCHIVE_FATAL)                  \
  X(int, archive_read_support_format_zip_seekable, (struct archive * a), (a), ARCHIVE_FATAL)         \
  X(int, archive_read_support_format_raw, (struct archive * a), (a), ARCHIVE_FATAL)                 \
  X(int, archive_read_support_filter_gzip, (struct archive * a), (a), ARCHIVE_FATAL)                \
  X(int, archive_write_close, (struct archive * a), (a), ARCHIVE_FATAL)                              \
  X(la_ssize_t, archive_write_data, (struct archive * a, const void *from, size_t n), (a, from, n), ARCHIVE_FATAL) \
  X(int, archive_write_fail, (struct archive * a), (a), ARCHIVE_FATAL)                               \
  X(int, archive_write_finish_entry, (struct archive * a), (a), ARCHIVE_FATAL)                       \
  X(int, archive_write_free, (struct archive * a), (a), ARCHIVE_FATAL)                               \
  X(int, archive_write_header, (struct archive * a, struct archive_entry * e), (a, e), ARCHIVE_FATAL) \
  X(struct archive *, archive_write_new, (void), (), NULL)                                           \
  X(int, archive_write_open,                                                                         \
    (struct archive * a, void *data, archive_open_callback * open, archive_write_callback * write,   \
     archive_close_callback * close),                                                                \
    (a, data, open, write, close), ARCHIVE_FATAL)                                                    \
  X(int, archive_write_open_memory, (struct archive * a, void *to, size_t room, size_t *used),       \
    (a, to, room, used), ARCHIVE_FATAL)                                                              \
  X(int, archive_write_set_passphrase, (struct archive * a, const char *secret), (a, secret), ARCHIVE_FATAL) \
  X(int, archive_write_set_bytes_in_last_block, (struct archive * a, int n), (a, n), ARCHIVE_FATAL)  \
  X(int, archive_write_set_bytes_per_block, (struct archive * a, int n), (a, n), ARCHIVE_FATAL)      \
  X(int, archive_write_set_format_zip, (struct archive * a), (a), ARCHIVE_FATAL)                     \
  X(int, archive_write_set_options, (struct archive * a, const char *options), (a, options), ARCHIVE_FATAL) \
  X(int, archive_write_zip_set_compression_deflate, (struct archive * a), (a), ARCHIVE_FATAL)        \
  X(int, archive_write_zip_set_compression_store, (struct archive * a), (a), ARCHIVE_FATAL)

BIND(clb_load_archive, "libarchive.so.13")
