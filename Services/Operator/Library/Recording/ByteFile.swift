import Glibc

/// A file that is read from its start in chunks.
package final class ByteFile {
    private let descriptor: Int32
    private let path: String

    /// - Throws: `OperatorError` that names the file.
    package init(path: String) throws {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw cannotRead(path) }
    }

    deinit { close(descriptor) }

    /// Whether others than the owner and the group may read it.
    package func isReadableByOthers() throws -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw cannotRead(path) }
        return status.st_mode & 0o007 != 0
    }

    /// The next bytes; none at the end of the file.
    package func nextChunk() throws -> [UInt8] {
        while true {
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, initialized in
                count = read(descriptor, buffer.baseAddress, buffer.count)
                initialized = max(0, count)
            }
            if count >= 0 { return chunk }
            guard errno == EINTR else { throw cannotRead(path) }
        }
    }
}

/// The error of the last system call.
private func cannotRead(_ path: String) -> OperatorError {
    OperatorError(.invalidInput, "\(path) cannot be read: \(String(cString: strerror(errno))).")
}
