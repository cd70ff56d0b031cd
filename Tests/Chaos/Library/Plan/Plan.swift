import TestSupport

/// The sequence of faults, determined by the seed.
package struct Plan: Sendable {
    package let rounds: [Round]

    /// Shuffles the faults like cards, so that each comes once before any comes again.
    /// - Parameter faults: The faults to choose from.
    package init(seed: UInt64, rounds count: Int, faults: [Fault] = Fault.all) {
        var generator = SeededGenerator(seed: seed)
        var deck: [Fault] = []
        var rounds: [Round] = []
        while rounds.count < count, !faults.isEmpty {
            if deck.isEmpty { deck = faults.shuffled(using: &generator) }
            let fault = deck.removeLast()
            rounds.append(
                Round(
                    number: rounds.count + 1, fault: fault,
                    lead: .milliseconds(Int.random(in: 600...1800, using: &generator)),
                    length: .milliseconds(Int.random(in: fault.length, using: &generator)), seed: generator.next()))
        }
        self.rounds = rounds
    }
}

extension Fault {
    /// The length in milliseconds.
    fileprivate var length: ClosedRange<Int> {
        switch self {
        case .kill, .restart, .crashDatabase, .killBackend, .crashBroker, .restartBroker, .newBroker, .machine:
            1000...2500
        case .connections(_, .halfClose), .device: 1500...3000
        case .twins, .connections(_, .cut), .endpoint, .poison: 2000...5000
        case .crashBrokerBehind, .newBrokerBehind, .freeze, .stall, .connections(_, .delay),
            .connections(_, .blackHole), .fullDisk, .fullLog:
            3000...6000
        case .freezeBroker: 100_000...100_000
        }
    }
}
