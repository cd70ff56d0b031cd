import Glibc

/// A file of one line, `SYSTEM TIMELINE`, which is replaced as a whole, and one beside it that says where that server was met. The
/// first has been as it is since there is one: copies of several versions share it during an upgrade.
struct ServerHistoryFile: Sendable {
    let path: String

    private static let largest = 512
    private var placePath: String { "\(path).place" }

    /// - Returns: nil when there is no file.
    /// - Throws: `serverRefused` when it cannot be read or holds something else: a guard that nobody can read guards nothing.
    func read() throws(PostgresError) -> ServerSighting? {
        guard let line = try line(of: path) else { return nil }
        guard let identity = ServerSighting(line: line)?.identity, line.split(separator: " ").count == 2 else {
            throw PostgresError(
                .serverRefused, "\(path) does not say which server was worked on last; remove it to accept any")
        }
        // Only words for people: one that is missing, or of another server, is none.
        if let beside = try? self.line(of: placePath), let noted = ServerSighting(line: beside),
            noted.identity == identity
        {
            return noted
        }
        return ServerSighting(identity: identity, place: nil)
    }

    /// - Returns: The only line of a file; an empty one where it has more; nil when there is no file.
    private func line(of path: String) throws(PostgresError) -> Substring? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw PostgresError(.serverRefused, "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.largest)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        let lines = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(separator: "\n")
        return lines.count == 1 ? lines[0] : ""
    }

    /// Returns once the disk has it.
    /// - Returns: false when it could not be written; the former content stays.
    func write(_ sighting: ServerSighting) -> Bool {
        if sighting.place != nil { _ = replace(placePath, by: sighting.line) }
        return replace(path, by: ServerSighting(identity: sighting.identity, place: nil).line)
    }

    private func replace(_ path: String, by line: String) -> Bool {
        // Copies of the program on one machine may write at once.
        let part = "\(path).\(UInt32.random(in: .min ... .max))"
        let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let text = Array("\(line)\n".utf8)
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
