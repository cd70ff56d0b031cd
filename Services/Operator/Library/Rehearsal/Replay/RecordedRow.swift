import Instants
import WaterQuality

/// One row of a recording, ready to be published.
struct RecordedRow: Hashable, Sendable {
    struct Value: Hashable, Sendable {
        let parameter: Parameter
        /// As the file has it, as far as JSON allows; `inf` as a device sends it.
        let number: String
        let unit: WaterQuality.Unit?
    }

    let line: Int
    let time: Timestamp
    /// Empty where nothing was measured: a gap, which is kept.
    let values: [Value]
    /// Cells that are left out.
    var faults: [RowFault] = []

    /// The message of a device whose clock shows `time`.
    func payload(at time: Timestamp) -> [UInt8] {
        let readings = values.map { value in
            let measured = value.unit.map { #"{"value":\#(value.number),"unit":"\#($0.rawValue)"}"# } ?? value.number
            return #""\#(value.parameter.name)":\#(measured)"#
        }
        return Array(#"{"time":"\#(time.iso8601)","readings":{\#(readings.joined(separator: ","))}}"#.utf8)
    }
}

/// Why a row, or a cell of one, is skipped.
struct RowFault: Error, Hashable, CustomStringConvertible {
    let line: Int
    let reason: String

    var description: String { "line \(line): \(reason)" }
}

/// A cell as a device sends it: a number in the grammar of JSON, or what `printf` makes of an infinite one, which the Ingestor
/// knows for the fault of a probe; nil for anything else.
func deviceNumber(_ cell: String) -> String? {
    switch cell.lowercased() {
    case "inf", "+inf", "infinity", "+infinity": "inf"
    case "-inf", "-infinity": "-inf"
    default: jsonNumber(cell)
    }
}

/// A number of a cell in the grammar of JSON; nil for anything else, infinities and hexadecimal digits included.
///
/// Text that JSON allows stays as it is, so that no digit of the recording is lost.
func jsonNumber(_ cell: String) -> String? {
    let allowed = cell.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
    guard allowed, let value = Double(cell), value.isFinite else { return nil }
    return isJSON(decimal: cell) ? cell : "\(value)"
}

/// Whether JSON, too, reads a text that is a finite decimal number; an exponent counts as no.
///
/// JSON wants a digit on either side of the point, no plus and no zero before other digits.
private func isJSON(decimal text: String) -> Bool {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    let whole = digits.prefix { $0 != UInt8(ascii: ".") }
    return digits.allSatisfy { $0 < UInt8(ascii: "A") && $0 != UInt8(ascii: "+") }
        && (whole.count == 1 || whole.count > 1 && whole.first != UInt8(ascii: "0"))
        && digits.last != UInt8(ascii: ".")
}
