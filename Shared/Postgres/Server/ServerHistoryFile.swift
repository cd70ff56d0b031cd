import Glibc

/// A file of one line, a `ServerSighting`, which is replaced as a whole.
struct ServerHistoryFile: Sendable {
    let path: String

    private static let largest = 512

    /// - Returns: nil when there is no file.
    /// - Throws: `serverRefused` when it cannot be read or holds something else: a guard that nobody can read guards nothing.
    func read() throws(PostgresError) -> ServerSighting? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw PostgresError(.serverRefused, "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.largest)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        let lines = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(separator: "\n")
        guard lines.count == 1, let sighting = ServerSighting(line: lines[0]) else {
            throw PostgresError(
                .serverRefused, "\(path) does not say which server was worked on last; remove it to accept any")
        }
        return sighting
    }

    /// Returns once the disk has it.
    /// - Returns: false when it could not be written; the former content stays.
    func write(_ sighting: ServerSighting) -> Bool {
        // Copies of the program on one machine may write at once.
        let part = "\(path).\(UInt32.random(in: .min ... .max))"
        let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let text = Array("\(sighting.line)\n".utf8)
        let isWritten = Glibc.write(descriptor, text, text.count) == text.count && fsync(descriptor) == 0
        guard close(descriptor) == 0, isWritten, rename(part, path) == 0 else {
            unlink(part)
            return false
        }
        syncDirectory()
        return true
    }

    /// Makes the new name survive a crash of the machine.
    private func syncDirectory() {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = open(directory.isEmpty ? "/" : directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
