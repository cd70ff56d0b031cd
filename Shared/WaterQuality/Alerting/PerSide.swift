import Instants

/// The charges of the two sides of a watch: too low after too high is another danger, so that each side has its own.
package struct Throttles: Hashable, Sendable {
    private var low: Throttle?
    private var high: Throttle?

    package static let none = Throttles()

    package init(low: Throttle? = nil, high: Throttle? = nil) {
        self.low = low
        self.high = high
    }

    package subscript(side: Side) -> Throttle? {
        get { side == .low ? low : high }
        set { if side == .low { low = newValue } else { high = newValue } }
    }

    /// The later of both: what the person was told last.
    package var latest: Throttle? {
        guard let low else { return high }
        guard let high else { return low }
        return low.runsFrom > high.runsFrom ? low : high
    }

    /// Counts each alert as arrived.
    package mutating func arrive() {
        low?.pending = nil
        high?.pending = nil
    }
}
