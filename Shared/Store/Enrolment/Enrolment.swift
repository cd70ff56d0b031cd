/// Requests to the enroller.
package enum Enrolment {
    package enum Kind: String, CaseIterable, Sendable {
        /// Devices.
        case make
        /// New keys of devices that they own.
        case rotate
    }

    /// The state of a device that was asked for.
    package enum State: String, CaseIterable, Sendable {
        case waiting, made
        /// Theirs already: nothing changes.
        case known
        case refused
    }

    /// Why nothing was made.
    package enum Reason: String, CaseIterable, Sendable {
        /// Somebody else has it.
        case taken
        /// The broker has an account of this name that is no device's.
        case account
        /// A project or an account has as many devices as it may have.
        case full
        /// Too much in an hour or a day.
        case tooMany
        /// The session ended, or the right to ask for it.
        case withdrawn
        /// The request waited for a day.
        case late
    }

    /// The most devices that are asked for at once.
    package static let most = 1_000
}
