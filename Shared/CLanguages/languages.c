#include "CLanguages.h"

static const unsigned char en[] = {
#embed "../Words/Languages/en.json"
};

static const unsigned char ja[] = {
#embed "../Words/Languages/ja.json"
};

static const unsigned char es[] = {
#embed "../Words/Languages/es.json"
};

static const unsigned char de[] = {
#embed "../Words/Languages/de.json"
};

#define LANGUAGE(name) {name, sizeof name}

static const struct language_file files[] = {LANGUAGE(en), LANGUAGE(ja), LANGUAGE(es), LANGUAGE(de)};

struct language_file language_file_at(size_t index) {
    return index < sizeof files / sizeof *files ? files[index] : (struct language_file){0};
}
