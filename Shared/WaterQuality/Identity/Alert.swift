/// One message to one person about one parameter of one device.
package enum Alert {
    package struct ID: RawRepresentable, Hashable, Comparable, Sendable {
        package let rawValue: Int64

        package init(rawValue: Int64) { self.rawValue = rawValue }

        package static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
    }

    /// The subject of an episode and its alerts. The raw values are stored.
    package enum Kind: String, CaseIterable, Sendable, Encodable {
        /// A value outside of the person's range.
        case range
        /// Nothing is heard of a device.
        case silence
        /// A probe says that it is broken.
        case fault
        /// A value changes faster than the person wants.
        case rate
        /// A value is on the way to a limit, and reaches it within the time that the person wants to be told ahead.
        case ahead
        /// A value that somebody measured by hand is outside of the person's range.
        case byHand
        /// A test that a person asked for.
        case test
        /// A way to reach the person does not take alerts.
        case way
        /// Somebody signed in to the person's account where nobody had before.
        case signIn
        /// How the person's water was, at a time that they chose.
        case summary
        /// A way to reach the person shows that it still works.
        case proof
        /// What is to be done for the person's water, or that somebody did it.
        case care
    }

    /// The purpose of an alert. The raw values are stored, and are a promise to receivers.
    package enum Purpose: String, CaseIterable, Sendable, Encodable {
        /// The first of an episode.
        case alarm
        /// The episode goes on.
        case reminder
        /// The episode is over.
        case recovery
        /// The episode goes on, but the person does not watch the device any more: its owner has removed it, or them.
        case ended
        /// The episode began and ended while alerts were gathered, and is told in a digest.
        case past
        /// Somebody else, or another endpoint of the same person, is told because nobody has answered.
        case escalation
        /// What somebody was called for is over, or somebody is on it.
        case calledOff
        case test
        /// It tells of the person's account, and of no water.
        case note

        /// Whether it is about something that goes on.
        package var isOfTrouble: Bool { self == .alarm || self == .reminder }
    }

    /// The endpoints that an alert is for. The raw values are stored.
    package enum Audience: String, CaseIterable, Sendable {
        /// Those that hear at all hours.
        case atOnce
        /// The others, which are told in a digest.
        case gathered
    }

    /// How far an alert got. The raw values are stored.
    package enum State: String, CaseIterable, Sendable, Encodable {
        /// The alert is not expanded to deliveries yet. Next: `sending` or, without a usable endpoint, `undelivered`.
        case decided
        /// A delivery is pending. Next: `delivered` or `undelivered`.
        case sending
        /// All deliveries have ended, at least one accepted.
        case delivered
        case undelivered
        /// The device was unlinked, a test withdrawn, or what it says was over or no longer asked, before anybody had got it.
        case cancelled
    }
}
