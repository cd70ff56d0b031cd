/// A reader of untrusted input, and the promises that hold for every input.
struct FuzzTarget: Sendable {
    let name: String
    /// Valid inputs, from which mutations start.
    let seeds: [[UInt8]]
    /// Words with a meaning for this reader, which mutations insert.
    let words: [String]
    /// Reads one input.
    /// - Throws: `BrokenPromise`.
    let check: @Sendable ([UInt8]) throws -> Void

    init(
        _ name: String, seeds: [String], words: [String], check: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.init(name, bytes: seeds.map { Array($0.utf8) }, words: words, check: check)
    }

    init(
        _ name: String, bytes: [[UInt8]], words: [String], check: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.name = name
        seeds = bytes
        self.words = words
        self.check = check
    }

    static let all: [FuzzTarget] = [
        .payload, .topic, .batch, .configuration, .replay, .time, .pushTarget, .challenge, .answer, .entry,
        .json, .query, .cursor, .condition, .token, .firmware, .life, .posted, .mail, .template,
        .image, .map, .provider, .station, .enrolment, .sensorThings, .field, .sample,
        .certificate,
    ]
}

/// A promise that does not hold for an input.
struct BrokenPromise: Error, CustomStringConvertible {
    let description: String
}

/// - Throws: `BrokenPromise` unless it holds.
func promise(_ holds: Bool, _ text: @autoclosure () -> String) throws {
    if !holds { throw BrokenPromise(description: text()) }
}

/// Promises that a text can be shown on a terminal and stored in a column: it is short and moves no cursor.
func promisePresentable(_ text: String, longest: Int) throws {
    try promise(text.utf8.count <= longest, "a message of \(text.utf8.count) bytes")
    try promise(
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control },
        "a control character in \(text.debugDescription)")
}
