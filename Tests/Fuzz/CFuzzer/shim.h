#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own loop (compiler-rt, FuzzerInterface.h), which Tests/Fuzz/run links.
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*callback)(const uint8_t *bytes, size_t count));
