#include "CTexts.h"

// The compiler supports `#embed` in every C standard, but would warn that it belongs to C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char german[] = {
#embed "../ArkivedCore/Resources/de.po"
};

static const unsigned char kept[] = {
#embed "../ArkivedCore/Resources/kept.txt"
};

static const unsigned char lines[] = {
#embed "../ArkivedCore/Resources/lines.txt"
};

static const unsigned char names[] = {
#embed "../ArkivedCore/Resources/names.txt"
};

static const unsigned char questions[] = {
#embed "../ArkivedAssistant/Resources/questions.txt"
};

static const unsigned char reader[] = {
#embed "../ArkivedAssistant/Resources/reader.bin"
};

static const unsigned char reader_words[] = {
#embed "../ArkivedAssistant/Resources/reader.txt"
};

static const unsigned char word_vectors[] = {
#embed "../ArkivedAssistant/Resources/words.bin"
};

struct ctx_text ctx_german(void) { return (struct ctx_text){german, sizeof german}; }
struct ctx_text ctx_kept(void) { return (struct ctx_text){kept, sizeof kept}; }
struct ctx_text ctx_lines(void) { return (struct ctx_text){lines, sizeof lines}; }
struct ctx_text ctx_names(void) { return (struct ctx_text){names, sizeof names}; }
struct ctx_text ctx_questions(void) { return (struct ctx_text){questions, sizeof questions}; }
struct ctx_text ctx_reader(void) { return (struct ctx_text){reader, sizeof reader}; }
struct ctx_text ctx_reader_words(void) { return (struct ctx_text){reader_words, sizeof reader_words}; }
struct ctx_text ctx_word_vectors(void) { return (struct ctx_text){word_vectors, sizeof word_vectors}; }
