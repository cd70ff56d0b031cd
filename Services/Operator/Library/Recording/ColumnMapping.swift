import WaterQuality

/// The argument of `--map COLUMN=PARAMETER[:UNIT]`: which column holds which parameter, in which unit.
struct ColumnMapping: Hashable, Sendable {
    let column: String
    let parameter: Parameter
    /// nil for the parameter's canonical unit.
    let unit: WaterQuality.Unit?

    struct Fault: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    /// A column's name may contain `=`; the last one counts.
    init(_ text: String) throws(Fault) {
        guard let equals = text.lastIndex(of: "="), equals > text.startIndex else {
            throw Fault(description: "write COLUMN=PARAMETER or COLUMN=PARAMETER:UNIT, such as Temp=temperature:F")
        }
        column = String(text[..<equals])
        let parts = text[text.index(after: equals)...].split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let parameter = Parameter(name: String(parts[0])) else {
            let names = Parameter.allCases.map(\.name).joined(separator: ", ")
            throw Fault(description: "\"\(parts[0])\" is no parameter; there are \(names)")
        }
        self.parameter = parameter
        guard parts.count == 2 else {
            unit = nil
            return
        }
        guard let unit = parameter.unit(spelling: String(parts[1])) else {
            let units = WaterQuality.Unit.allCases.filter(parameter.accepts).map(\.rawValue).joined(separator: ", ")
            throw Fault(description: "\(parameter.name) is not measured in \"\(parts[1])\" but in \(units)")
        }
        self.unit = unit
    }
}

/// The cells that mean that nothing was measured.
struct MissingMarkers: Sendable {
    private let texts: Set<String>
    private let numbers: Set<Double>

    /// Empty cells, `NULL`, `NA`, `N/A` and `NaN` in any case are always among them.
    /// - Parameter markers: Others, such as `-9999`; a number also stands for its other spellings (`-9999.0`).
    init(_ markers: [String] = []) {
        texts = Set(markers.map { $0.lowercased() }).union(["", "null", "na", "n/a", "nan"])
        numbers = Set(markers.compactMap { Double($0) })
    }

    func contains(_ cell: String) -> Bool {
        if texts.contains(cell.lowercased()) { return true }
        return !numbers.isEmpty && Double(cell).map(numbers.contains) ?? false
    }
}
