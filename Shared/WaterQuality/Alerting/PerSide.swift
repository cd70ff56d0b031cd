import Instants

/// A value for each side of a watch. Kinds without sides have one value.
package struct PerSide<Value: Hashable & Sendable>: Hashable, Sendable {
    private var low: Value?
    private var high: Value?

    package static var none: Self { PerSide() }

    package init(low: Value? = nil, high: Value? = nil) {
        self.low = low
        self.high = high
    }

    /// The only value of a kind without sides stands in the place of the lower one.
    package init(_ only: Value?) { self.init(low: only) }

    /// - Parameter side: `nil` for a kind without sides.
    package subscript(side: Side?) -> Value? {
        get { side == .high ? high : low }
        set { if side == .high { high = newValue } else { low = newValue } }
    }
}

/// The charges of a watch: too low after too high is another danger, so that each side has its own.
package typealias Throttles = PerSide<Throttle>

extension PerSide<Throttle> {
    /// The later of both: what the person was told last.
    package var latest: Throttle? {
        guard let low else { return high }
        guard let high else { return low }
        return low.runsFrom > high.runsFrom ? low : high
    }

    /// The side that the person was told of last; `nil` where there is none, or the kind has no sides.
    package func latestSide(of kind: KindRules) -> Side? {
        guard kind.hasSides else { return nil }
        return latest.map { $0 == high ? .high : .low }
    }

    /// Counts each alert as arrived.
    package mutating func arrive() {
        low?.pending = nil
        high?.pending = nil
    }
}

/// The snoozes of a watch. They stand beside its state, which is copied with every decision.
package typealias Snoozes = PerSide<Snooze>

extension PerSide<Snooze> {
    /// Without an answer that was given of better water: somebody is on it, but now it is much worse.
    @inline(__always)
    func bearing(_ value: Steps, in range: SafeRange) -> Self {
        if low == nil, high == nil { return self }
        guard let side = range.side(of: value), let worst = self[side]?.worst, range.isFar(value, beyond: worst) else {
            return self
        }
        var borne = self
        borne[side] = nil
        return borne
    }

    /// Drops an acknowledgement that ends with its episode.
    /// - Parameter open: The episode that was open before the decision.
    package mutating func follow(_ action: Decision.Action, of open: Episode?) {
        switch action {
        case .close, .flip:
            if let open, self[open.side]?.isAcknowledgement == true { self[open.side] = nil }
        case .nothing, .open, .stay: break
        }
    }
}
