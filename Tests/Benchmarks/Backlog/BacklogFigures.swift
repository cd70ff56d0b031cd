import Foundation

/// The recovery of an engine from a backlog of a day.
struct BacklogFigures: Encodable, Sendable {
    let backlogMessages: Int
    let backlogBatches: Int
    /// From the start of the process until no batch waits.
    let backlogSeconds: Double
    let backlogMessagesPerSecond: Double
    let backlogReadyAfterSeconds: Double
    /// The number of readiness checks, and of those that failed.
    let backlogLooks: Int
    let backlogUnreadyLooks: Int
    let backlogPeakMib: Double

    var text: String {
        """
        Backlog: \(backlogMessages) messages in \(backlogBatches) batches wait for an engine
          level after \(String(format: "%.1f", backlogSeconds)) s, \(Int(backlogMessagesPerSecond)) messages/s, \(Int(backlogPeakMib)) MiB at most
          ready after \(String(format: "%.2f", backlogReadyAfterSeconds)) s; then asked \(backlogLooks) times, not ready \(backlogUnreadyLooks) times
        """
    }
}
