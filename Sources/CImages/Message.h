#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdint.h>

/// The heads of what goes over the socket, between two processes of one program on one machine.
struct question {
  uint32_t request, box;
  uint64_t count;
};

struct answer {
  uint32_t status, width, height, unused;
  uint64_t count;
};

/// A larger file is no picture that a person looks at.
#define QUESTION_LIMIT ((uint64_t)512 << 20)

/// Takes away what a reader of pictures needs no more: the network, other programs, and changing
/// files. What the system cannot take away stays; the limits of `limit_reader` hold everywhere.
void confine_reader(void);

/// Limits memory, open files and what may be written; before libvips is loaded.
void limit_reader(void);

/// The same for a reader of files, which may write what it unpacks.
void limit_files(void);

/// Takes away what a reader of files needs no more: the network, other processes, and changing files
/// outside of a folder. The calling thread and those that it starts are held to it.
void confine_files(const char *folder);

/// Allows so many further seconds of the processor.
void allow_seconds(unsigned seconds);

#endif
