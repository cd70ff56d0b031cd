import Foundation
import TestSupport

extension Data {
    /// Writes a file that nobody else reads.
    /// - Returns: Its path.
    func store(as name: String, in directory: URL) throws -> String {
        let path = directory.appending(path: name).path(percentEncoded: false)
        guard FileManager.default.createFile(atPath: path, contents: self, attributes: [.posixPermissions: 0o600])
        else { throw TestSupportError("\(path) cannot be written") }
        return path
    }
}
