extension TankAnswers {
    /// Reminders to begin with, as far as they fit: nobody feeds a pool or doses where nothing grows.
    package var reminders: [CareProposal] {
        CareProposal.all.filter { proposal in
            switch proposal.activity {
            case .feed: kind != .pool
            case .dose: kind == .pool || kind == .reef || hasPlants != false
            case .cleanGlass: place.map { $0 == .indoors } ?? true
            case .calibrate: probes.map { !$0.isEmpty } ?? true
            default: true
            }
        }
    }
}
