extension ExplainedStep.What {
    /// How a change of an episode of another kind than range is told; `nil` where what is told of its water says it.
    init?(_ kind: Alert.Kind, _ reason: EpisodeChange.Reason, fault: PastEpisode.Fault) {
        switch (kind, reason) {
        case (.silence, .opened): self = .silent
        case (.silence, .recovered): self = .heard
        case (.fault, .opened): self = fault.begun
        case (.fault, .recovered): self = fault.ended
        case (.rate, .opened): self = .changing
        case (.rate, .recovered): self = .steady
        case (.ahead, .opened): self = .heading
        case (.ahead, .recovered): self = .turned
        case (.byHand, .opened): self = .byHandOut
        case (.byHand, .recovered): self = .byHandOver
        case (.silence, .working), (.fault, .working), (.rate, .working), (.ahead, .working), (.byHand, .working):
            self = .working
        case (.silence, .flipped), (.silence, .unlinked), (.fault, .flipped), (.fault, .unlinked), (.rate, .flipped),
            (.rate, .unlinked), (.ahead, .flipped), (.ahead, .unlinked), (.byHand, .flipped), (.byHand, .unlinked),
            (.range, _), (.test, _), (.way, _), (.signIn, _), (.summary, _), (.proof, _), (.care, _):
            return nil
        }
    }

    /// Whether the step stands at its reading, and not when it was decided. A fast change began with an earlier reading than the one that showed it.
    var isAtReading: Bool { [.works, .moved, .steady, .heading, .turned].contains(self) }
}

extension PastEpisode.Fault {
    var begun: ExplainedStep.What {
        switch self {
        case .broken: .broken
        case .flat: .flat
        case .differs: .differing
        }
    }

    fileprivate var ended: ExplainedStep.What {
        switch self {
        case .broken: .works
        case .flat: .moved
        case .differs: .agreeing
        }
    }
}
