#include "CTexts.h"

// The compiler knows `#embed` in every C, and would say that it belongs to C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char german[] = {
#embed "../ArkivedCore/Resources/de.po"
};

static const unsigned char kept[] = {
#embed "../ArkivedCore/Resources/kept.txt"
};

static const unsigned char questions[] = {
#embed "../ArkivedAssistant/Resources/questions.txt"
};

struct ctx_text ctx_german(void) { return (struct ctx_text){german, sizeof german}; }
struct ctx_text ctx_kept(void) { return (struct ctx_text){kept, sizeof kept}; }
struct ctx_text ctx_questions(void) { return (struct ctx_text){questions, sizeof questions}; }
