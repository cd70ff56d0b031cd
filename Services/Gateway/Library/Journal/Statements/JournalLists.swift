import Instants
import Postgres
import Store
import WaterQuality

/// A page of the journal of a person's tanks, newest first, below a place in that order: of all tanks that the person sees, of those that a
/// device was in, or of one.
///
/// Each tank gives the head of its list by an index, and the heads are merged.
struct PageJournal: Statement {
    static let sql = """
        WITH chosen AS MATERIALIZED (
            SELECT found.*, t.hardware_id
            FROM (
                SELECT p.slot, p.tank_id, p.role, d.hardware_id
                FROM person_tank p JOIN device d ON d.slot = p.slot AND d.device_id = p.device_id
                WHERE ($1::text IS NULL OR d.hardware_id = $1) AND ($2::bigint IS NULL OR p.tank_id = $2)
            ) AS t
            CROSS JOIN LATERAL (
                SELECT i.* FROM journal_item i
                WHERE i.slot = t.slot AND i.tank_id = t.tank_id AND i.is_listed
                    -- the first column by itself too, so that the index begins there
                    AND i.happened_at <= $3 AND (i.happened_at, i.item_id) < ($3, $4)
                    AND (cardinality($5::text[]) = 0 OR i.kind = ANY ($5))
                    AND (NOT $7 OR t.role = 'owner' OR i.account_id = (SELECT current_account()))
                ORDER BY i.happened_at DESC, i.item_id DESC
                LIMIT $6
            ) AS found
            ORDER BY found.happened_at DESC, found.item_id DESC
            LIMIT $6
        )
        SELECT \(JournalItem.columns)
        FROM chosen j
        \(JournalItem.joins)
        ORDER BY j.happened_at DESC, j.item_id DESC
        """

    /// A place in the order of the journal.
    struct Place: Hashable, Sendable {
        var at: Timestamp
        var id: JournalEntryID

        /// Above all.
        static let newest = Place(at: .distantFuture, id: JournalEntryID(rawValue: .max))

        init(at: Timestamp, id: JournalEntryID) {
            self.at = at
            self.id = id
        }

        init(_ item: JournalItem) { self.init(at: item.at, id: item.id) }
    }

    struct Filter: Sendable {
        var device: Device.HardwareID?
        var tank: Int64?
        /// Kinds, and no others; empty: all.
        var kinds: [String] = []
        /// Only what is the person's: all of tanks that they own or owned, and what they wrote in others'.
        var isTheirs = false
    }

    let place: Place
    let filter: Filter
    let limit: Int64

    init(below place: Place, _ filter: Filter, limit: Int) {
        self.place = place
        self.filter = filter
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(filter.device?.text)
        parameters.append(filter.tank)
        parameters.append(place.at)
        parameters.append(place.id)
        parameters.append(filter.kinds)
        parameters.append(limit)
        parameters.append(filter.isTheirs)
    }

    static func decode(_ row: inout RowReader) throws -> JournalItem { try JournalItem(&row) }
}

/// Finds an entry of a tank; what joins the journal from elsewhere is none.
struct FindJournalEntry: Statement {
    static let sql = """
        SELECT \(JournalItem.columns)
        FROM (
            SELECT e.*, e.entry_id AS item_id, 'entry' AS source, d.hardware_id
            FROM journal_entry e JOIN device d ON d.slot = e.slot AND d.device_id = e.device_id
            WHERE e.slot = $1 AND e.tank_id = $2 AND e.entry_id = $3
        ) AS j
        \(JournalItem.joins)
        """

    let tank: TankKey
    let entry: JournalEntryID

    init(_ entry: JournalEntryID, in tank: TankKey) {
        self.tank = tank
        self.entry = entry
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(tank)
        parameters.append(entry)
    }

    static func decode(_ row: inout RowReader) throws -> JournalItem { try JournalItem(&row) }
}
