import CLibpq
package import Instants

/// Reads the columns of one row from left to right, each as the type that the statement expects.
///
/// A column of another type, an unexpected NULL and a missing column are errors that name the column.
package struct RowReader {
    private let result: OpaquePointer
    private let row: Int32
    private var column: Int32 = 0

    init(_ result: OpaquePointer, row: Int32) {
        self.result = result
        self.row = row
    }

    package mutating func read<Value: PostgresValue>(
        _: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        try value()
    }

    package mutating func read<Value: PostgresValue>(
        _: Value?.Type = Value?.self
    ) throws(PostgresError) -> Value? {
        try next()
    }

    package mutating func read<Value: PostgresValue>(
        _: [Value].Type = [Value].self
    ) throws(PostgresError) -> [Value] {
        let elements = try nextArray(Value.self)
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            guard let element else { throw nullError("\(Value.postgresType.name)[] without NULLs") }
            values.append(element)
        }
        return values
    }

    package mutating func read<Value: PostgresValue>(
        _: [Value?].Type = [Value?].self
    ) throws(PostgresError) -> [Value?] {
        try nextArray(Value.self)
    }

    /// Skips a column.
    package mutating func skip() { column += 1 }
}

/// Readers for the types of rows that are read by the thousand. Modules do not specialise each other's generic
/// functions, and one that looks up its type's metadata for each value takes several times as long.
extension RowReader {
    package mutating func read(_: Int16.Type = Int16.self) throws(PostgresError) -> Int16 { try value() }
    package mutating func read(_: Int16?.Type = Int16?.self) throws(PostgresError) -> Int16? { try next() }
    package mutating func read(_: Int32.Type = Int32.self) throws(PostgresError) -> Int32 { try value() }
    package mutating func read(_: Int32?.Type = Int32?.self) throws(PostgresError) -> Int32? { try next() }
    package mutating func read(_: Int64.Type = Int64.self) throws(PostgresError) -> Int64 { try value() }
    package mutating func read(_: Int64?.Type = Int64?.self) throws(PostgresError) -> Int64? { try next() }
    package mutating func read(_: Float.Type = Float.self) throws(PostgresError) -> Float { try value() }
    package mutating func read(_: Float?.Type = Float?.self) throws(PostgresError) -> Float? { try next() }
    package mutating func read(_: Double.Type = Double.self) throws(PostgresError) -> Double { try value() }
    package mutating func read(_: String.Type = String.self) throws(PostgresError) -> String { try value() }
    package mutating func read(_: String?.Type = String?.self) throws(PostgresError) -> String? { try next() }
    package mutating func read(_: Timestamp.Type = Timestamp.self) throws(PostgresError) -> Timestamp { try value() }
    package mutating func read(_: Timestamp?.Type = Timestamp?.self) throws(PostgresError) -> Timestamp? { try next() }
}

/// Ids and enumerations, read by their raw value; a raw value without a case is an error.
extension RowReader {
    package mutating func read<Value: RawRepresentable>(
        _: Value.Type = Value.self
    ) throws(PostgresError) -> Value where Value.RawValue: PostgresValue {
        let raw = try read(Value.RawValue.self)
        guard let value = Value(rawValue: raw) else { throw unknownValue(Value.self) }
        return value
    }

    package mutating func read<Value: RawRepresentable>(
        _: Value?.Type = Value?.self
    ) throws(PostgresError) -> Value? where Value.RawValue: PostgresValue {
        guard let raw = try read(Value.RawValue?.self) else { return nil }
        guard let value = Value(rawValue: raw) else { throw unknownValue(Value.self) }
        return value
    }

    package mutating func read<Value: RawRepresentable>(
        _: [Value].Type = [Value].self
    ) throws(PostgresError) -> [Value] where Value.RawValue: PostgresValue {
        var values: [Value] = []
        for raw in try read([Value.RawValue].self) {
            guard let value = Value(rawValue: raw) else { throw unknownValue(Value.self) }
            values.append(value)
        }
        return values
    }
}

extension RowReader {
    fileprivate mutating func value<Value: PostgresValue>() throws(PostgresError) -> Value {
        guard let value: Value = try next() else { throw nullError(Value.postgresType.name) }
        return value
    }

    fileprivate mutating func next<Value: PostgresValue>() throws(PostgresError) -> Value? {
        let expected = Value.postgresType
        try advance(expected.name) { expected.reads($0) }
        guard let bytes = currentBytes else { return nil }
        guard let value = Value.decode(bytes) else { throw malformed(expected.name) }
        return value
    }

    fileprivate mutating func nextArray<Value: PostgresValue>(_: Value.Type) throws(PostgresError) -> [Value?] {
        let expected = Value.postgresType
        try advance("\(expected.name)[]") { expected.readsArray($0) }
        guard let bytes = currentBytes else { throw nullError("\(expected.name)[]") }
        guard let elements = PostgresArray.decode(bytes, of: Value.self) else { throw malformed("\(expected.name)[]") }
        return elements
    }

    /// Moves past the next column after checking its type. Errors and bytes below refer to that column.
    @inline(__always)
    fileprivate mutating func advance(
        _ expected: @autoclosure () -> String, _ accepts: (UInt32) -> Bool
    ) throws(PostgresError) {
        guard column < PQnfields(result) else {
            throw PostgresError(
                .decoding, "the row has \(PQnfields(result)) columns, another one of type \(expected()) is expected")
        }
        column += 1
        let type = PQftype(result, column - 1)
        guard accepts(type) else {
            throw PostgresError(.decoding, "\(currentName) has the type number \(type), expected is \(expected())")
        }
    }

    /// The bytes of the current column; nil for NULL.
    private var currentBytes: UnsafeRawBufferPointer? {
        guard PQgetisnull(result, row, column - 1) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column - 1), count: Int(PQgetlength(result, row, column - 1)))
    }

    private var currentName: String {
        let name = PQfname(result, column - 1).map { String(cString: $0) } ?? "?"
        return "column \(column) (\(name))"
    }

    private func nullError(_ expected: String) -> PostgresError {
        PostgresError(.decoding, "\(currentName) is NULL, expected is \(expected)")
    }

    private func malformed(_ expected: String) -> PostgresError {
        PostgresError(.decoding, "\(currentName) does not hold a well-formed \(expected)")
    }

    private func unknownValue<Value>(_: Value.Type) -> PostgresError {
        PostgresError(.decoding, "\(currentName) holds a value that \(Value.self) does not know")
    }
}
