import WaterQuality

extension Alert.Kind {
    /// The kinds whose rules fit, as a list in SQL.
    static func list(where fits: (KindRules) -> Bool) -> String {
        allCases.filter { fits($0.rules) }.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    }
}
