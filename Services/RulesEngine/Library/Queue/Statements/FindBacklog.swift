import Postgres
import Store
import WaterQuality

/// A slot with its floor: the batch number up to which nothing waits there, as far as an engine knows. A floor of 0
/// means that nothing is known.
struct SlotFloor: Sendable {
    var slot: Slot
    var floor: Int64

    init(_ slot: Slot, floor: Int64) {
        self.slot = slot
        self.floor = floor
    }
}

extension Parameters {
    /// Two arrays: slots and floors.
    mutating func append(_ slots: [SlotFloor]) {
        append(slots.map(\.slot))
        append(slots.map(\.floor))
    }
}

/// The oldest waiting batch of each of some slots, for an engine that may have missed a notification.
struct FindWaitingBatches: Statement {
    static let sql = """
        SELECT wanted.slot, oldest.batch_id
        FROM unnest($1::smallint[], $2::bigint[]) AS wanted (slot, floor)
        CROSS JOIN LATERAL (
            SELECT batch_id FROM evaluation_batch WHERE slot = wanted.slot AND batch_id > wanted.floor
            ORDER BY batch_id LIMIT 1
        ) oldest
        """

    struct Row: Sendable {
        var slot: Slot
        var batch: Int64
    }

    let slots: [SlotFloor]
    init(_ slots: [SlotFloor]) { self.slots = slots }
    func bind(_ parameters: inout Parameters) { parameters.append(slots) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(slot: row.read(), batch: row.read())
    }
}

/// The number of the newest batch, committed or not; 0 before the first.
struct FindNewestBatch: Statement {
    static let sql = """
        SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM evaluation_batch_batch_id_seq
        """
    static func decode(_ row: inout RowReader) throws -> Int64 { try row.read() }
}

/// The transactions that write to the queue, prepared ones included. Any of them may hold a batch number that it has
/// not committed.
///
/// A transaction that adds a batch takes the table's lock before it draws the number, and keeps it until its rows are
/// visible.
struct FindQueueWriters: Statement {
    static let sql = """
        SELECT virtualtransaction FROM pg_locks
        WHERE locktype = 'relation' AND relation = to_regclass('evaluation_batch') AND mode = 'RowExclusiveLock' AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        """
    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}

/// The batches at the head of each slot: enough to estimate the backlog without reading it.
struct MeasureBacklog: Statement {
    static let sql = """
        SELECT head.batches, head.messages, head.first, head.last,
            extract(epoch FROM now() - head.received_at)::double precision
        FROM unnest($1::smallint[], $2::bigint[]) AS wanted (slot, floor)
        CROSS JOIN LATERAL (
            SELECT count(*) AS batches, sum(messages)::bigint AS messages, min(batch_id) AS first, max(batch_id) AS last,
                min(received_at) AS received_at
            FROM (
                SELECT batch_id, messages, received_at FROM evaluation_batch
                WHERE slot = wanted.slot AND batch_id > wanted.floor
                ORDER BY batch_id LIMIT $3
            ) sampled
        ) head
        WHERE head.batches > 0
        """

    /// The number of batches read in each slot.
    static let sample = 16

    /// The oldest batches of a slot.
    struct Row: Sendable {
        var batches: Int64
        var messages: Int64
        var first: Int64
        var last: Int64
        /// The age of the oldest message among them, in seconds.
        var age: Double

        /// The number of messages that wait in the slot. A small backlog is counted. A larger one is extrapolated from
        /// the sample: its messages per batch, and its spacing of batch numbers up to the newest.
        func estimatedMessages(newest: Int64) -> Double {
            guard batches >= Int64(MeasureBacklog.sample), newest > last else { return Double(messages) }
            let spacing = Double(last - first) / Double(batches - 1)
            let more = Double(newest - last) / max(1, spacing)
            return Double(messages) * (1 + more / Double(batches))
        }
    }

    let slots: [SlotFloor]
    init(_ slots: [SlotFloor]) { self.slots = slots }

    func bind(_ parameters: inout Parameters) {
        parameters.append(slots)
        parameters.append(Int64(Self.sample))
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(batches: row.read(), messages: row.read(), first: row.read(), last: row.read(), age: row.read())
    }
}
