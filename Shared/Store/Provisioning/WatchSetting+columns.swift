package import Postgres
package import WaterQuality

extension WatchSetting {
    /// The column of `setting`: the API's name as SQL writes it.
    package var column: String {
        name.reduce(into: "") { text, letter in text += letter.isUppercase ? "_\(letter.lowercased())" : "\(letter)" }
    }

    package static let columnNames = allCases.map(\.column).joined(separator: ", ")

    /// All columns as the whole numbers that `WatchSettings` reads.
    /// - Parameter table: The table's alias, with a dot.
    package static func columns(of table: String = "") -> String {
        allCases.map { "\(table)\($0.column)::integer" }.joined(separator: ", ")
    }

    /// The parameters of a statement as values of the columns.
    static func values(from first: Int) -> String {
        allCases.map { setting in
            let value = "$\(first + setting.rawValue)::integer"
            return switch setting.form {
            case .flag: "coalesce(\(value), 0) <> 0"
            case .seconds: "coalesce(\(value), 0)"
            case .minutes, .change: value
            }
        }.joined(separator: ", ")
    }

    /// All settings as members of a JSON object, with changes in the canonical unit.
    package static func members(of table: String, stepsPerUnit: String) -> String {
        allCases.map { setting in
            let value = "\(table)\(setting.column)"
            return "'\(setting.name)', \(setting.form == .change ? "\(value) / \(stepsPerUnit)" : value)"
        }.joined(separator: ", ")
    }
}

extension WatchSettings {
    /// Reads `WatchSetting.columns`.
    package init(_ row: inout RowReader) throws {
        self.init()
        for setting in WatchSetting.allCases { self[setting] = try row.read(Int32?.self) }
    }
}
