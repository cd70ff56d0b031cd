package import Instants
package import Postgres
package import Store
package import WaterQuality

/// Queues new messages for the rules engines, one row for each slot, and notifies the channel `evaluation`.
package struct AddEvaluationBatches: Statement {
    package static let sql = """
        WITH added AS (
            INSERT INTO evaluation_batch (slot, messages, received_at, readings)
            SELECT * FROM unnest($1::smallint[], $2::integer[], $3::timestamptz[], $4::bytea[])
        )
        SELECT greatest(now(), (SELECT trusted_at FROM clock_watch WHERE is_only)),
            (SELECT bit_or(slots) FROM live_follower WHERE expires_at > now()),
            pg_notify('evaluation', array_to_string($1::smallint[], ','))
        """

    package struct Batch: Sendable {
        package var slot: Slot
        package var receivedAt: Timestamp
        package var messages: EvaluationBatch.Writer

        package init(slot: Slot, receivedAt: Timestamp, messages: EvaluationBatch.Writer = .init()) {
            self.slot = slot
            self.receivedAt = receivedAt
            self.messages = messages
        }
    }

    package struct Row: Sendable {
        /// The time that decides which of the transaction's samples came late: its start or, where later, the time up
        /// to which the clock was trusted before it was set back.
        package var began: Timestamp
        /// Slots with devices that somebody follows live; nearly always none.
        package var followed: SlotSet
    }

    let batches: [Batch]

    package init(_ batches: [Batch]) {
        self.batches = batches
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(batches.map(\.slot))
        parameters.append(batches.map(\.messages.count))
        parameters.append(batches.map(\.receivedAt))
        parameters.append(batches.map(\.messages.bytes))
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(began: row.read(), followed: SlotSet(stored: row.read(Int64?.self) ?? 0))
    }
}
