import Instants
import Postgres
import TestSupport

/// One value of each type, some of them NULL.
struct Scalars: Equatable, Sendable {
    var flag: Bool?
    var small: Int16?
    var medium: Int32?
    var large: Int64?
    var real: UInt32?  // the bit pattern, so that NaN equals itself
    var double: UInt64?
    var text: String?
    var bytes: [UInt8]?
    var time: Timestamp?

    init(using generator: inout some RandomNumberGenerator) {
        flag = .maybe(using: &generator) { .random(using: &$0) }
        small = .maybe(using: &generator) { .random(in: .min ... .max, using: &$0) }
        medium = .maybe(using: &generator) { .random(in: .min ... .max, using: &$0) }
        large = .maybe(using: &generator) { .random(in: .min ... .max, using: &$0) }
        real = .maybe(using: &generator) {
            [Float.nan, .infinity, -0.0, .leastNonzeroMagnitude, .random(in: -1e6...1e6, using: &$0)]
                .randomElement(using: &$0)?.bitPattern ?? 0
        }
        double = .maybe(using: &generator) {
            [Double.nan, -.infinity, -0.0, .random(in: -1e9...1e9, using: &$0)]
                .randomElement(using: &$0)?.bitPattern ?? 0
        }
        text = .maybe(using: &generator) { randomText(using: &$0) }
        bytes = .maybe(using: &generator) { generator in
            (0..<Int.random(in: 0...300, using: &generator)).map { _ in .random(in: 0...255, using: &generator) }
        }
        // The range of timestamptz, 4714 BC to AD 294276.
        time = .maybe(using: &generator) {
            Timestamp(
                microseconds: .random(in: -210_000_000_000_000_000...9_000_000_000_000_000_000, using: &$0))
        }
    }

    init(_ row: inout RowReader) throws {
        flag = try row.read()
        small = try row.read()
        medium = try row.read()
        large = try row.read()
        real = try row.read(Float?.self)?.bitPattern
        double = try row.read(Double?.self)?.bitPattern
        text = try row.read()
        bytes = try row.read()
        time = try row.read()
    }
}

struct EchoScalars: Statement {
    static let sql = "SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9"
    let scalars: Scalars

    func bind(_ parameters: inout Parameters) {
        parameters.append(scalars.flag)
        parameters.append(scalars.small)
        parameters.append(scalars.medium)
        parameters.append(scalars.large)
        parameters.append(scalars.real.map(Float.init(bitPattern:)))
        parameters.append(scalars.double.map(Double.init(bitPattern:)))
        parameters.append(scalars.text)
        parameters.append(scalars.bytes)
        parameters.append(scalars.time)
    }

    static func decode(_ row: inout RowReader) throws -> Scalars { try Scalars(&row) }
}

/// Arrays of each type, empty ones and NULLs included.
struct Arrays: Equatable, Sendable {
    var flags: [Bool]
    var small: [Int16?]
    var medium: [Int32]
    var large: [Int64?]
    var reals: [Float?]
    var doubles: [Double]
    var texts: [String?]
    var bytes: [[UInt8]]
    var times: [Timestamp]

    init(using generator: inout some RandomNumberGenerator) {
        flags = .some(using: &generator) { .random(using: &$0) }
        small = .some(using: &generator) { .maybe(using: &$0) { .random(in: .min ... .max, using: &$0) } }
        medium = .some(using: &generator) { .random(in: .min ... .max, using: &$0) }
        large = .some(using: &generator) { .maybe(using: &$0) { .random(in: .min ... .max, using: &$0) } }
        reals = .some(using: &generator) { .maybe(using: &$0) { .random(in: -1e6...1e6, using: &$0) } }
        doubles = .some(using: &generator) { .random(in: -1e9...1e9, using: &$0) }
        texts = .some(using: &generator) { .maybe(using: &$0) { randomText(using: &$0) } }
        bytes = .some(using: &generator) { .some(using: &$0) { .random(in: 0...255, using: &$0) } }
        times = .some(using: &generator) {
            Timestamp(microseconds: .random(in: 0...4_000_000_000_000_000, using: &$0))
        }
    }
}

struct EchoArrays: Statement {
    static let sql = "SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9"
    let arrays: Arrays

    func bind(_ parameters: inout Parameters) {
        parameters.append(arrays.flags)
        parameters.append(arrays.small)
        parameters.append(arrays.medium)
        parameters.append(arrays.large)
        parameters.append(arrays.reals)
        parameters.append(arrays.doubles)
        parameters.append(arrays.texts)
        parameters.append(arrays.bytes)
        parameters.append(arrays.times)
    }

    static func decode(_ row: inout RowReader) throws -> Arrays {
        var generator = SeededGenerator(seed: 0)
        var arrays = Arrays(using: &generator)
        arrays.flags = try row.read()
        arrays.small = try row.read()
        arrays.medium = try row.read()
        arrays.large = try row.read()
        arrays.reals = try row.read()
        arrays.doubles = try row.read()
        arrays.texts = try row.read()
        arrays.bytes = try row.read()
        arrays.times = try row.read()
        return arrays
    }
}

private func randomText<Generator: RandomNumberGenerator>(using generator: inout Generator) -> String {
    String(
        (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in
            "aZ9 \"'\\{},NULL水Ωé\n".randomElement(using: &generator)
        })
}

extension Optional {
    static func maybe<Generator: RandomNumberGenerator>(
        using generator: inout Generator, _ make: (inout Generator) -> Wrapped
    ) -> Wrapped? {
        Int.random(in: 0..<5, using: &generator) == 0 ? nil : make(&generator)
    }
}

extension Array {
    static func some<Generator: RandomNumberGenerator>(
        using generator: inout Generator, _ make: (inout Generator) -> Element
    ) -> [Element] {
        (0..<Int.random(in: 0...20, using: &generator)).map { _ in make(&generator) }
    }
}
