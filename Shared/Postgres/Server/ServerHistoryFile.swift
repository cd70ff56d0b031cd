import Glibc

/// A file of one line, `SYSTEM TIMELINE`, replaced as a whole, and a second file beside it that says where that server
/// was met. The first file's format never changes: copies of several versions share it during an upgrade.
struct ServerHistoryFile: Sendable {
    let path: String

    private static let largest = 512
    private var placePath: String { "\(path).place" }

    /// - Returns: nil when there is no file.
    /// - Throws: `serverRefused` if the file cannot be read or holds something else: an unreadable guard guards
    ///   nothing.
    func read() throws(PostgresError) -> ServerSighting? {
        guard let line = try line(of: path) else { return nil }
        guard let identity = ServerSighting(line: line)?.identity, line.split(separator: " ").count == 2 else {
            throw PostgresError(
                .serverRefused, "\(path) does not say which server was worked on last; remove it to accept any")
        }
        // The place only adds words for people: if it is missing or belongs to another server, there is none.
        if let beside = try? self.line(of: placePath), let noted = ServerSighting(line: beside),
            noted.identity == identity
        {
            return noted
        }
        return ServerSighting(identity: identity, place: nil)
    }

    /// - Returns: The only line of a file; an empty one if the file has more; nil if there is no file.
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

    /// Writes the sighting and returns once the disk has it.
    /// - Returns: false if it could not be written; the former content stays.
    func write(_ sighting: ServerSighting) -> Bool {
        if sighting.place != nil { _ = replace(placePath, by: sighting.line) }
        return replace(path, by: ServerSighting(identity: sighting.identity, place: nil).line)
    }

    private func replace(_ path: String, by line: String) -> Bool {
        // A random name, because copies of the program on one machine may write at once.
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

    /// Makes the new name survive a crash of the machine, by syncing its directory.
    private func syncDirectory() {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = open(directory.isEmpty ? "/" : directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
