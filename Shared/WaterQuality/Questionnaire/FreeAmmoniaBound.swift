/// The most free ammonia that somebody bears, of which follows the total that probes and kits measure: by how warm and how alkaline the water
/// of the tank may become.
package struct FreeAmmoniaBound: Hashable, Sendable {
    /// In mg/L as NH3.
    package let most: Float
    package let bearer: Bearer
    /// The warmest and the most alkaline water that the tank's limits allow, where the share of free ammonia is largest.
    package let temperature: Steps
    package let ph: Steps
    /// The largest whole step of total ammonia (mg/L as NH4+) of which no more than that is free.
    package let total: Steps

    package enum Bearer: Hashable, Sendable {
        case kind(Preset)
        case species(Species, Species.Source)
    }

    /// Where the share of free ammonia in fresh water was read.
    package static let formula = "Emerson, Russo, Lund and Thurston 1975, J. Fish. Res. Board Can. 32, 2379"

    /// - Returns: `nil` where the formula does not hold, or the scale of probes has no such total.
    init?(_ most: Float, of bearer: Bearer, temperature: Steps, ph: Steps) {
        let free = FreeAmmonia.mass(
            ofTotal: 1, temperature: Double(Parameter.temperature.value(of: temperature)),
            ph: Double(Parameter.ph.value(of: ph)), salinity: 0)
        guard let free else { return nil }
        let steps = (Double(most) / free / Double(Parameter.ammonia.value(of: Steps(1)))).rounded(.down)
        guard steps >= 1, steps < Double(Parameter.ammonia.absoluteRange.upperBound.count) else { return nil }
        self.most = most
        self.bearer = bearer
        self.temperature = temperature
        self.ph = ph
        total = Steps(Int32(steps))
    }

    package var sources: [String] {
        switch bearer {
        case .kind(let preset): preset.sources + [Self.formula]
        case .species(_, let source): [source.title, Self.formula]
        }
    }

    var isConvention: Bool {
        switch bearer {
        case .kind(let preset): preset.freeAmmonia?.isConvention ?? false
        case .species(_, let source): source.isConvention
        }
    }
}

extension Preset {
    /// The most free ammonia by the preset's own sources, in mg/L as NH3; `nil` where they tell the total alone.
    var freeAmmonia: (most: Float, isConvention: Bool)? {
        switch self {
        case .goldfishAndKoi: (0.02, false)
        case .trout: (0.02, true)
        case .warmPond: (0.05, false)
        case .community, .marineFish, .reef, .neocaridina, .caridina, .discus, .pool: nil
        }
    }
}

extension TankAnswers {
    /// The bounds of ammonia that follow from its free part, in fresh water whose other limits say how warm and how alkaline it may become.
    var freeAmmonia: [FreeAmmoniaBound] {
        guard kind?.water != .salt, let temperature = proposal(of: .temperature)?.maximum?.limit,
            let ph = proposal(of: .ph)?.maximum?.limit
        else { return [] }
        let own = kind.flatMap { kind in
            kind.freeAmmonia.flatMap {
                FreeAmmoniaBound($0.most, of: .kind(kind), temperature: temperature, ph: ph)
            }
        }
        let named = species.compactMap { one -> FreeAmmoniaBound? in
            guard let bound = one.bound(of: .freeAmmonia), let most = bound.maximum else { return nil }
            return FreeAmmoniaBound(
                Parameter.freeAmmonia.value(of: most), of: .species(one, bound.source), temperature: temperature, ph: ph
            )
        }
        return [own].compactMap(\.self) + named
    }
}
