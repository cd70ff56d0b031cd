package import Postgres
package import WaterQuality

/// Locks those of the given slots that no other engine holds, until the end of the transaction.
package struct ClaimSlots: Statement {
    package static let sql = """
        SELECT s.slot, s.state_version, r.version, now()
        FROM slot s JOIN slot_rules r USING (slot)
        WHERE s.slot = ANY ($1::smallint[])
        FOR UPDATE OF s SKIP LOCKED
        """

    /// A claimed slot.
    package struct Row: Sendable {
        package var slot: Slot
        /// What was decided in the slot so far; unchanged since an engine counted it: its memory holds.
        package var stateVersion: Int64
        /// The slot's rules; higher than remembered: read those of `ChangedDevices` anew.
        package var rulesVersion: Int64
        /// The database's clock, that decides how old a reading is.
        package var now: Timestamp
    }

    let slots: [Slot]
    package init(_ slots: [Slot]) { self.slots = slots }
    package func bind(_ parameters: inout Parameters) { parameters.append(slots.map(\.rawValue)) }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            slot: Slot(stored: row.read()), stateVersion: row.read(), rulesVersion: row.read(),
            now: Timestamp(microseconds: row.readTimestamp()))
    }
}

/// Takes the oldest batches of claimed slots, in any order between slots; the deletion counts with the decision.
package struct TakeBatches: Statement {
    package static let sql = """
        -- by their place, told once: joined, a plan for an empty queue looks for the oldest anew for every row
        DELETE FROM evaluation_batch WHERE ctid = ANY (ARRAY(
            SELECT oldest.ctid FROM unnest($1::smallint[]) AS claimed (slot)
            CROSS JOIN LATERAL (
                SELECT ctid FROM evaluation_batch WHERE slot = claimed.slot ORDER BY batch_id LIMIT $2
            ) oldest
        ))
        RETURNING slot, batch_id, received_at, messages, readings
        """

    package struct Row: Sendable {
        package var slot: Slot
        package var batch: Int64
        package var receivedAt: Timestamp
        package var messages: Int32
        /// See `EvaluationBatch`.
        package var readings: [UInt8]
    }

    let slots: [Slot]
    let limitPerSlot: Int64

    package init(slots: [Slot], limitPerSlot: Int) {
        self.slots = slots
        self.limitPerSlot = Int64(limitPerSlot)
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(slots.map(\.rawValue))
        parameters.append(limitPerSlot)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            slot: Slot(stored: row.read()), batch: row.read(),
            receivedAt: Timestamp(microseconds: row.readTimestamp()), messages: row.read(), readings: row.read())
    }
}

/// The slots in which a batch waits, for an engine that may have missed a word of it.
package struct FindWaitingSlots: Statement {
    package static let sql = """
        SELECT slot FROM slot s WHERE EXISTS (SELECT FROM evaluation_batch b WHERE b.slot = s.slot)
        """
    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Slot { try Slot(stored: row.read()) }
}

/// How much waits for a decision, and since when: for the metrics.
package struct MeasureBacklog: Statement {
    package static let sql = """
        SELECT count(*), coalesce(sum(messages), 0)::bigint,
            coalesce(extract(epoch FROM now() - min(received_at)), 0)::double precision
        FROM evaluation_batch
        """

    package struct Row: Sendable {
        package var batches: Int64
        package var messages: Int64
        /// Age of the oldest message, in seconds.
        package var age: Double
    }

    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(batches: row.read(), messages: row.read(), age: row.read())
    }
}

/// Counts a decision in each slot: what other engines remember of them ends here.
package struct CountDecisions: Statement {
    package static let sql = "UPDATE slot SET state_version = state_version + 1 WHERE slot = ANY ($1::smallint[])"
    let slots: [Slot]
    package init(_ slots: [Slot]) { self.slots = slots }
    package func bind(_ parameters: inout Parameters) { parameters.append(slots.map(\.rawValue)) }
}

/// Makes the running transaction wait for the disk when it commits, whatever it was begun with.
package struct MakeDurable: Statement {
    package static let sql = "SET LOCAL synchronous_commit TO DEFAULT"
    package init() {}
}

/// Has the connection's statements planned anew, for the tables as they are now.
///
/// A plan that was made while a table was nearly empty reads all of it; in an alert storm that is quadratic before
/// autovacuum has even looked. Planning costs milliseconds, so that it is for transactions with many rows.
package struct DiscardPlans: Statement {
    package static let sql = "DISCARD PLANS"
    /// From so many rows on.
    package static let worthwhile = 50
    package init() {}
}

/// The database's clock.
package struct ReadClock: Statement {
    package static let sql = "SELECT clock_timestamp()"
    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Timestamp {
        try Timestamp(microseconds: row.readTimestamp())
    }
}
