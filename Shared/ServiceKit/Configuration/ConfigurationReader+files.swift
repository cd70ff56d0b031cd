import Glibc

extension ConfigurationReader {
    /// The secret in the file that the variable names; a fault unless it is private to its owner (and group).
    /// - Parameter minimumLength: In bytes; a shorter secret is a weak one and a fault.
    package func secret(_ variable: Variable, minimumLength: Int) -> Secret {
        let path = string(variable)
        guard !path.isEmpty else { return Secret("") }
        return readSecret(variable, path, minimumLength: minimumLength)
    }

    /// Like `secret`, and nil if the variable is not set.
    package func optionalSecret(_ variable: Variable, minimumLength: Int) -> Secret? {
        optionalString(variable).map { readSecret(variable, $0, minimumLength: minimumLength) }
    }

    /// The path of a file that this process can read, such as a certificate; nil if the variable is not set.
    package func optionalFile(_ variable: Variable) -> String? {
        guard let path = optionalString(variable) else { return nil }
        guard access(path, R_OK) == 0 else {
            fault(
                variable, "names \(quoted(path)), which cannot be read (\(String(cString: strerror(errno))))",
                remedy: "create that file or correct the path")
            return nil
        }
        return path
    }

    private func readSecret(_ variable: Variable, _ path: String, minimumLength: Int) -> Secret {
        do {
            return try readSecretFile(path, minimumLength: minimumLength)
        } catch {
            let (problem, remedy) = story(of: error, path: path, minimumLength: minimumLength)
            fault(variable, "names \(quoted(path)), which \(problem)", remedy: remedy)
            return Secret("")
        }
    }

    private func story(
        of fault: SecretFileFault, path: String, minimumLength: Int
    ) -> (problem: String, remedy: String) {
        switch fault {
        case .unreadable(let reason):
            ("cannot be read (\(reason))", "create that file or correct the path")
        case .notAFile:
            ("is not a regular file", "name a file that holds the secret")
        case .openToOthers(let mode):
            ("is open to other users (mode 0\(String(mode, radix: 8)))", "run: chmod 0600 \(path)")
        case .tooLarge:
            ("is too large for a secret", "name the file that holds nothing but the secret")
        case .empty:
            ("is empty", "write the secret into it")
        case .notOneLine:
            ("holds more than one line of text", "leave the secret alone in it, on one line")
        case .tooShort(let length):
            (
                "holds a weak secret of \(length) bytes",
                "write one of at least \(minimumLength), such as from: openssl rand -hex 32"
            )
        }
    }
}
