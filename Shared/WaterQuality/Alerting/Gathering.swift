package import Instants

/// A stretch in which alerts to a person are gathered for one digest. Endpoints that hear at all hours are told at once, as they are of
/// what is critical.
package struct Gathering: Hashable, Sendable {
    /// Why alerts are gathered. The raw values are stored.
    package enum Reason: String, CaseIterable, Sendable {
        /// The person's quiet hours are on.
        case quietHours
        /// The person was told as much within an hour as one can read.
        case tooMany
    }

    package var reason: Reason
    /// The beginning of the night, or of the gathering.
    package var since: Timestamp
    /// When the digest is told.
    package var until: Timestamp
    /// Whether the silence of a whole device is told all the same.
    package var silenceRings: Bool

    package init(_ reason: Reason, since: Timestamp, until: Timestamp, silenceRings: Bool = false) {
        self.reason = reason
        self.since = since
        self.until = until
        self.silenceRings = silenceRings
    }

    /// How long alerts beyond the bound are gathered.
    package static let beyondBound = Duration.seconds(15 * 60)

    /// The reason with which alerts of a watch are held back; `nil` where they are told all the same.
    /// - Parameter parameter: `nil` for a whole device.
    package func holds(_ kind: Alert.Kind, of parameter: Parameter?) -> Reason? {
        kind == .silence && parameter == nil && silenceRings ? nil : reason
    }

    /// Whether an all-clear is held back: the end of what woke the person is told at once.
    /// - Parameters:
    ///   - toldAt: When the alarm was decided that it ends.
    ///   - isToldToAll: Whether that went to all endpoints.
    package func holdsEnd(toldAt: Timestamp, isToldToAll: Bool) -> Bool { !isToldToAll || toldAt < since }
}

extension Decision.Reason {
    package init(_ reason: Gathering.Reason) {
        self =
            switch reason {
            case .quietHours: .quietHours
            case .tooMany: .tooMany
            }
    }
}

/// What a digest says of an episode that has been gathered.
package enum GatheredEpisode: Hashable, Sendable {
    /// It goes on.
    /// - Parameter isKnown: Whether the person had been told of it before.
    case open(isKnown: Bool)
    /// It is over.
    /// - Parameters:
    ///   - isKnown: As above.
    ///   - owesAllClear: Whether its end is to be announced by itself.
    case closed(isKnown: Bool, owesAllClear: Bool)
    /// The device was given up.
    case unlinked

    /// The purpose of its part of the digest; `nil` for none.
    package var purpose: Alert.Purpose? {
        switch self {
        case .open(let isKnown): isKnown ? .reminder : .alarm
        case .closed(isKnown: false, _): .past
        // What is not known to be calm yet is announced by itself, to all.
        case .closed(isKnown: true, let owesAllClear): owesAllClear ? nil : .recovery
        case .unlinked: nil
        }
    }
}
