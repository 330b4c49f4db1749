#include <sqlite3.h>

// sqlite3_config takes variable arguments, which Swift cannot pass.
static inline int sqlite3_turn_off_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
