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
    /// - Parameter toldAt: When the alarm was decided that it ends.
    package func holdsEnd(toldAt: Timestamp) -> Bool { toldAt < since }
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

/// What is known of an episode when a digest is told.
package struct GatheredEpisode: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case open
        /// It goes on by readings that are too old to be told.
        case stale
        /// It goes on, and the person knows, or somebody is on it.
        case snoozed
        case over
        /// It is over, and the same watch has another that is open.
        case openAgain
        /// The device was given up, or nobody is left to tell.
        case moot
    }

    package var state: State
    /// Whether the person had been told of it before.
    package var isKnown: Bool

    package init(_ state: State, isKnown: Bool = false) {
        self.state = state
        self.isKnown = isKnown
    }

    /// The purpose of its part of the digest; `nil` for none: what goes on is then told by its next reading, and the end of what the person
    /// knows by itself, when the water has been calm.
    package var purpose: Alert.Purpose? {
        switch state {
        case .open: isKnown ? .reminder : .alarm
        case .over: isKnown ? nil : .past
        case .stale, .snoozed, .openAgain, .moot: nil
        }
    }
}
