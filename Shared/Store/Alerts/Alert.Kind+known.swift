import WaterQuality

extension Alert.Kind {
    /// The kinds that this version knows, as a list in SQL. During an upgrade a newer version may have stored others, which
    /// are left out of what is shown: one alert of theirs must not fail a query for everybody.
    static let known = allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
}
