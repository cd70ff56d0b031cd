package import Instants

/// A stretch of time in which something was wrong for one person: a value out of range, a silence, a broken probe, ...
package struct Episode: Hashable, Sendable {
    package struct ID: RawRepresentable, Hashable, Comparable, Sendable {
        package let rawValue: Int64

        package init(rawValue: Int64) { self.rawValue = rawValue }

        package static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
    }

    /// The trouble, with what only its kind has.
    package var trouble: Trouble
    /// The beginning that a message calls "since". Of range, the event time of the first reading out of range; of silence, the
    /// receipt of the last reading; of fault, the first word of it, the first whole hour in which the value stayed the same, or the first
    /// value that lay apart; of rate, the reading from which the change is measured; of ahead, the reading that showed it; of byHand, the test.
    package var openedAt: Timestamp
    /// Whether an alert was made for this episode. The next one is then a reminder.
    package var isAlerted: Bool
    /// Whether the last attempt to notify found no usable endpoint.
    package var noRecipient: Bool
    /// Whether it has something to say that is gathered for a digest.
    package var isGathered: Bool

    package init(
        _ trouble: Trouble, openedAt: Timestamp, isAlerted: Bool = false, noRecipient: Bool = false,
        isGathered: Bool = false
    ) {
        self.trouble = trouble
        self.openedAt = openedAt
        self.isAlerted = isAlerted
        self.noRecipient = noRecipient
        self.isGathered = isGathered
    }

    /// An episode of kind range.
    package init(
        side: Side, openedAt: Timestamp, worst: Steps, isAlerted: Bool = false, noRecipient: Bool = false,
        isCritical: Bool = false
    ) {
        self.init(
            .range(Excursion(side: side, worst: worst, isCritical: isCritical)), openedAt: openedAt,
            isAlerted: isAlerted, noRecipient: noRecipient)
    }

    /// One case for each kind of alert that has episodes.
    package enum Trouble: Hashable, Sendable {
        case range(Excursion)
        case silence
        /// - Parameter flatAt: The value that stays the same, in the parameter's canonical unit; `nil` where the probe says itself
        ///   that it is broken.
        case fault(flatAt: Float?)
        /// Of kind fault, too: the probe and a second one in the same water lie apart.
        /// - Parameter by: How much higher it reads, in the parameter's canonical unit; below zero: lower.
        case differs(by: Float)
        case rate
        case ahead
        /// - Parameter isCritical: Whether an alert was made for a value beyond the critical limit.
        case byHand(isCritical: Bool)

        package var kind: Alert.Kind {
            switch self {
            case .range: .range
            case .silence: .silence
            case .fault, .differs: .fault
            case .rate: .rate
            case .ahead: .ahead
            case .byHand: .byHand
            }
        }
    }

    /// A value out of range.
    package struct Excursion: Hashable, Sendable {
        package var side: Side
        /// The value furthest out so far.
        package var worst: Steps
        /// Whether an alert was made for a value beyond the critical limit.
        package var isCritical: Bool
        /// When it was found that the value was still out of range after somebody had worked on the water; `nil` where nobody had.
        package var stillAt: Timestamp?

        package init(side: Side, worst: Steps, isCritical: Bool = false, stillAt: Timestamp? = nil) {
            self.side = side
            self.worst = worst
            self.isCritical = isCritical
            self.stillAt = stillAt
        }

        /// Whether nobody has been told yet that it goes on after the work.
        /// - Parameter throttle: The last charge of its side.
        func goesOnAfterWork(untold throttle: Throttle?) -> Bool {
            guard let stillAt else { return false }
            return throttle.map { $0.runsFrom < stillAt } ?? true
        }
    }

    /// The value out of range; `nil` for the other kinds.
    package var excursion: Excursion? { if case .range(let excursion) = trouble { excursion } else { nil } }

    /// The side of the range; `nil` for the kinds without sides.
    package var side: Side? { excursion?.side }

    /// Whether an alert was made for a value beyond the critical limit; never of kinds without one.
    package var isCritical: Bool {
        switch trouble {
        case .range(let excursion): excursion.isCritical
        case .byHand(let isCritical): isCritical
        case .silence, .fault, .differs, .rate, .ahead: false
        }
    }

    /// The value that stays the same; `nil` for other troubles.
    package var flatAt: Float? { if case .fault(let value) = trouble { value } else { nil } }

    /// The difference by which the probe reads higher than a second one; `nil` for other troubles.
    package var differsBy: Float? { if case .differs(let value) = trouble { value } else { nil } }

    /// Takes over what is wrong by now: of a value out of range the worst counts; other troubles stay what they were.
    mutating func fold(_ newer: Trouble) {
        guard case .range(let newer) = newer, case .range(var excursion) = trouble else { return }
        excursion.worst =
            excursion.side == .high ? max(excursion.worst, newer.worst) : min(excursion.worst, newer.worst)
        excursion.stillAt = newer.stillAt ?? excursion.stillAt
        trouble = .range(excursion)
    }

    mutating func noteCritical() {
        switch trouble {
        case .range(var excursion):
            excursion.isCritical = true
            trouble = .range(excursion)
        case .byHand: trouble = .byHand(isCritical: true)
        case .silence, .fault, .differs, .rate, .ahead: break
        }
    }
}

extension Episode {
    package typealias Reference = WaterQuality.Reference<ID>
}
