// Stands in for the flash by a directory of the computer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <dirent.h>
#include <memory>
#include <string>

#define FILE_READ "r"
#define FILE_APPEND "a"

class File {
public:
    File() = default;
    File(FILE *file, DIR *directory, std::string path, std::string name);
    explicit operator bool() const { return !name_.empty(); }
    const char *name() const { return name_.c_str(); }
    size_t size();
    size_t read(uint8_t *, size_t);
    size_t write(const uint8_t *, size_t);
    void close();
    File openNextFile();

private:
    std::shared_ptr<FILE> file;
    std::shared_ptr<DIR> directory;
    std::string path, name_;
};

struct FileSystem {
    bool begin(bool) { return true; }
    bool mkdir(const char *);
    File open(const char *, const char *mode = FILE_READ);
    bool remove(const char *);
};
inline FileSystem LittleFS;
