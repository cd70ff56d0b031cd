import TestSupport

/// The successive values of one quantity, in hundredths: water that wanders, drifts out and back, steps, stands still
/// or lies at a limit, and a probe that glitches or alternates.
struct WaterScript {
    private enum Stretch: CaseIterable {
        case wandering, leaving, returning, stepping, glitching, alternating, still, atLimit
    }

    private let quantity: Quantity
    private let limits: Limits
    private var value: Int
    private var stretch = Stretch.wandering
    private var left = 0
    private var target = 0

    init(_ quantity: Quantity, _ limits: Limits) {
        self.quantity = quantity
        self.limits = limits
        value = Self.middle(of: limits) * 10
    }

    /// A value in range, in steps.
    static func middle(of limits: Limits) -> Int {
        switch (limits.minimum, limits.maximum) {
        case (let low?, let high?): (low + high) / 2
        case (let low?, nil): low + 10
        case (nil, let high?): high - 10
        case (nil, nil): 200
        }
    }

    mutating func next(_ random: inout SeededGenerator) -> Int {
        if left == 0 { turn(&random) }
        left -= 1
        let told: Int
        switch stretch {
        case .wandering: (value, told) = moved(by: Int.random(in: -20...20, using: &random))
        case .leaving, .returning:
            let way = target - value
            (value, told) = moved(by: min(max(way, -40), 40) * Int.random(in: 2...4, using: &random) / 4)
        case .stepping, .atLimit: (value, told) = (target, target)
        case .glitching: told = left == 1 ? target : value
        case .alternating: told = left % 2 == 0 ? target : value
        case .still: told = value
        }
        return clear(told)
    }

    private func moved(by difference: Int) -> (Int, Int) { (value + difference, value + difference) }

    private mutating func turn(_ random: inout SeededGenerator) {
        stretch = Stretch.allCases.randomElement(using: &random) ?? .wandering
        let side: Side = Bool.random(using: &random) ? .high : .low
        let isOut = limits.side(of: steps(value)) != nil
        let middle = Self.middle(of: limits) * 10
        left =
            Int.random(in: 0..<6, using: &random) == 0
            ? Int.random(in: 15...40, using: &random) : Int.random(in: 3...9, using: &random)
        switch stretch {
        case .wandering, .still: break
        case .leaving: target = beyond(side, by: Int.random(in: 2...40, using: &random)) * 10
        case .returning: target = middle
        case .stepping:
            target = isOut ? middle : beyond(side, by: Int.random(in: 1...60, using: &random)) * 10
        case .glitching:
            target = isOut ? middle : beyond(side, by: Int.random(in: 8...150, using: &random)) * 10
            left = 3
        case .alternating:
            let other = isOut ? middle : beyond(side, by: Int.random(in: 4...40, using: &random)) * 10
            target = other
            left = Int.random(in: 4...10, using: &random)
        case .atLimit:
            target = beyond(side, by: Int.random(in: -1...1, using: &random)) * 10
            left = Int.random(in: 1...3, using: &random)
        }
    }

    /// A value some steps beyond a limit; without a limit, beyond the middle.
    private func beyond(_ side: Side, by steps: Int) -> Int {
        let way = quantity == .temperature ? steps : max(1, steps / 4)
        switch side {
        case .high: return (limits.maximum ?? Self.middle(of: limits)) + (steps < 0 ? steps : way)
        case .low: return (limits.minimum ?? Self.middle(of: limits)) - (steps < 0 ? steps : way)
        }
    }

    /// A value that a 32-bit float expresses unambiguously: no half step without an exact representation.
    private func clear(_ told: Int) -> Int {
        let told = quantity == .temperature ? min(max(told, -3_900), 4_500) : min(max(told, 110), 1_390)
        return told % 10 == 5 && told % 50 != 25 || told % 10 == -5 && told % 50 != -25 ? told + 1 : told
    }
}
