import FoundationEssentials
import Glibc

/// Files that only their owner may read.
package enum PrivateFile {
    /// Writes a line to a file. Whoever reads it meanwhile finds the former file or the whole new one.
    /// - Throws: `invalidInput` where the file cannot be written.
    package static func write(_ text: String, to path: String) throws(OperatorError) {
        let part = "\(path).part"
        try? FileManager.default.removeItem(atPath: part)
        guard
            FileManager.default.createFile(
                atPath: part, contents: Data((text + "\n").utf8), attributes: [.posixPermissions: 0o600]),
            rename(part, path) == 0
        else { throw OperatorError(.invalidInput, "\(path) cannot be written.") }
    }
}
