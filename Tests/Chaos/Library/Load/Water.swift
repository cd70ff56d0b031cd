package import TestSupport

/// The four parameters that the devices of the suite report, in tenths, with the limits that a device starts with (the
/// manual's Table 3.1). They are stated here independently of the product.
package struct Water: Hashable, Sendable {
    package let parameter: String
    /// The parameter's number in the database.
    package let number: Int
    package let minimum: Int
    package let maximum: Int
    package let unit: String
    let english: String
    let spanish: String
    /// The name in Spanish.
    let isFeminine: Bool
    /// The critical maximum on tanks that are worked on.
    var hardMaximum: Int?

    package static let all = [
        Water(
            parameter: "temperature", number: 0, minimum: 120, maximum: 240, unit: "C", english: "Temperature",
            spanish: "temperatura", isFeminine: true),
        Water(
            parameter: "ph", number: 1, minimum: 75, maximum: 85, unit: "pH", english: "pH", spanish: "pH",
            isFeminine: false),
        Water(
            parameter: "dissolved_oxygen", number: 7, minimum: 70, maximum: 90, unit: "ppm",
            english: "Oxygen", spanish: "oxígeno", isFeminine: false),
        Water(
            parameter: "salinity", number: 8, minimum: 30, maximum: 70, unit: "ppt", english: "Salinity",
            spanish: "salinidad", isFeminine: true, hardMaximum: 80),
    ]

    /// A value in range of each parameter.
    package static let calm = all.map(\.middle)

    package var middle: Int { (minimum + maximum) / 2 }

    /// Whether a value on a tank that is worked on is beyond the critical maximum.
    func isHard(_ value: Int) -> Bool { hardMaximum.map { value > $0 } ?? false }

    package var calculation: NaiveCalculation { NaiveCalculation(minimum: minimum, maximum: maximum) }
}

/// The successive values of one parameter: in range for a while, out of range on one side for a few readings, sometimes
/// over to the other side, sometimes back to the limit itself, where an episode continues.
struct WaterScript: Sendable {
    private enum Stretch {
        case well, high, low
        case atLimit(Int)
    }

    private let water: Water
    private var generator: SeededGenerator
    private var stretch = Stretch.well
    private var left: Int

    init(_ water: Water, seed: UInt64) {
        self.water = water
        generator = SeededGenerator(seed: seed)
        left = Int.random(in: 0...10, using: &generator)
    }

    mutating func next() -> Int {
        if left == 0 { turn() }
        left -= 1
        return switch stretch {
        case .well: Int.random(in: water.minimum + 1...water.maximum - 1, using: &generator)
        case .high: Int.random(in: water.maximum + 1...water.maximum + 20, using: &generator)
        case .low: Int.random(in: water.minimum - 20...water.minimum - 1, using: &generator)
        case .atLimit(let limit): limit
        }
    }

    private mutating func turn() {
        let chance = Int.random(in: 0..<10, using: &generator)
        switch stretch {
        case .well: stretch = Bool.random(using: &generator) ? .high : .low
        case .high where chance < 2: stretch = .low
        case .low where chance < 2: stretch = .high
        case .high where chance < 5: stretch = .atLimit(water.maximum)
        case .low where chance < 5: stretch = .atLimit(water.minimum)
        default: stretch = .well
        }
        left =
            switch stretch {
            case .well: Int.random(in: 3...16, using: &generator)
            case .high, .low: Int.random(in: 1...7, using: &generator)
            case .atLimit: 1
            }
    }
}
