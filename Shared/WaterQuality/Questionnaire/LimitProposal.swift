/// Limits of a parameter that follow from a keeper's answers, each with its reason. It decides nothing: a person takes it over or does not.
package struct LimitProposal: Hashable, Sendable {
    package let parameter: Parameter
    package let minimum: Reasoned?
    package let maximum: Reasoned?
    /// Those of whom one needs more than the other bears; the limits are then those of what is kept.
    package let clash: Clash?
    /// Whether species' own minima were left out, since the tank stays outdoors in winter.
    package let followsSeason: Bool

    /// A limit, and who asks for it.
    package struct Reasoned: Hashable, Sendable {
        package let limit: Steps
        package let origin: Origin
        package let isConvention: Bool

        /// Where it was read, as a person is told.
        package var sources: [String] {
            switch origin {
            case .kind(let preset): preset.sources
            case .species(_, let source): [source.title]
            case .freeAmmonia(let bound): bound.sources
            }
        }
    }

    package enum Origin: Hashable, Sendable {
        case kind(Preset)
        case species(Species, Species.Source)
        /// The free ammonia that one of them bears, as the total that is measured.
        case freeAmmonia(FreeAmmoniaBound)
    }

    /// Two that cannot live in the same water.
    package struct Clash: Hashable, Sendable {
        /// Who needs at least this much.
        package let needs: Reasoned
        /// Who bears at most this much.
        package let bears: Reasoned
    }

    /// How a proposal differs from the limits that a person has.
    package enum Difference: String, CaseIterable, Sendable {
        case same
        /// It allows less.
        case narrower
        /// It allows something that alarms now.
        case wider
    }

    package func difference(from now: PersonalRange) -> Difference {
        let lower = minimum?.limit
        let upper = maximum?.limit
        if lower == now.minimum, upper == now.maximum { return .same }
        let isLower = now.minimum.map { set in lower.map { $0 < set } ?? true } ?? false
        let isHigher = now.maximum.map { set in upper.map { $0 > set } ?? true } ?? false
        return isLower || isHigher ? .wider : .narrower
    }

    /// Whether it may be taken over along with the others unless the person says no: it changes something, does not widen what they set
    /// themselves, and reaches none of their critical limits, which would refuse it. The limits that a device has from the start are nobody's own.
    package func isPreselected(over now: PersonalRange) -> Bool {
        switch difference(from: now) {
        case .same: return false
        case .narrower: return true
        case .wider:
            let defaults = parameter.defaults
            return now.minimum == defaults.minimum && now.maximum == defaults.maximum && clash == nil
                && isPossible(beside: now)
        }
    }

    private func isPossible(beside now: PersonalRange) -> Bool {
        guard let range = try? SafeRange(parameter, minimum: minimum?.limit, maximum: maximum?.limit) else {
            return false
        }
        return (try? CriticalBand(beyond: range, minimum: now.criticalMinimum, maximum: now.criticalMaximum)) != nil
    }
}
