/// Somebody who shares the tank of the year.
enum Keeper: String, CaseIterable {
    /// Owns it, and has no quiet hours.
    case kim
    /// Watches it, lives in Lisbon, and is told nothing from ten in the evening to seven in the morning.
    case lee
}
