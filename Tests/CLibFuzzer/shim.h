#include <stddef.h>
#include <stdint.h>

/// libFuzzer's loop, without a main of its own.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*callback)(const uint8_t *data, size_t size));
