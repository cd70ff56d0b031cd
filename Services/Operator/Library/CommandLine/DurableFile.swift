import Glibc

/// Files that are on the disk when the call returns, and that are whole whenever they are read.
enum DurableFile {
    /// Replaces a file, or makes it.
    /// - Parameter mode: The rights to it: `0o600` or `0o644`, whatever the umask is.
    /// - Throws: `invalidInput` with the system's reason; the former file is then as it was.
    static func write(_ text: String, to path: String, mode: mode_t) throws(OperatorError) {
        let part = "\(path).part"
        unlink(part)
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        let isWritten = write(text, descriptor) && fchmod(descriptor, mode) == 0 && fsync(descriptor) == 0
        let reason = errno
        close(descriptor)
        guard isWritten, rename(part, path) == 0 else {
            if !isWritten { errno = reason }
            let error = failure(path)
            unlink(part)
            throw error
        }
        syncDirectory(of: path)
    }

    private static func write(_ text: String, _ descriptor: CInt) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// The name of a file is its directory's. Some file systems cannot do this, and keep names by themselves.
    private static func syncDirectory(of path: String) {
        let end = path.lastIndex(of: "/")
        let directory = open(end.map { String(path[...$0]) } ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }

    private static func failure(_ path: String) -> OperatorError {
        OperatorError(.invalidInput, "\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
}
