/// Files that only their owner may read.
package enum PrivateFile {
    /// Writes a line to a file. Whoever reads it meanwhile finds the former file or the whole new one.
    /// - Throws: `invalidInput` where the file cannot be written.
    package static func write(_ text: String, to path: String) throws(OperatorError) {
        try DurableFile.write(text + "\n", to: path, mode: 0o600)
    }
}
