import CLibpq

/// Reads the columns of one row from left to right, each as the type that the statement expects.
///
/// Inlinable, since rows are read by the thousand by other modules: code that is generic at run time takes several times as long.
/// A column of another type, a NULL where none is expected and a row that is too short are errors that name the column.
package struct RowReader {
    @usableFromInline let result: OpaquePointer
    @usableFromInline let row: Int32
    @usableFromInline var column: Int32 = 0

    init(_ result: OpaquePointer, row: Int32) {
        self.result = result
        self.row = row
    }

    @inlinable package mutating func read<Value: PostgresValue>(
        _: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        guard let value = try next(Value.self) else { throw nullError(Value.postgresType.name) }
        return value
    }

    @inlinable package mutating func read<Value: PostgresValue>(
        _: Value?.Type = Value?.self
    ) throws(PostgresError) -> Value? {
        try next(Value.self)
    }

    @inlinable package mutating func read<Value: PostgresValue>(
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

    @inlinable package mutating func read<Value: PostgresValue>(
        _: [Value?].Type = [Value?].self
    ) throws(PostgresError) -> [Value?] {
        try nextArray(Value.self)
    }

    /// Passes over a column.
    @inlinable package mutating func skip() { column += 1 }
}

/// Ids and enumerations come by their raw value; a raw value without a case is an error.
extension RowReader {
    @inlinable package mutating func read<Value: RawRepresentable>(
        _: Value.Type = Value.self
    ) throws(PostgresError) -> Value where Value.RawValue: PostgresValue {
        let raw = try read(Value.RawValue.self)
        guard let value = Value(rawValue: raw) else { throw unknownValue(Value.self) }
        return value
    }

    @inlinable package mutating func read<Value: RawRepresentable>(
        _: Value?.Type = Value?.self
    ) throws(PostgresError) -> Value? where Value.RawValue: PostgresValue {
        guard let raw = try read(Value.RawValue?.self) else { return nil }
        guard let value = Value(rawValue: raw) else { throw unknownValue(Value.self) }
        return value
    }

    @inlinable package mutating func read<Value: RawRepresentable>(
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
    @inlinable mutating func next<Value: PostgresValue>(_: Value.Type) throws(PostgresError) -> Value? {
        let expected = Value.postgresType
        try advance(expected.name) { expected.reads($0) }
        guard let bytes = currentBytes else { return nil }
        guard let value = Value.decode(bytes) else { throw malformed(expected.name) }
        return value
    }

    @inlinable mutating func nextArray<Value: PostgresValue>(_: Value.Type) throws(PostgresError) -> [Value?] {
        let expected = Value.postgresType
        try advance("\(expected.name)[]") { expected.readsArray($0) }
        guard let bytes = currentBytes else { throw nullError("\(expected.name)[]") }
        guard let elements = PostgresArray.decode(bytes, of: Value.self) else { throw malformed("\(expected.name)[]") }
        return elements
    }

    /// Moves past the next column after checking its type. Errors and bytes below are of the column passed last.
    @inlinable @inline(__always)
    mutating func advance(
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

    /// nil for NULL.
    @inlinable var currentBytes: UnsafeRawBufferPointer? {
        guard PQgetisnull(result, row, column - 1) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column - 1), count: Int(PQgetlength(result, row, column - 1)))
    }

    @usableFromInline var currentName: String {
        let name = PQfname(result, column - 1).map { String(cString: $0) } ?? "?"
        return "column \(column) (\(name))"
    }

    @usableFromInline func nullError(_ expected: String) -> PostgresError {
        PostgresError(.decoding, "\(currentName) is NULL, expected is \(expected)")
    }

    @usableFromInline func malformed(_ expected: String) -> PostgresError {
        PostgresError(.decoding, "\(currentName) does not hold a well-formed \(expected)")
    }

    @usableFromInline func unknownValue<Value>(_: Value.Type) -> PostgresError {
        PostgresError(.decoding, "\(currentName) holds a value that \(Value.self) does not know")
    }
}
