// A layer over SQLite's access to the system's files (https://sqlite.org/vfs.html) that restricts
// what SQLite may do with an archive's files. It keeps a missing database from being taken for a
// new one.
#ifndef ARCHIVE_FILE_H
#define ARCHIVE_FILE_H

typedef struct archive_file_connection archive_file_connection;

// Makes the layer SQLite's default for this process; does nothing the second time. Returns SQLite's
// result code.
//
// A database named archive.sqlite is never created by opening it, and its write-ahead log is
// removed only if the database that this process opened still exists under its name and isn't
// empty.
int archive_file_guard(void);

// Opens a database for reading and writing without creating it, and reads its first page, which
// makes the log and its index available to others, and keeps both in place. Returns SQLite's result
// code; *out must be closed with archive_file_close even if this fails, and may be null.
int archive_file_open(const char *path, archive_file_connection **out);

// Runs SQLite's integrity check, which tests CHECK constraints only over a connection that may
// write. Returns SQLite's result code; *out contains at most limit lines, each terminated by a
// newline, and is released with free.
int archive_file_check(archive_file_connection *connection, int limit, char **out);

// Closes it. Frames that are still in the log are left for the next writer.
void archive_file_close(archive_file_connection *connection);

#endif
