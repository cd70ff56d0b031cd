package import WaterQuality

extension Alert {
    /// The purpose of the alert `a` in a statement: the version before had no word for `ended`.
    package static let storedPurpose = "CASE WHEN a.ended THEN 'ended' ELSE a.purpose END"
}

extension Alert.Kind {
    /// The kinds that this version knows, as a list in SQL. During an upgrade a newer version may have stored others, which
    /// are left out of what is shown: one alert of theirs must not fail a query for everybody.
    package static let known = allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
}
