// What SQLite may do to the files of an archive: a layer over its own access to the system's files
// (https://sqlite.org/vfs.html), which keeps a missing database from being taken for a new one.
#ifndef ARCHIVE_FILE_H
#define ARCHIVE_FILE_H

typedef struct archive_file_connection archive_file_connection;

// Makes the layer SQLite's default for this process; does nothing the second time. Returns SQLite's
// result code.
//
// A database named archive.sqlite is never created by opening it, and its write-ahead log is not
// removed unless the database that this process opened is there under its name and holds something.
int archive_file_guard(void);

// Opens a database for reading and writing without creating it, reads its first page, which makes the
// log and its index ready for others, and keeps both there. Returns SQLite's result code; *out is
// closed with archive_file_close also when this fails, and may be null.
int archive_file_open(const char *path, archive_file_connection **out);

// Runs SQLite's integrity check, which tests CHECK constraints only over a connection that may write.
// Returns SQLite's result code; *out holds at most limit lines, each with a newline at its end, and is
// released with free.
int archive_file_check(archive_file_connection *connection, int limit, char **out);

// Closes it. Frames that are still in the log are left there for the next writer.
void archive_file_close(archive_file_connection *connection);

#endif
