package import Instants

/// The binary form of timestamptz: microseconds since 2000-01-01. The smallest and the largest number are `-infinity`
/// and `infinity`, and times out of PostgreSQL's range saturate to them.
extension Timestamp: PostgresValue {
    private static let epoch2000: Int64 = 946_684_800_000_000

    package static var postgresType: PostgresType { .timestamptz }
    package func encode(into buffer: inout WireBuffer) { buffer.append(since2000) }
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> Timestamp? {
        guard let since2000: Int64 = bytes.integer() else { return nil }
        if since2000 == .min { return Timestamp(microseconds: .min) }
        let (moved, overflow) = since2000.addingReportingOverflow(epoch2000)
        return Timestamp(microseconds: overflow ? .max : moved)
    }

    var since2000: Int64 {
        let (moved, overflow) = microseconds.subtractingReportingOverflow(Self.epoch2000)
        return microseconds == .max ? microseconds : overflow ? .min : moved
    }
}
