/// A type's numbers in PostgreSQL's catalogue (`pg_type`), fixed for built-in types.
package struct PostgresType: Hashable, Sendable {
    let oid: UInt32
    let arrayOID: UInt32
    let name: String
    /// The oids of types with the same binary form, which may be read as this one.
    var alsoReads: [UInt32] = []

    static let bool = PostgresType(oid: 16, arrayOID: 1000, name: "boolean")
    static let int2 = PostgresType(oid: 21, arrayOID: 1005, name: "smallint")
    static let int4 = PostgresType(oid: 23, arrayOID: 1007, name: "integer")
    static let int8 = PostgresType(oid: 20, arrayOID: 1016, name: "bigint")
    static let float4 = PostgresType(oid: 700, arrayOID: 1021, name: "real")
    static let float8 = PostgresType(oid: 701, arrayOID: 1022, name: "double precision")
    static let bytea = PostgresType(oid: 17, arrayOID: 1001, name: "bytea")
    static let uuid = PostgresType(oid: 2950, arrayOID: 2951, name: "uuid")
    static let timestamptz = PostgresType(oid: 1184, arrayOID: 1185, name: "timestamptz")
    /// Also varchar, bpchar, name, json and a literal of no declared type.
    static let text = PostgresType(oid: 25, arrayOID: 1009, name: "text", alsoReads: [1043, 1042, 19, 114, 705])

    func reads(_ column: UInt32) -> Bool { column == oid || alsoReads.contains(column) }

    /// Whether an array column can be read. Each value names its element type, so text-like elements are checked there.
    func readsArray(_ column: UInt32) -> Bool {
        column == arrayOID || (oid == Self.text.oid && [1015, 1014, 1003, 199].contains(column))
    }
}

/// A Swift type with one binary form in PostgreSQL.
package protocol PostgresValue: Sendable {
    static var postgresType: PostgresType { get }
    /// Appends the value's bytes, without their length.
    func encode(into buffer: inout WireBuffer)
    /// - Returns: nil when the bytes are not a value of this type.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> Self?
}

extension Bool: PostgresValue {
    package static var postgresType: PostgresType { .bool }
    package func encode(into buffer: inout WireBuffer) { buffer.append(UInt8(self ? 1 : 0)) }
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> Bool? { bytes.count == 1 ? bytes[0] != 0 : nil }
}

extension Int16: PostgresValue {
    package static var postgresType: PostgresType { .int2 }
    package func encode(into buffer: inout WireBuffer) { buffer.append(self) }
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> Int16? { bytes.integer() }
}

extension Int32: PostgresValue {
    package static var postgresType: PostgresType { .int4 }
    package func encode(into buffer: inout WireBuffer) { buffer.append(self) }
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> Int32? { bytes.integer() }
}

extension Int64: PostgresValue {
    package static var postgresType: PostgresType { .int8 }
    package func encode(into buffer: inout WireBuffer) { buffer.append(self) }
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> Int64? { bytes.integer() }
}

extension Float: PostgresValue {
    package static var postgresType: PostgresType { .float4 }
    package func encode(into buffer: inout WireBuffer) { buffer.append(bitPattern) }
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> Float? {
        bytes.integer().map(Float.init(bitPattern:))
    }
}

extension Double: PostgresValue {
    package static var postgresType: PostgresType { .float8 }
    package func encode(into buffer: inout WireBuffer) { buffer.append(bitPattern) }
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> Double? {
        bytes.integer().map(Double.init(bitPattern:))
    }
}

extension String: PostgresValue {
    package static var postgresType: PostgresType { .text }
    package func encode(into buffer: inout WireBuffer) { buffer.append(utf8: self) }
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> String? { String(validating: bytes, as: UTF8.self) }
}

/// The binary form of bytea.
extension [UInt8]: PostgresValue {
    package static var postgresType: PostgresType { .bytea }
    package func encode(into buffer: inout WireBuffer) { withUnsafeBytes { buffer.append($0) } }
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? { Array(bytes) }
}

/// The binary form of uuid, highest byte first.
extension UInt128: PostgresValue {
    package static var postgresType: PostgresType { .uuid }
    package func encode(into buffer: inout WireBuffer) { buffer.append(self) }
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> UInt128? { bytes.integer() }
}

extension UnsafeRawBufferPointer {
    /// The whole buffer as one big-endian integer; nil if its width differs.
    @inline(__always)
    func integer<Integer: FixedWidthInteger>() -> Integer? {
        guard count == MemoryLayout<Integer>.size else { return nil }
        return Integer(bigEndian: loadUnaligned(as: Integer.self))
    }

    /// A big-endian integer at an offset, which the caller has checked.
    @inline(__always)
    func integer<Integer: FixedWidthInteger>(at offset: Int) -> Integer {
        Integer(bigEndian: loadUnaligned(fromByteOffset: offset, as: Integer.self))
    }
}
