#ifndef CTEXTS_H
#define CTEXTS_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/// The bytes of a file embedded in the program, valid for its lifetime.
struct ctx_text {
  const unsigned char *bytes;
  size_t count;
};

/// `ArkivedCore/Resources/de.po`: the German texts.
struct ctx_text ctx_german(void);

/// `ArkivedCore/Resources/kept.txt`: the patterns of sentences stored in English.
struct ctx_text ctx_kept(void);

/// `ArkivedCore/Resources/lines.txt`: the roles of words in quick-add lines.
struct ctx_text ctx_lines(void);

/// `ArkivedCore/Resources/names.txt`: first names, sorted by bytes.
struct ctx_text ctx_names(void);

/// `ArkivedAssistant/Resources/questions.txt`: the roles of words in questions.
struct ctx_text ctx_questions(void);

/// `ArkivedAssistant/Resources/reader.bin`: the weights of the trained reader of questions.
struct ctx_text ctx_reader(void);

/// `ArkivedAssistant/Resources/reader.txt`: its additional vocabulary.
struct ctx_text ctx_reader_words(void);

/// `ArkivedAssistant/Resources/words.bin`: vectors of words.
struct ctx_text ctx_word_vectors(void);

#pragma clang assume_nonnull end

#endif
