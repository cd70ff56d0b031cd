/// The binary form of one-dimensional arrays.
///
/// A header of big-endian 32-bit words (dimensions, has-NULLs, element type, then for each dimension its size and lower
/// bound), then each element with its length, -1 for NULL. An empty array has no dimensions.
enum PostgresArray {
    /// Encodes any collection, so that elements can be wrapped lazily and nothing is copied.
    @inline(__always)
    static func encode<Value: PostgresValue>(
        _ elements: some Collection<Value?>, of _: Value.Type, into buffer: inout WireBuffer
    ) {
        buffer.append(Int32(elements.isEmpty ? 0 : 1))
        let nullsOffset = buffer.count
        buffer.append(Int32(0))
        buffer.append(Value.postgresType.oid)
        guard !elements.isEmpty else { return }
        buffer.append(Int32(elements.count))
        buffer.append(Int32(1))
        var hasNull = false
        for element in elements {
            if element == nil { hasNull = true }
            buffer.appendField(element)
        }
        if hasNull { buffer.overwrite(1, at: nullsOffset) }
    }

    /// - Returns: nil if the bytes are no such array, or have more than one dimension.
    static func decode<Value: PostgresValue>(_ bytes: UnsafeRawBufferPointer, of _: Value.Type) -> [Value?]? {
        guard bytes.count >= 12 else { return nil }
        let dimensions: Int32 = bytes.integer(at: 0)
        guard Value.postgresType.reads(bytes.integer(at: 8)) else { return nil }
        if dimensions == 0 { return [] }
        guard dimensions == 1, bytes.count >= 20 else { return nil }
        let size = Int(bytes.integer(at: 12) as Int32)
        // Refuses a size that the bytes cannot hold, before memory is reserved: every element takes at least four
        // bytes.
        guard size >= 0, size <= (bytes.count - 20) / 4 else { return nil }
        var elements: [Value?] = []
        elements.reserveCapacity(size)
        var offset = 20
        for _ in 0..<size {
            guard offset + 4 <= bytes.count else { return nil }
            let length = Int(bytes.integer(at: offset) as Int32)
            offset += 4
            if length < 0 {
                elements.append(nil)
                continue
            }
            guard offset + length <= bytes.count else { return nil }
            let field = UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + length)])
            guard let value = Value.decode(field) else { return nil }
            elements.append(value)
            offset += length
        }
        return elements
    }
}

extension WireBuffer {
    /// Appends a value after its length, as in array elements and COPY fields; -1 for NULL.
    @inline(__always)
    mutating func appendField<Value: PostgresValue>(_ value: Value?) {
        let offset = count
        append(Int32(-1))
        guard let value else { return }
        value.encode(into: &self)
        overwrite(Int32(count - offset - 4), at: offset)
    }
}
