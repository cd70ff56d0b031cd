import Glibc

extension ConfigurationReader {
    /// Reads the secret from the file that the variable names; a fault unless the file is private to its owner (and
    /// group).
    /// - Parameter minimumLength: The least length in bytes; a shorter secret is weak, and a fault.
    package func secret(_ variable: Variable, minimumLength: Int) -> Secret {
        let path = string(variable)
        guard !path.isEmpty else { return Secret("") }
        return readSecret(variable, path, minimumLength: minimumLength)
    }

    /// Like `secret`, but the file is read anew for each connection.
    package func renewableSecret(_ variable: Variable, minimumLength: Int) -> Renewable<Secret> {
        let path = string(variable)
        guard !path.isEmpty else { return Renewable(Secret("")) }
        return renewable(variable, path, minimumLength: minimumLength)
    }

    /// Like `renewableSecret`, but nil if the variable is not set.
    package func optionalRenewableSecret(_ variable: Variable, minimumLength: Int) -> Renewable<Secret>? {
        optionalString(variable).map { renewable(variable, $0, minimumLength: minimumLength) }
    }

    private func renewable(_ variable: Variable, _ path: String, minimumLength: Int) -> Renewable<Secret> {
        Renewable(readSecret(variable, path, minimumLength: minimumLength)) {
            try? readSecretFile(path, minimumLength: minimumLength)
        }
    }

    /// Parses the lines of a file with several secrets, such as the key in use and its predecessors; nil and a fault if
    /// the variable is not set or the file cannot be used.
    /// - Parameter remedy: The advice for a file that `parse` refuses.
    package func renewableSecrets<Value: Sendable>(
        _ variable: Variable, minimumLength: Int, remedy: String,
        parse: @escaping @Sendable ([String]) -> Value?
    ) -> Renewable<Value>? {
        let path = string(variable)
        guard !path.isEmpty else { return nil }
        do {
            let secrets = try readSecretFile(path, minimumLength: minimumLength, mostLines: Self.mostSecrets)
            guard let value = parse(secrets.map(\.revealed)) else {
                fault(variable, "names \(quoted(path)), which holds no key of 32 bytes on each line", remedy: remedy)
                return nil
            }
            return Renewable(value) {
                let lines = try? readSecretFile(path, minimumLength: minimumLength, mostLines: Self.mostSecrets)
                return lines.flatMap { parse($0.map(\.revealed)) }
            }
        } catch {
            faultOnFile(variable, path, error, minimumLength: minimumLength)
            return nil
        }
    }

    /// Parses a file that is a secret as a whole, such as a key that a provider has made; nil if the variable is not set, nil and a fault
    /// if the file cannot be used.
    /// - Parameter content: What the file has to be, as the end of the sentence "which is no ...".
    package func optionalRenewableDocument<Value: Sendable>(
        _ variable: Variable, content: String, parse: @escaping @Sendable ([UInt8]) -> Value?
    ) -> Renewable<Value>? {
        guard let path = optionalString(variable) else { return nil }
        do {
            let bytes = try readWhole(path, most: Self.largestDocument, isSecret: true)
            guard let value = parse(bytes) else {
                fault(variable, "names \(quoted(path)), which is no \(content)")
                return nil
            }
            return Renewable(value) {
                (try? readWhole(path, most: Self.largestDocument, isSecret: true)).flatMap(parse)
            }
        } catch {
            faultOnFile(variable, path, error, minimumLength: 1)
            return nil
        }
    }

    /// In bytes.
    private static let largestDocument = 16_384

    /// The most secrets in one file: the one in use, and former ones that are still needed.
    private static let mostSecrets = 8

    /// The path of a readable file, such as a certificate; nil if the variable is not set.
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

    /// `AQUA_STATE_DIRECTORY`, a directory in which this process can write; nil if it is not set.
    func optionalStateDirectory() -> String? {
        guard let path = optionalString(.stateDirectory) else { return nil }
        guard access("\(path)/", W_OK | X_OK) == 0 else {
            fault(
                .stateDirectory,
                "names \(quoted(path)), where no file can be made (\(String(cString: strerror(errno))))",
                remedy: "make that directory and give it to this program's user, or remove the variable")
            return nil
        }
        return path
    }

    private func readSecret(_ variable: Variable, _ path: String, minimumLength: Int) -> Secret {
        do {
            return try readSecretFile(path, minimumLength: minimumLength)
        } catch {
            faultOnFile(variable, path, error, minimumLength: minimumLength)
            return Secret("")
        }
    }

    private func faultOnFile(_ variable: Variable, _ path: String, _ error: SecretFileFault, minimumLength: Int) {
        let (problem, remedy) = story(of: error, path: path, minimumLength: minimumLength)
        fault(variable, "names \(quoted(path)), which \(problem)", remedy: remedy)
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
        case .tooManyLines(let most):
            ("holds more than \(most) lines", "leave in it the keys that are still needed, one a line, newest first")
        case .tooShort(let length):
            (
                "holds a weak secret of \(length) bytes",
                "write one of at least \(minimumLength), such as from: openssl rand -hex 32"
            )
        }
    }
}
