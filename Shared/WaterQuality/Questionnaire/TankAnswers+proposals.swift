extension TankAnswers {
    /// The limits that follow, in the order of parameters; none for a parameter of which neither the kind nor a species says anything.
    package var proposals: [LimitProposal] { Parameter.allCases.compactMap(proposal) }

    /// What all of them live in: the kind's limits, narrowed by each species.
    package func proposal(of parameter: Parameter) -> LimitProposal? {
        let kinds = kind.flatMap { kind in
            kind.limits(of: parameter).map { limits in
                (minimum: limits.minimum.map { LimitProposal.Reasoned($0, kind, limits) },
                    maximum: limits.maximum.map { LimitProposal.Reasoned($0, kind, limits) })
            }
        }
        let named = species.compactMap { one in one.bound(of: parameter).map { (one, $0) } }
        guard kinds != nil || !named.isEmpty else { return nil }
        let followsSeason = parameter == .temperature && staysOutInWinter && named.contains { $1.minimum != nil }
        let minima =
            followsSeason ? [] : named.compactMap { one, bound in bound.minimum.map { LimitProposal.Reasoned($0, one, bound) } }
        let maxima = named.compactMap { one, bound in bound.maximum.map { LimitProposal.Reasoned($0, one, bound) } }
        let needs = (([kinds?.minimum] + minima).compactMap { $0 }).first(by: >)
        let bears = (([kinds?.maximum] + maxima).compactMap { $0 }).first(by: <)
        if let needs, let bears, needs.limit >= bears.limit {
            return LimitProposal(
                parameter: parameter, minimum: kinds?.minimum, maximum: kinds?.maximum,
                clash: LimitProposal.Clash(needs: needs, bears: bears), followsSeason: followsSeason)
        }
        return LimitProposal(
            parameter: parameter, minimum: needs, maximum: bears, clash: nil, followsSeason: followsSeason)
    }
}

extension LimitProposal.Reasoned {
    fileprivate init(_ limit: Steps, _ kind: Preset, _ limits: Preset.Limits) {
        self.init(limit: limit, origin: .kind(kind), isConvention: limits.isConvention)
    }

    fileprivate init(_ limit: Steps, _ species: Species, _ bound: Species.Bound) {
        self.init(limit: limit, origin: .species(species, bound.source), isConvention: bound.isConvention)
    }
}

extension [LimitProposal.Reasoned] {
    /// The strictest of them; of equals the first, so that what is kept goes before a species.
    fileprivate func first(by isStricter: (Steps, Steps) -> Bool) -> Element? {
        reduce(nil) { strictest, next in
            guard let strictest else { return next }
            return isStricter(next.limit, strictest.limit) ? next : strictest
        }
    }
}
