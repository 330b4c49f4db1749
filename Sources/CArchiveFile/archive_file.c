#include "archive_file.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char archive_name[] = "/archive.sqlite";
static const char log_name[] = "/archive.sqlite-wal";

static sqlite3_vfs *system_vfs;
static sqlite3_vfs guard_vfs;
static pthread_once_t guard_once = PTHREAD_ONCE_INIT;
static int guard_result = SQLITE_OK;

// The databases that this process has opened, usually a handful, one per archive.
typedef struct opened {
  struct opened *next;
  dev_t device;
  ino_t number;
  char path[];
} opened;

static opened *all_opened;
static pthread_mutex_t opened_lock = PTHREAD_MUTEX_INITIALIZER;

static int ends_with(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static void remember(const char *path) {
  struct stat about;
  if (stat(path, &about) != 0) return;
  pthread_mutex_lock(&opened_lock);
  opened *entry = all_opened;
  while (entry != NULL && strcmp(entry->path, path) != 0) entry = entry->next;
  if (entry == NULL) {
    size_t size = strlen(path) + 1;
    entry = malloc(sizeof(opened) + size);
    if (entry != NULL) {
      memcpy(entry->path, path, size);
      entry->next = all_opened;
      all_opened = entry;
    }
  }
  if (entry != NULL) {
    entry->device = about.st_dev;
    entry->number = about.st_ino;
  }
  pthread_mutex_unlock(&opened_lock);
}

// Returns true if the database that was opened under a name still has that name and isn't empty.
static int is_in_place(const char *path) {
  struct stat about;
  if (stat(path, &about) != 0 || about.st_size == 0) return 0;
  int result = 1;
  pthread_mutex_lock(&opened_lock);
  for (opened *entry = all_opened; entry != NULL; entry = entry->next) {
    if (strcmp(entry->path, path) != 0) continue;
    result = entry->device == about.st_dev && entry->number == about.st_ino;
    break;
  }
  pthread_mutex_unlock(&opened_lock);
  return result;
}

static int guarded_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  (void)vfs;
  int is_archive =
      name != NULL && (flags & SQLITE_OPEN_MAIN_DB) != 0 && ends_with(name, archive_name);
  if (is_archive) flags &= ~SQLITE_OPEN_CREATE;
  int result = system_vfs->xOpen(system_vfs, name, file, flags, out_flags);
  if (result == SQLITE_OK && is_archive) remember(name);
  return result;
}

static int guarded_delete(sqlite3_vfs *vfs, const char *name, int sync_folder) {
  (void)vfs;
  if (ends_with(name, log_name)) {
    size_t length = strlen(name) - strlen("-wal");
    char *database = malloc(length + 1);
    if (database == NULL) return SQLITE_NOMEM;
    memcpy(database, name, length);
    database[length] = '\0';
    int is_there = is_in_place(database);
    free(database);
    if (!is_there) return SQLITE_OK;
  }
  return system_vfs->xDelete(system_vfs, name, sync_folder);
}

static void install(void) {
  system_vfs = sqlite3_vfs_find(NULL);
  if (system_vfs == NULL) {
    guard_result = SQLITE_ERROR;
    return;
  }
  guard_vfs = *system_vfs;
  guard_vfs.pNext = NULL;
  guard_vfs.zName = "archive-file";
  guard_vfs.xOpen = guarded_open;
  guard_vfs.xDelete = guarded_delete;
  guard_result = sqlite3_vfs_register(&guard_vfs, 1);
}

int archive_file_guard(void) {
  pthread_once(&guard_once, install);
  return guard_result;
}

struct archive_file_connection {
  sqlite3 *database;
  char log[];
};

int archive_file_open(const char *path, archive_file_connection **out) {
  size_t length = strlen(path);
  *out = malloc(sizeof(archive_file_connection) + length + sizeof("-wal"));
  if (*out == NULL) return SQLITE_NOMEM;
  (*out)->database = NULL;
  memcpy((*out)->log, path, length);
  memcpy((*out)->log + length, "-wal", sizeof("-wal"));
  int result =
      sqlite3_open_v2(path, &(*out)->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (result != SQLITE_OK) return result;
  sqlite3 *database = (*out)->database;
  sqlite3_extended_result_codes(database, 1);
  sqlite3_busy_timeout(database, 15000);
  sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  return sqlite3_exec(database, "PRAGMA query_only = 1; PRAGMA schema_version", NULL, NULL, NULL);
}

int archive_file_check(archive_file_connection *connection, int limit, char **out) {
  *out = NULL;
  char question[64];
  sqlite3_snprintf(sizeof(question), question, "PRAGMA integrity_check(%d)", limit);
  sqlite3_stmt *statement = NULL;
  int result = sqlite3_prepare_v2(connection->database, question, -1, &statement, NULL);
  size_t length = 0;
  char *lines = calloc(1, 1);
  if (lines == NULL) result = SQLITE_NOMEM;
  while (result == SQLITE_OK || result == SQLITE_ROW) {
    result = sqlite3_step(statement);
    if (result != SQLITE_ROW) break;
    const unsigned char *line = sqlite3_column_text(statement, 0);
    size_t size = (size_t)sqlite3_column_bytes(statement, 0);
    char *longer = line == NULL ? NULL : realloc(lines, length + size + 2);
    if (longer == NULL) {
      result = SQLITE_NOMEM;
      break;
    }
    lines = longer;
    memcpy(lines + length, line, size);
    memcpy(lines + length + size, "\n", 2);
    length += size + 1;
  }
  sqlite3_finalize(statement);
  if (result != SQLITE_DONE) {
    free(lines);
    return result;
  }
  *out = lines;
  return SQLITE_OK;
}

void archive_file_close(archive_file_connection *connection) {
  if (connection == NULL) return;
  struct stat about;
  // An empty log created by this connection is removed; one with frames is kept.
  if (connection->database != NULL && stat(connection->log, &about) == 0 && about.st_size == 0) {
    sqlite3_db_config(connection->database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
  }
  sqlite3_close_v2(connection->database);
  free(connection);
}
