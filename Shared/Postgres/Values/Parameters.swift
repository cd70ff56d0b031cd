/// The parameters of one statement, in binary, in the order `$1`, `$2`, ...
///
/// One instance per connection is filled again and again, so that binding allocates nothing once it has grown. The
/// declared SQL types follow from the Swift types (`Int32` is `integer`, ...); the server converts further.
package struct Parameters: Sendable {
    private(set) var buffer = WireBuffer(capacity: 1024)
    private(set) var types: [UInt32] = []
    /// The offset of each value in `buffer`; -1 for NULL.
    private var offsets: [Int] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    package mutating func append<Value: PostgresValue>(_ value: Value) {
        let offset = buffer.count
        value.encode(into: &buffer)
        finish(Value.postgresType.oid, offset)
    }

    /// Appends a value; NULL for nil.
    package mutating func append<Value: PostgresValue>(_ value: Value?) {
        if let value { append(value) } else { appendNull(Value.postgresType.oid) }
    }

    package mutating func append<Value: PostgresValue>(_ values: [Value]) {
        let offset = buffer.count
        PostgresArray.encode(values.lazy.map(Optional.some), of: Value.self, into: &buffer)
        finish(Value.postgresType.arrayOID, offset)
    }

    /// Appends an array with NULLs.
    package mutating func append<Value: PostgresValue>(_ values: [Value?]) {
        let offset = buffer.count
        PostgresArray.encode(values, of: Value.self, into: &buffer)
        finish(Value.postgresType.arrayOID, offset)
    }

    mutating func removeAll() {
        buffer.removeAll()
        types.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
    }

    private mutating func appendNull(_ type: UInt32) {
        types.append(type)
        offsets.append(-1)
        lengths.append(0)
    }

    private mutating func finish(_ type: UInt32, _ offset: Int) {
        types.append(type)
        offsets.append(offset)
        lengths.append(Int32(buffer.count - offset))
    }
}

/// Ids and enumerations, as their raw values.
extension Parameters {
    package mutating func append<Value: RawRepresentable>(_ value: Value) where Value.RawValue: PostgresValue {
        append(value.rawValue)
    }

    package mutating func append<Value: RawRepresentable>(_ value: Value?) where Value.RawValue: PostgresValue {
        append(value?.rawValue)
    }

    package mutating func append<Value: RawRepresentable>(_ values: [Value]) where Value.RawValue: PostgresValue {
        append(values.map(\.rawValue))
    }

    package mutating func append<Value: RawRepresentable>(_ values: [Value?]) where Value.RawValue: PostgresValue {
        append(values.map { $0?.rawValue })
    }
}

extension Parameters {
    /// The arrays that `PQexecPrepared` takes.
    struct Pointers {
        let count: Int32
        let values: UnsafePointer<UnsafePointer<CChar>?>?
        let lengths: UnsafePointer<Int32>?
        let formats: UnsafePointer<Int32>?
    }

    /// - Parameter scratch: Memory for the addresses, which the caller keeps between statements.
    mutating func withPointers<R>(
        _ scratch: inout [UnsafePointer<CChar>?], _ body: (Pointers) -> R
    ) -> R {
        while formats.count < types.count { formats.append(1) }
        return buffer.withBytes { bytes in
            scratch.removeAll(keepingCapacity: true)
            for offset in offsets {
                scratch.append(
                    offset < 0 ? nil : bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) })
            }
            return scratch.withUnsafeBufferPointer { values in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in
                        body(
                            Pointers(
                                count: Int32(types.count), values: values.baseAddress, lengths: lengths.baseAddress,
                                formats: formats.baseAddress))
                    }
                }
            }
        }
    }
}
