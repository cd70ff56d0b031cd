import Instants
import Store
import WaterQuality

/// A device's messages as CSV (RFC 4180).
struct SampleTable: Sendable {
    let device: DeviceKey
    let period: Range<Timestamp>
    private let work: [Work]
    private let columns: [(parameter: Parameter, scale: UnitScale)]

    /// - Parameter work: Work on the water, by the device's clock.
    init(device: DeviceKey, units: [FindUnits.Row], period: Range<Timestamp>, work: [Work]) {
        self.device = device
        self.work = work
        self.period = period
        columns = Parameter.allCases.map { parameter in
            (parameter, parameter.scale(chosen: units.first { $0.parameter == parameter }?.unit))
        }
    }

    /// The names of the columns, each with its unit: `temperature (C)`; the QARTOD codes after them, and last whether somebody worked on the
    /// water.
    var header: [UInt8] {
        var line = "time"
        for (parameter, scale) in columns {
            let unit = scale.unit
            line += "," + Self.cell(unit == .ph ? parameter.name : "\(parameter.name) (\(unit.rawValue))")
        }
        line += Parameter.allCases.map { "," + $0.qualityTitle }.joined()
        return Array((line + ",work\r\n").utf8)
    }

    func lines(_ rows: [MessageReview<ListSamples.Row>.Reviewed]) -> [UInt8] {
        var text = ""
        text.reserveCapacity(rows.count * 120)
        for reviewed in rows {
            let row = reviewed.message
            text += row.time.iso8601
            for (parameter, scale) in columns {
                text += ","
                // No value where the unit's formula does not hold.
                guard let stored = row.readings[parameter], let value = scale.fromCanonical(Double(stored)) else {
                    continue
                }
                text += "\(value.shown)"
            }
            text += reviewed.cells
            text += work.working(at: row.time, for: nil) == .no ? ",\r\n" : ",1\r\n"
        }
        return Array(text.utf8)
    }

    /// A cell of text. Text that a spreadsheet would take for a formula gets an apostrophe in front (OWASP, CSV
    /// injection).
    static func cell(_ text: String) -> String {
        var text = text
        if let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) { text = "'" + text }
        guard text.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
