extension TankAnswers {
    /// Species that live in other water, fresh or salt, than what is kept; than the first of them where no kind is named.
    package var strangers: [Species] {
        let water = kind.map(\.water) ?? species.first?.water
        return species.filter { $0.water != water }
    }
}

extension Preset {
    /// The water that it lives in; `nil`: nothing lives in it.
    package var water: Species.Water? {
        switch self {
        case .community, .goldfishAndKoi, .neocaridina, .caridina, .discus, .trout, .warmPond: .fresh
        case .marineFish, .reef: .salt
        case .pool: nil
        }
    }
}
