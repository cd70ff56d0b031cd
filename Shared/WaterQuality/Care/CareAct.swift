package import Instants

/// The act of somebody on one occurrence of a reminder.
package struct CareAct: Hashable, Sendable {
    /// The raw values are stored, and are a promise to clients.
    package enum What: String, CaseIterable, Sendable, Encodable {
        case done, skipped
        /// Put off, this occurrence alone.
        case later
    }

    package var what: What
    /// The occurrence, by the clock of the reminder's zone.
    package var on: CivilTime
    /// When it was done, left out or put off.
    package var at: Timestamp
    /// The day of that, by the same clock.
    package var day: CivilDay
    /// Until when it is put off.
    package var until: Timestamp?

    package init(_ what: What, on: CivilTime, at time: Timestamp, day: CivilDay, until: Timestamp? = nil) {
        self.what = what
        self.on = on
        at = time
        self.day = day
        self.until = until
    }
}

/// An activity that a reminder asks for, as people choose it. The raw values are stored, and are a promise to clients.
package enum CareActivity: String, CaseIterable, Sendable, Encodable {
    case waterChange, feed, dose, cleanFilter, cleanGlass, test, calibrate, other
}
