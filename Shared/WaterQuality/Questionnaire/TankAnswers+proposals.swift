extension TankAnswers {
    /// The limits that follow, in the order of parameters; none for a parameter of which neither the kind nor a species says anything.
    package var proposals: [LimitProposal] { Parameter.allCases.compactMap(proposal) }

    /// The limits in which all of them live: the kind's, narrowed by each species, and of ammonia by what is borne of its free part.
    package func proposal(of parameter: Parameter) -> LimitProposal? {
        let limits = kind?.limits(of: parameter)
        let named = species.compactMap { one in one.bound(of: parameter).map { (species: one, bound: $0) } }
        let free = (parameter == .ammonia ? freeAmmonia : []).map { LimitProposal.Reasoned($0) }
        guard limits != nil || !named.isEmpty || !free.isEmpty else { return nil }
        let followsSeason =
            parameter == .temperature && staysOutInWinter && named.contains { $0.bound.minimum != nil }
        let ownMinimum = reasoned(limits, \.minimum)
        let ownMaximum = reasoned(limits, \.maximum)
        let minima = followsSeason ? [] : named.compactMap { LimitProposal.Reasoned($0.bound.minimum, $0) }
        let maxima = named.compactMap { LimitProposal.Reasoned($0.bound.maximum, $0) }
        let needs = ([ownMinimum].compactMap(\.self) + minima).strictest(by: >)
        let bears = ([ownMaximum].compactMap(\.self) + maxima + free).strictest(by: <)
        if let needs, let bears, needs.limit >= bears.limit {
            return LimitProposal(
                parameter: parameter, minimum: ownMinimum, maximum: ownMaximum,
                clash: LimitProposal.Clash(needs: needs, bears: bears), followsSeason: followsSeason)
        }
        return LimitProposal(
            parameter: parameter, minimum: needs, maximum: bears, clash: nil, followsSeason: followsSeason)
    }

    private func reasoned(
        _ limits: Preset.Limits?, _ side: KeyPath<Preset.Limits, Steps?>
    ) -> LimitProposal.Reasoned? {
        guard let kind, let limits, let limit = limits[keyPath: side] else { return nil }
        return LimitProposal.Reasoned(limit: limit, origin: .kind(kind), isConvention: limits.isConvention)
    }
}

extension LimitProposal.Reasoned {
    fileprivate init(_ bound: FreeAmmoniaBound) {
        self.init(limit: bound.total, origin: .freeAmmonia(bound), isConvention: bound.isConvention)
    }

    fileprivate init?(_ limit: Steps?, _ named: (species: Species, bound: Species.Bound)) {
        guard let limit else { return nil }
        self.init(
            limit: limit, origin: .species(named.species, named.bound.source), isConvention: named.bound.isConvention)
    }
}

extension [LimitProposal.Reasoned] {
    /// The strictest of them; of equals the first, so that what is kept goes before a species.
    fileprivate func strictest(by isStricter: (Steps, Steps) -> Bool) -> Element? {
        reduce(nil) { strictest, next in
            guard let strictest else { return next }
            return isStricter(next.limit, strictest.limit) ? next : strictest
        }
    }
}
