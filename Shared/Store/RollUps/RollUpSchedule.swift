package import Instants

/// When an hour is closed, and when it is rolled up.
///
/// A sample must be in the roll-up of its hour, or the hour must be due again, whoever wins which race:
///
/// - Whoever stores a sample asks the database when the transaction began, after the sample is written. At `closing` after the
///   hour's end or later, the same transaction adds the hour to those that are due again (`MarkHoursDue`). Before,
///   which is nearly always, there is nothing to do.
/// - An hour is rolled up the first time at `rollUp` after its end, and only when no transaction of an Ingestor is left that
///   began before its closing (`ClaimNextHour`). Those that follow see a clock beyond the closing, and mark. The time in
///   between is for clocks that are set back and for the instant in which a transaction has begun but is not listed yet.
/// - Whoever rolls up deletes the marks that it sees, and only then, with a later snapshot, reads the samples. A mark and its
///   sample are committed together: either both are seen, or the mark stays for the next time.
///
/// Ingestors before version 7 of the schema do not mark. Only one that works rolls up, so that during an upgrade they have
/// stopped by then; except where several share the messages: what such a one stores late beside one of this version is found
/// in the samples alone.
package enum RollUpSchedule {
    /// Devices that gather some minutes before they send are still in time.
    package static let closing = Duration.seconds(10 * 60)
    package static let rollUp = Duration.seconds(15 * 60)
    package static let hour = Duration.seconds(3_600)
    package static let day = Duration.seconds(86_400)

    /// The end of the hours that are closed for a transaction that began at a time: what lies before it is late.
    package static func closedUntil(at began: Timestamp) -> Timestamp { (began - closing).roundedDown(to: hour) }
}

extension Timestamp {
    /// The beginning of the hour or day (UTC) that this instant lies in; of any span, counted from the Unix epoch.
    package func roundedDown(to span: Duration) -> Timestamp {
        let step = span.wholeMicroseconds
        let rest = microseconds % step
        return self - .microseconds(rest < 0 ? rest + step : rest)
    }

    package func roundedUp(to span: Duration) -> Timestamp {
        let down = roundedDown(to: span)
        return down == self ? self : down + span
    }
}
