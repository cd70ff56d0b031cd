import Glibc

/// Bytes in network order, appended to one growing block that is reused.
package struct WireBuffer: Sendable {
    private var storage: [UInt8]
    private(set) var count = 0
    /// Whether a text with a NUL byte was appended. Encoders cannot throw, so the sender of the bytes checks this
    /// first.
    private(set) var containsNUL = false

    init(capacity: Int) {
        storage = [UInt8](repeating: 0, count: max(capacity, 64))
    }

    /// Forgets the bytes, keeps the memory.
    mutating func removeAll() {
        count = 0
        containsNUL = false
    }

    @inline(__always)
    mutating func append<Integer: FixedWidthInteger>(_ value: Integer) {
        let width = MemoryLayout<Integer>.size
        reserve(width)
        let offset = count
        storage.withUnsafeMutableBytes { $0.storeBytes(of: value.bigEndian, toByteOffset: offset, as: Integer.self) }
        count += width
    }

    /// Appends a value of fixed width after its length.
    @inline(__always)
    mutating func appendSized<Integer: FixedWidthInteger>(_ value: Integer) {
        let width = MemoryLayout<Integer>.size
        reserve(4 + width)
        let offset = count
        storage.withUnsafeMutableBytes {
            $0.storeBytes(of: Int32(width).bigEndian, toByteOffset: offset, as: Int32.self)
            $0.storeBytes(of: value.bigEndian, toByteOffset: offset + 4, as: Integer.self)
        }
        count += 4 + width
    }

    /// Replaces an appended value: lengths are known only after their content.
    @inline(__always)
    mutating func overwrite(_ value: Int32, at offset: Int) {
        storage.withUnsafeMutableBytes { $0.storeBytes(of: value.bigEndian, toByteOffset: offset, as: Int32.self) }
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, bytes.count > 0 else { return }
        reserve(bytes.count)
        let offset = count
        storage.withUnsafeMutableBytes { ($0.baseAddress! + offset).copyMemory(from: source, byteCount: bytes.count) }
        count += bytes.count
    }

    mutating func append(utf8 text: String) {
        var text = text
        text.withUTF8 { bytes in
            if let start = bytes.baseAddress, memchr(start, 0, bytes.count) != nil { containsNUL = true }
            append(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Lends the bytes written so far; the base address is never nil.
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try storage.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    func checkEncodable() throws(PostgresError) {
        guard containsNUL else { return }
        throw PostgresError(.unencodable, "a text contains a NUL byte, which PostgreSQL cannot store in text")
    }

    @inline(__always)
    private mutating func reserve(_ needed: Int) {
        if count + needed > storage.count { grow(needed) }
    }

    /// Copies the bytes as a block: element by element, a debug build takes a second for the schema's scripts.
    private mutating func grow(_ needed: Int) {
        let target = max(storage.count * 2, count + needed)
        storage = storage.withUnsafeBytes { former in
            [UInt8](unsafeUninitializedCapacity: target) { block, initialized in
                let bytes = UnsafeMutableRawBufferPointer(block)
                bytes.copyMemory(from: former)
                memset(bytes.baseAddress! + former.count, 0, target - former.count)
                initialized = target
            }
        }
    }
}
