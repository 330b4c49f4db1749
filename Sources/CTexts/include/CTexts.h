#ifndef CTEXTS_H
#define CTEXTS_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/// The bytes of a file that is part of the program. They live as long as it does.
struct ctx_text {
  const unsigned char *bytes;
  size_t count;
};

/// `ArkivedCore/Resources/de.po`: the German texts.
struct ctx_text ctx_german(void);

/// `ArkivedCore/Resources/kept.txt`: the forms of sentences that are kept in English.
struct ctx_text ctx_kept(void);

/// `ArkivedCore/Resources/lines.txt`: what words do in lines of quick add.
struct ctx_text ctx_lines(void);

/// `ArkivedCore/Resources/names.txt`: first names, sorted by bytes.
struct ctx_text ctx_names(void);

/// `ArkivedAssistant/Resources/questions.txt`: what words do in questions.
struct ctx_text ctx_questions(void);

/// `ArkivedAssistant/Resources/reader.bin`: the weights of the taught reader of questions.
struct ctx_text ctx_reader(void);

/// `ArkivedAssistant/Resources/reader.txt`: the words that it knows beside them.
struct ctx_text ctx_reader_words(void);

/// `ArkivedAssistant/Resources/words.bin`: vectors of words.
struct ctx_text ctx_word_vectors(void);

#pragma clang assume_nonnull end

#endif
