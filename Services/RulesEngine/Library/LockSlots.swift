import Postgres
import Store
import WaterQuality

/// Locks slots until the end of the transaction, so that no device in them changes hands. Those that are locked are left out.
struct LockSlots: Statement {
    static let sql = """
        SELECT slot FROM slot WHERE slot = ANY ($1::smallint[]) ORDER BY slot FOR UPDATE SKIP LOCKED
        """
    let slots: [Slot]
    init(_ slots: [Slot]) { self.slots = slots }
    func bind(_ parameters: inout Parameters) { parameters.append(slots) }
    static func decode(_ row: inout RowReader) throws -> Slot { try row.read() }
}
