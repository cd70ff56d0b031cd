#include <stddef.h>

/// A language's file as part of the program. Swift takes minutes to compile as much text, C a moment.
struct language_file {
    const unsigned char *bytes;
    size_t count;
};

/// The file at an index, in the order in which languages are offered; one without bytes follows the last.
struct language_file language_file_at(size_t index);
