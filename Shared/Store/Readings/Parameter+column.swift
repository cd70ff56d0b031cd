package import WaterQuality

extension Parameter {
    /// The SQL of the column of a parameter whose number is known to the statement alone.
    /// - Parameters:
    ///   - number: The number's SQL: an input or a column.
    ///   - row: The row with the columns; nil where only one has them.
    ///   - suffix: What follows the parameter's name in that of the column, such as `_min`.
    package static func column(numbered number: String, of row: String? = nil, _ suffix: String = "") -> String {
        let prefix = row.map { "\($0)." } ?? ""
        let cases = allCases.map { "WHEN \($0.rawValue) THEN \(prefix)\($0.name)\(suffix)" }.joined(separator: " ")
        return "CASE \(number)::smallint \(cases) END"
    }
}
