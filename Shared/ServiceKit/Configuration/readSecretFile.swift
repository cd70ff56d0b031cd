import Glibc

/// Why a file is not accepted as a secret.
enum SecretFileFault: Error, Equatable {
    case unreadable(reason: String)
    case notAFile
    case openToOthers(mode: UInt32)
    case tooLarge
    case empty
    case notOneLine
    case tooManyLines(most: Int)
    case tooShort(length: Int)
}

/// The largest secret file in bytes; a key or password has one line.
private let largestSecret = 4096

/// Reads a secret of one line; a line break at its end is dropped.
func readSecretFile(_ path: String, minimumLength: Int) throws(SecretFileFault) -> Secret {
    try readSecretFile(path, minimumLength: minimumLength, mostLines: 1)[0]
}

/// Reads a file with one secret a line, at least one.
///
/// Mode and content come from the same open file, so that the file cannot be replaced in between.
func readSecretFile(
    _ path: String, minimumLength: Int, mostLines: Int
) throws(SecretFileFault) -> [Secret] {
    let lines = try lines(of: readWhole(path, most: largestSecret, isSecret: true))
    guard lines.count <= mostLines else { throw mostLines == 1 ? .notOneLine : .tooManyLines(most: mostLines) }
    var secrets: [Secret] = []
    for line in lines { secrets.append(try secret(from: line, minimumLength: minimumLength)) }
    return secrets
}

/// Reads a whole file.
/// - Parameters:
///   - most: The largest size in bytes.
///   - isSecret: Whether the file must be private to its owner (and group).
func readWhole(_ path: String, most: Int, isSecret: Bool) throws(SecretFileFault) -> [UInt8] {
    // O_NONBLOCK, because opening a named pipe would otherwise block the start until somebody writes to it.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .unreadable(reason: String(cString: strerror(errno))) }
    defer { close(file) }
    try check(file, most: most, isSecret: isSecret)
    return try readAll(file, most: most)
}

private func check(_ file: Int32, most: Int, isSecret: Bool) throws(SecretFileFault) {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .unreadable(reason: String(cString: strerror(errno))) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    guard !isSecret || status.st_mode & 0o007 == 0 else { throw .openToOthers(mode: status.st_mode & 0o777) }
    guard status.st_size <= most else { throw .tooLarge }
}

private func readAll(_ file: Int32, most: Int) throws(SecretFileFault) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: most)
    var count = 0
    while count < bytes.count {
        let taken = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + count, $0.count - count) }
        if taken < 0, errno == EINTR { continue }
        guard taken >= 0 else { throw .unreadable(reason: String(cString: strerror(errno))) }
        if taken == 0 { break }
        count += taken
    }
    return Array(bytes[..<count])
}

private func lines(of bytes: [UInt8]) throws(SecretFileFault) -> [ArraySlice<UInt8>] {
    var text = bytes[...]
    if text.last == UInt8(ascii: "\n") { text.removeLast() }
    guard !text.isEmpty else { throw .empty }
    return text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
        line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}

private func secret(from line: ArraySlice<UInt8>, minimumLength: Int) throws(SecretFileFault) -> Secret {
    guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), let text = String(validating: line, as: UTF8.self) else {
        throw .notOneLine
    }
    guard !line.isEmpty else { throw .empty }
    guard line.count >= minimumLength else { throw .tooShort(length: line.count) }
    return Secret(text)
}
