import Instants
import Store
import WaterQuality

/// A message of a device as it is stored: its values, when they were measured, and how they came.
struct StoredMessage: Sendable {
    /// By the device's clock.
    var time: Timestamp
    var receivedAt: Timestamp
    var flags: Sample.Flags
    /// Whether some of its parameters came with a later message of the same time.
    var isInParts: Bool
    /// The parameters whose values were deleted.
    var deleted: ParameterSet
    var readings: Readings

    /// Messages that came so much later than they were measured are late: nobody is told of what they say.
    static let late = AlertPolicy().staleAfter
}

/// The choice of a device's messages to list.
struct MessageFilter: Sendable {
    /// A property that a message may have.
    enum Property: String, CaseIterable, Sendable {
        /// Received long after it was measured.
        case late
        /// Without a time of its own, or with one that was not believed.
        case receiptTime
        /// Stored, and never decided upon.
        case history
        /// Its clock, or ours, is wrong.
        case doubtedTime
        /// Completed by a later message of the same time.
        case inParts
        /// Values of it were deleted.
        case deleted
    }

    var parameter: Parameter?
    var property: Property?
}
