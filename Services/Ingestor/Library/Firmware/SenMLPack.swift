import Instants
import WaterQuality

/// A pack of measurements in SenML (RFC 8428), as JSON:
///
///     [{"bn":"urn:dev:ow:10e2073a01080063:","bt":1777636800,"n":"temperature","u":"Cel","v":23.4},
///      {"n":"ph","u":"pH","v":7.9},{"n":"temperature","u":"Cel","t":-30,"v":23.3}]
///
/// Base values apply from their record on: names are joined, times and values added, and the unit is used where a
/// record has none. The parameter is the last part of the name, after the last `:`, `/` or `.`.
struct SenMLPack {
    private(set) var moments: [ReadingsPayload] = []

    private var base = Base()
    /// The time of each moment, as the pack states it.
    private var times: [Double] = []

    private struct Base {
        var name = ""
        var time = 0.0
        var unit: String?
        var value = 0.0
    }

    private struct Record {
        var name = ""
        var time = 0.0
        var unit: String?
        var value: Value?
    }

    private enum Value {
        case number(Double)
        case other
    }

    /// The version of RFC 8428.
    private static let version = 10.0
    /// Times below this, 2^28, are relative to now.
    private static let firstAbsolute = 268_435_456.0
    /// Longest age in seconds: before any clock was set, however long ago that is.
    private static let longestAge = 1e11

    init(_ bytes: [UInt8]) throws(JSONScanner.Fault) {
        var scanner = JSONScanner(bytes)
        try scanner.expect(UInt8(ascii: "["))
        if !scanner.take(UInt8(ascii: "]")) {
            repeat { try readRecord(&scanner) } while scanner.take(UInt8(ascii: ","))
            try scanner.expect(UInt8(ascii: "]"))
        }
        try scanner.expectEnd()
        if moments.isEmpty { moments.append(ReadingsPayload()) }
    }

    private mutating func readRecord(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        var record = Record()
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            switch (name, try scanner.peek()) {
            case ("bn", .string): base.name = try scanner.string()
            case ("bt", .number): base.time = try scanner.number()
            case ("bu", .string): base.unit = try scanner.string()
            case ("bv", .number): base.value = try scanner.number()
            case ("bver", .number):
                guard try scanner.number() <= Self.version else { throw scanner.fault }
            case ("n", .string): record.name = try scanner.string()
            case ("t", .number): record.time = try scanner.number()
            case ("u", .string): record.unit = try scanner.string()
            case ("v", .number): record.value = .number(try scanner.number())
            case ("v", .notANumber):
                try scanner.notANumber()
                record.value = .number(.nan)
            case ("v", _), ("vs", _), ("vb", _), ("vd", _):
                try scanner.skipValue()
                record.value = .other
            default:
                // A label that ends in `_` must be understood (section 4.4).
                guard !name.hasSuffix("_") else { throw scanner.fault }
                try scanner.skipValue()
            }
        }
        take(record)
    }

    private mutating func take(_ record: Record) {
        guard let value = record.value else { return }
        let name = base.name + record.name
        let index = moment(at: base.time + record.time)
        guard let parameter = Parameter(name: String(name[Self.lastPart(of: name)...])) else {
            return moments[index].noteUnknown(String(name[Self.lastPart(of: name)...]))
        }
        switch value {
        case .other: moments[index].note(.wrongType, "\(parameter.name) is no number", about: parameter)
        case .number(let number):
            let (value, unit) = Self.spelled(number + base.value, record.unit ?? base.unit)
            moments[index].keep(value, unit, parameter)
        }
    }

    private static func lastPart(of name: String) -> String.Index {
        name.utf8.lastIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
            .map { name.utf8.index(after: $0) } ?? name.startIndex
    }

    /// SenML's units are SI units without prefixes; ours are those of aquarists.
    private static func spelled(_ value: Double, _ unit: String?) -> (Double, String?) {
        switch unit {
        case "S/m": (value * 10, "mS/cm")
        case "V": (value * 1_000, "mV")
        case "kg/m3": (value * 1_000, "mg/L")
        // A ratio: 1 is 100 %.
        case "/": (value * 100, "%")
        default: (value, unit)
        }
    }

    /// Index of the moment for measurements of this time. Measurements of different moments stay apart, even where
    /// nobody can tell when they were.
    private mutating func moment(at time: Double) -> Int {
        var moment = ReadingsPayload()
        if !time.isFinite || time >= Self.firstAbsolute {
            moment.keepTime(epoch: time)
        } else if time < 0 {
            moment.time = .ago(.milliseconds(Int64(min(-time, Self.longestAge) * 1_000)))
        }
        // Otherwise now: a time ahead of now comes from a device without a clock, which counts from its start.
        let known = moments.indices.first { index in
            moments[index].time == moment.time && (moment.time != .unreadable || times[index] == time && time.isFinite)
        }
        if let known { return known }
        moments.append(moment)
        times.append(time)
        return moments.count - 1
    }
}
