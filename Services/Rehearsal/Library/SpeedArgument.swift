import ArgumentParser

/// A factor greater than zero on the command line.
struct SpeedArgument: ExpressibleByArgument, Hashable, Sendable {
    let factor: Double

    init(_ factor: Double) { self.factor = factor }

    init?(argument: String) {
        guard let factor = Double(argument), factor > 0, factor.isFinite else { return nil }
        self.factor = factor
    }

    var defaultValueDescription: String { "\(factor)" }
}
