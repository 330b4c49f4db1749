#include <sqlite3.h>

// Functions with variable arguments, which Swift can't call.

static inline int sqlite3_turn_off_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static inline int sqlite3_turn_on_uris(void) { return sqlite3_config(SQLITE_CONFIG_URI, 1); }

static inline int sqlite3_keep_log_on_close(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
