#include <stddef.h>

/// A file of the schema as part of the program. Swift takes minutes to compile as much text, C a moment.
struct schema_file {
    /// The path below `Shared/Store/Schema`, without `.sql`.
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

/// The file at an index; one without a name follows the last.
struct schema_file schema_file_at(size_t index);
