import Instants
import Postgres
import Store
import WaterQuality

/// Locks the given slots until the end of the transaction. Slots that another engine holds, or in which another engine
/// decided last, are left out.
struct ClaimSlots: Statement {
    static let sql = """
        SELECT s.slot, s.state_version, r.version, now()
        FROM unnest($1::smallint[], $2::bigint[]) AS wanted (slot, state_version)
        JOIN slot s ON s.slot = wanted.slot
            AND (wanted.state_version IS NULL OR s.state_version = wanted.state_version)
        JOIN slot_rules r ON r.slot = s.slot
        FOR UPDATE OF s SKIP LOCKED
        """

    /// A claimed slot.
    struct Row: Sendable {
        var slot: Slot
        /// A count of the slot's decisions. An engine whose count agrees has a valid memory of the slot.
        var stateVersion: Int64
        /// The version of the slot's rules. If it is higher than remembered, the devices that `FindChangedDevices`
        /// names must be read anew.
        var rulesVersion: Int64
        /// The database's clock, which decides how old a reading is.
        var now: Timestamp
    }

    let wanted: [(slot: Slot, stateVersion: Int64?)]

    /// - Parameter wanted: The slots, each with the version that the engine's last decision left; `nil` claims the slot
    ///   at any version.
    init(_ wanted: [(slot: Slot, stateVersion: Int64?)]) { self.wanted = wanted }

    func bind(_ parameters: inout Parameters) {
        parameters.append(wanted.map(\.slot))
        parameters.append(wanted.map(\.stateVersion))
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            slot: row.read(), stateVersion: row.read(), rulesVersion: row.read(), now: row.read())
    }
}

/// Takes the oldest batches of claimed slots, in any order between slots. The deletion is committed with the decision.
///
/// Batches that were taken stay as dead rows at the head of their slot until no snapshot can see them; a backup of
/// hours makes millions of them. Nothing at or below the slot's floor is read.
struct TakeBatches: Statement {
    static let sql = """
        -- by ctid, looked up once: with a join, a plan made for an empty queue finds the oldest batches anew for every
        -- row
        DELETE FROM evaluation_batch WHERE ctid = ANY (ARRAY(
            SELECT oldest.ctid FROM unnest($1::smallint[], $2::bigint[]) AS claimed (slot, floor)
            CROSS JOIN LATERAL (
                SELECT ctid FROM evaluation_batch WHERE slot = claimed.slot AND batch_id > claimed.floor
                ORDER BY batch_id LIMIT $3
            ) oldest
        ))
        RETURNING slot, batch_id, received_at, messages, readings
        """

    struct Row: Sendable {
        var slot: Slot
        var batch: Int64
        var receivedAt: Timestamp
        var messages: Int32
        /// See `EvaluationBatch`.
        var readings: [UInt8]
    }

    let slots: [SlotFloor]
    let limitPerSlot: Int64

    init(_ slots: [SlotFloor], limitPerSlot: Int) {
        self.slots = slots
        self.limitPerSlot = Int64(limitPerSlot)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(slots)
        parameters.append(limitPerSlot)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            slot: row.read(), batch: row.read(), receivedAt: row.read(), messages: row.read(),
            readings: row.read())
    }
}

/// Counts a decision in each slot, which voids other engines' memories of it.
struct CountDecisions: Statement {
    static let sql = "UPDATE slot SET state_version = state_version + 1 WHERE slot = ANY ($1::smallint[])"
    let slots: [Slot]
    init(_ slots: [Slot]) { self.slots = slots }
    func bind(_ parameters: inout Parameters) { parameters.append(slots) }
}
