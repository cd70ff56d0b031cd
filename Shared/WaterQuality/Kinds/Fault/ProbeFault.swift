package import Instants

/// A probe that has lately said that it is broken (`Sentinel`), and has given no value since.
package struct ProbeFault: Hashable, Sendable {
    /// The event times of the first and the last such word.
    package var since: Timestamp
    package var lastAt: Timestamp

    package init(since: Timestamp, lastAt: Timestamp) {
        self.since = since
        self.lastAt = lastAt
    }

    /// How long a probe must have given nothing else before it counts as broken.
    ///
    /// One bad transfer on its bus, or the 85 °C of a DS18B20 that was read too early, is over with the next reading, and
    /// concerns nobody. A minute is two more readings at the usual pace of 30 seconds. A slow device is believed with its
    /// second such reading. Both are sooner than the parameter would count as silent (`Hearing`).
    static let persistence = Duration.seconds(60)

    /// Whether the probe counts as broken.
    package var isProven: Bool { lastAt - since >= Self.persistence }

    /// What a message says of a probe.
    package enum Word: Hashable, Sendable {
        case broken
        /// A value, whatever it is.
        case value
    }

    /// What becomes of a fault.
    package enum Change: Hashable, Sendable {
        /// The message is not newer than what is known, or there is no fault.
        case none
        /// The fault begins or goes on.
        case broken(ProbeFault)
        /// The probe gives values again.
        case over
    }

    /// - Parameters:
    ///   - fault: What is known, if the probe is in doubt.
    ///   - lastEvaluated: The event time of the newest value of the parameter that was evaluated.
    ///   - latest: The latest time that an earlier mark can rightly carry (`EventTime.latest`). A later one is void.
    package static func change(
        of fault: ProbeFault?, by word: Word, at time: Timestamp, lastEvaluated: Timestamp?, latest: Timestamp
    ) -> Change {
        let known = fault.flatMap { $0.lastAt > latest ? nil : $0 }
        switch word {
        case .value:
            guard fault != nil else { return .none }
            return known.map { time > $0.lastAt } ?? true ? .over : .none
        case .broken:
            if let lastEvaluated, lastEvaluated <= latest, time <= lastEvaluated { return .none }
            guard let known else { return .broken(ProbeFault(since: time, lastAt: time)) }
            return time > known.lastAt ? .broken(ProbeFault(since: known.since, lastAt: time)) : .none
        }
    }
}

extension Finding {
    /// A detector of kind fault: the meaning of a probe's word about itself for a person. Pure and total.
    ///
    /// - Parameters:
    ///   - fault: The fault as it is after a message; `nil` when that message has ended it. A flat line is another one (`FlatLine`), and so is
    ///     a difference between two probes (`ProbePair`), whose episodes are left alone.
    ///   - moment: When the message was sent, and is decided.
    ///   - open: The open episode.
    ///   - theirsFrom: Since when the device's readings are the person's; `nil` for always.
    package static func fault(
        _ fault: ProbeFault?, at moment: FoundAt, open: Episode?, theirsFrom: Timestamp? = nil
    ) -> Finding {
        if let open, open.trouble != .fault(flatAt: nil) { return .nothing }
        guard let fault else { return .over(at: moment.time) }
        guard open != nil || fault.isProven else { return .nothing }
        return .holds(
            moment.evidence(.fault(flatAt: nil), since: max(fault.since, moment.byDevice(theirsFrom) ?? .distantPast)))
    }
}
