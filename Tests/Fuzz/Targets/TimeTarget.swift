import Instants
import WaterQuality

@testable import Operator

extension FuzzTarget {
    /// A time; behind line breaks, a pattern and a zone for reading it.
    static let time = FuzzTarget(
        "time",
        seeds: [
            "2026-05-01T12:00:00.125+05:30", "1777636800.25", "1/5/2026 1:02 PM\n%d/%m/%Y %I:%M %p\nEurope/Madrid",
            "20260501120000,5Z\n%Y%m%d%H%M%S,%f%z\n-06:00", "31.12.99 23:59\n%d.%m.%y %H:%M", "2016-12-31T23:59:60Z",
        ],
        words: [
            "%Y", "%y", "%m", "%d", "%H", "%I", "%p", "%M", "%S", "%f", "%z", "%%", " ", "Z", "+23:59", "-00:00", "AM",
            "T",
            "9999-12-31", "0000-01-01", ":60", ".999999999", "\n", "Asia/Tokyo", "America/St_Johns", "253402300799",
        ]
    ) { bytes in
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let text = String(lines[0])
        if let time = Timestamp(text) { try promise(Timestamp(time.iso8601) == time, "\(text) is \(time)") }
        let zone = lines.count > 2 ? Zone(String(lines[2])) ?? .utc : .utc
        if let time = TimeReading(format: nil, zone: zone).instant(text) { try promiseNear(time, text) }
        guard lines.count > 1, let format = try? TimeFormat(String(lines[1])) else { return }
        if let time = TimeReading(format: format, zone: zone).instant(text) { try promiseNear(time, text) }
    }

    /// Promises a year of four digits, and an offset of at most a day.
    private static func promiseNear(_ time: Timestamp, _ text: String) throws {
        try promise((-1...10_000).contains(time.civilTime().year), "\(text) is \(time)")
        try promise(Timestamp(time.civilTime()) == time, "\(time) is not what its calendar says")
    }
}
