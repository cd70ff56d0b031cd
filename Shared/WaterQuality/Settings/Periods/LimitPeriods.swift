/// The periods of a parameter's limits: what none of them covers has the plain ones.
package struct LimitPeriods: Hashable, Sendable {
    /// The most periods of one parameter.
    package static let most = 4

    /// Why periods were refused.
    package enum Fault: Error, Hashable, Sendable {
        case tooMany
        /// Two hold at one moment; counted from 0.
        case overlap(Int, Int)
    }

    /// The zone by whose clock they begin and end (IANA).
    package let zone: String
    /// In the person's order; never empty.
    package let all: [LimitPeriod]

    /// - Returns: `nil` for none.
    package init?(_ all: [LimitPeriod], zone: String) throws(Fault) {
        guard all.count <= Self.most else { throw .tooMany }
        for (index, one) in all.enumerated() {
            for other in all.indices.dropFirst(index + 1) where one.overlaps(all[other]) {
                throw .overlap(index, other)
            }
        }
        guard !all.isEmpty else { return nil }
        self.zone = zone
        self.all = all
    }

    /// The period of a place; `nil` where none holds.
    package subscript(place: LimitTurns.Place) -> LimitPeriod? {
        place.period.flatMap { all.indices.contains($0) ? all[$0] : nil }
    }
}

extension PersonalRange {
    /// The same with the limits that hold at a place of their periods.
    package func held(at place: LimitTurns.Place) -> PersonalRange {
        var held = self
        held.place = place
        guard let period = periods?[place] else { return held }
        held.minimum = period.minimum
        held.maximum = period.maximum
        held.criticalMinimum = period.criticalMinimum
        held.criticalMaximum = period.criticalMaximum
        return held
    }

    /// Whether there is a limit at some time.
    package var isEverLimited: Bool {
        minimum != nil || maximum != nil || periods?.all.contains { $0.minimum != nil || $0.maximum != nil } ?? false
    }
}
