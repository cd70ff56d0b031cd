package import Instants

/// The times at which an hour is closed and rolled up.
///
/// A sample must be in the roll-up of its hour, or the hour must be due again, however a race ends:
///
/// - A transaction that stores a sample asks the database for the transaction's start, after the sample is written. If
///   that is `closing` after the hour's end or later, the same transaction marks the hour as due again
///   (`MarkHoursDue`). Nearly always it is earlier, and there is nothing to do.
/// - An hour is rolled up for the first time at `rollUp` after its end, and only when no transaction of an Ingestor is
///   left that began before the hour's closing (`ClaimNextHour`). Later transactions see a clock beyond the closing,
///   and mark. The time in between allows for clocks that are set back, and for the instant in which a transaction has
///   begun but is not listed yet.
/// - A roll-up deletes the marks that it sees, and only then, with a later snapshot, reads the samples. A mark and its
///   sample are committed together: either both are seen, or the mark stays for the next time.
///
/// Ingestors before version 7 of the schema do not mark. Only a working Ingestor rolls up, so during an upgrade the
/// earlier ones have stopped by then. The exception is several Ingestors that share the messages: late samples of an
/// earlier one that runs beside one of this version are found in the samples alone.
package enum RollUpSchedule {
    /// Samples are in time for this long after their hour, for devices that send several minutes' readings at once.
    package static let closing = Duration.seconds(10 * 60)
    package static let rollUp = Duration.seconds(15 * 60)
    package static let hour = Duration.seconds(3_600)
    package static let day = Duration.seconds(86_400)

    /// The end of the hours that are closed for a transaction that began at a time. Samples before it are late.
    package static func closedUntil(at began: Timestamp) -> Timestamp { (began - closing).roundedDown(to: hour) }
}
