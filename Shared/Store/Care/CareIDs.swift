package import Postgres
package import WaterQuality

/// A reminder of a tank, by the UUID that a client chose for it.
package struct ReminderID: RowUUID {
    package let rawValue: UInt128
    package init(rawValue: UInt128) { self.rawValue = rawValue }
}

/// The act of somebody on an occurrence of a reminder, by the UUID that a client chose for it.
package struct CareActID: RowUUID {
    package let rawValue: UInt128
    package init(rawValue: UInt128) { self.rawValue = rawValue }
}

/// A sample of the field, by the UUID that its client gave it.
package struct FieldSampleID: RowUUID {
    package let rawValue: UInt128
    package init(rawValue: UInt128) { self.rawValue = rawValue }
}

/// The key of a reminder's row.
package struct ReminderKey: Hashable, Sendable {
    package var slot: Slot
    package var reminder: ReminderID

    package init(slot: Slot, reminder: ReminderID) {
        self.slot = slot
        self.reminder = reminder
    }

    package init(_ row: inout RowReader) throws {
        try self.init(slot: row.read(), reminder: row.read())
    }
}

extension Parameters {
    /// Two arrays: the slots and the reminders.
    package mutating func append(_ keys: [ReminderKey]) {
        append(keys.map(\.slot))
        append(keys.map(\.reminder))
    }
}
