/// Why a station gives no values. The raw values are stored; people read them in words.
package enum StationFault: String, Error, CaseIterable, Sendable {
    /// No connection, or no answer in time.
    case unreachable
    /// The host's name leads to an address that must not be called.
    case notPermitted
    /// The operator's list has the host no longer.
    case notAllowed
    case notFound
    /// The source wants to know who asks.
    case refused
    /// The source asks for a pause.
    case busy
    /// The source has failed, or sends somewhere else.
    case broken
    case tooLarge
    case unreadable
    /// The station measures nothing that is known here.
    case noSeries
    /// The values came and were not stored: too many at once.
    case notStored

    /// Whether any question to that host has come to nothing.
    package var isOfHost: Bool { self == .unreachable || self == .busy || self == .notPermitted }
}
