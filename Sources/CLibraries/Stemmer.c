#include "CLibraries.h"
#include "Loading.h"

#define FUNCTIONS(X)                                                                                 \
  X(void, sb_stemmer_delete, (struct sb_stemmer * s), (s), (void)0)                                  \
  X(int, sb_stemmer_length, (struct sb_stemmer * s), (s), 0)                                         \
  X(struct sb_stemmer *, sb_stemmer_new, (const char *language, const char *encoding),               \
    (language, encoding), NULL)                                                                      \
  X(const sb_symbol *, sb_stemmer_stem, (struct sb_stemmer * s, const sb_symbol *word, int size),    \
    (s, word, size), NULL)

BIND(clb_load_stemmer, "libstemmer.so.0d")
