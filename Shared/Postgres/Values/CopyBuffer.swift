package import Instants

/// Rows in PostgreSQL's binary COPY format, in one block that grows once and serves batch after batch.
///
/// ```swift
/// buffer.startRow(fields: 3)
/// buffer.append(slot); buffer.append(device); buffer.append(time)
/// ```
/// Unlike parameters, COPY converts nothing: the Swift types must be the columns' exact types.
package struct CopyBuffer: Sendable {
    private(set) var buffer: WireBuffer
    /// Rows started since the last `removeAll()`.
    package private(set) var rowCount = 0
    private var missingFields = 0
    private var isRagged = false

    /// The signature, the flags and the length of the header's extension.
    private static let header: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [0, 0, 0, 0, 0, 0, 0, 0]
    static let trailer: [UInt8] = [0xFF, 0xFF]

    /// - Parameter capacity: The initial size in bytes; a row of the widest table takes about 150.
    package init(capacity: Int = 64 * 1024) {
        buffer = WireBuffer(capacity: capacity)
        Self.header.encode(into: &buffer)
    }

    package var isEmpty: Bool { rowCount == 0 }
    /// The bytes of the rows.
    package var byteCount: Int { buffer.count - Self.header.count }

    /// Forgets the rows, keeps the memory.
    package mutating func removeAll() {
        buffer.removeAll()
        Self.header.encode(into: &buffer)
        rowCount = 0
        missingFields = 0
        isRagged = false
    }

    package mutating func startRow(fields: Int) {
        if missingFields != 0 { isRagged = true }
        missingFields = fields
        rowCount += 1
        buffer.append(Int16(fields))
    }

    package mutating func append<Value: PostgresValue>(_ value: Value) {
        missingFields -= 1
        buffer.appendField(value)
    }

    /// Appends a value; NULL for nil.
    package mutating func append<Value: PostgresValue>(_ value: Value?) {
        missingFields -= 1
        buffer.appendField(value)
    }

    package mutating func append<Value: PostgresValue>(_ values: [Value]) {
        missingFields -= 1
        let offset = buffer.count
        buffer.append(Int32(0))
        PostgresArray.encode(values.lazy.map(Optional.some), of: Value.self, into: &buffer)
        buffer.overwrite(Int32(buffer.count - offset - 4), at: offset)
    }

    package mutating func append<Value: RawRepresentable>(_ value: Value) where Value.RawValue: PostgresValue {
        append(value.rawValue)
    }

    package mutating func append<Value: RawRepresentable>(_ value: Value?) where Value.RawValue: PostgresValue {
        append(value?.rawValue)
    }

    package mutating func appendNull() {
        missingFields -= 1
        buffer.append(Int32(-1))
    }

    @inline(__always)
    private mutating func appendSized(_ bits: some FixedWidthInteger) {
        missingFields -= 1
        buffer.appendSized(bits)
    }

    func checkComplete() throws(PostgresError) {
        try buffer.checkEncodable()
        if isRagged || missingFields != 0 {
            throw PostgresError(.unencodable, "a COPY row has more or fewer fields than it announced")
        }
    }
}

/// Appenders for the types of hot rows: called from other targets, the generic `append` is not specialized and takes
/// ten times as long.
extension CopyBuffer {
    package mutating func append(_ value: Int16) { appendSized(value) }
    package mutating func append(_ value: Int32) { appendSized(value) }
    package mutating func append(_ value: Int64) { appendSized(value) }
    package mutating func append(_ value: Timestamp) { appendSized(value.since2000) }
    package mutating func append(_ value: Float) { appendSized(value.bitPattern) }
    package mutating func append(_ value: Float?) {
        if let value { appendSized(value.bitPattern) } else { appendNull() }
    }
}
