import Foundation

/// A directory for one test, removed with the test's last reference to it.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "servicekit-\(UUID())").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file of this mode and returns its path.
    func file(_ name: String, _ content: String, mode: Int = 0o600) throws -> String {
        let path = "\(path)/\(name)"
        try Data(content.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }
}
