#include <stddef.h>
#include <stdint.h>

/// libFuzzer's loop, callable from a program with its own main.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*callback)(const uint8_t *data, size_t size));
