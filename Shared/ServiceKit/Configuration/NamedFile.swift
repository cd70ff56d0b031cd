/// A small file named by a variable, read at the start and again whenever its content may have changed.
package struct NamedFile: Hashable, Sendable {
    package let variable: Variable
    package let path: String
    /// Whether the file must be private to its owner (and group).
    private let isSecret: Bool

    private static let largest = 256 * 1024

    package init(_ variable: Variable, path: String, isSecret: Bool) {
        self.variable = variable
        self.path = path
        self.isSecret = isSecret
    }

    /// The fault of the file; completes the sentence "AQUA_..._FILE names ...".
    package struct Fault: Error, Hashable, CustomStringConvertible {
        package let variable: Variable
        package let problem: String
        package let remedy: String

        package var description: String { "\(variable.rawValue) \(problem): \(remedy)" }
    }

    /// A fault of this file's content.
    /// - Parameter problem: The end of the sentence "..._FILE names a file, which ...".
    package func fault(_ problem: String, remedy: String) -> Fault {
        Fault(variable: variable, problem: "names \(path.quoted), which \(problem)", remedy: remedy)
    }

    /// - Returns: At least one byte.
    package func read() throws(Fault) -> [UInt8] {
        do throws(SecretFileFault) {
            let bytes = try readWhole(path, most: Self.largest, isSecret: isSecret)
            if bytes.isEmpty { throw SecretFileFault.empty }
            return bytes
        } catch {
            throw story(of: error)
        }
    }

    private func story(of fault: SecretFileFault) -> Fault {
        switch fault {
        case .unreadable(let reason):
            self.fault("cannot be read (\(reason))", remedy: "create that file or correct the path")
        case .openToOthers(let mode):
            self.fault(
                "is open to other users (mode 0\(String(mode, radix: 8)))", remedy: "run: chmod 0600 \(path)")
        case .notAFile: self.fault("is not a regular file", remedy: "set it to \(variable.expectation)")
        case .empty: self.fault("is empty", remedy: "set it to \(variable.expectation)")
        case .tooLarge, .notOneLine, .tooManyLines, .tooShort:
            self.fault("is too large", remedy: "set it to \(variable.expectation)")
        }
    }
}

extension ConfigurationReader {
    /// Records what is wrong with a file.
    package func fault(_ fault: NamedFile.Fault) {
        self.fault(fault.variable, fault.problem, remedy: fault.remedy)
    }
}
