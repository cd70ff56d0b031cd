import Instants
import Postgres
import Store
import WaterQuality

/// An address for a calendar program, without its secret.
struct StoredFeed: Sendable {
    var id: Int64
    var name: String
    /// The id of the one device from its maker; `nil`: all of the person's.
    var device: String?
    var alarms: Bool
    var madeAt: Timestamp
    var fetchedAt: Timestamp?
}

/// Adds an address. No row: the person has as many as one may have. Lock the account first (`LockAccount`).
struct AddCalendarFeed: Statement {
    static let sql = """
        INSERT INTO calendar_feed (account_id, token_hash, name, slot, tank_id, alarms)
        SELECT $1, $2, $3, $4, $5, $6 WHERE (SELECT count(*) FROM calendar_feed WHERE account_id = $1) < 10
        RETURNING feed_id
        """
    let account: Account.ID
    let hash: [UInt8]
    let name: String
    let tank: TankKey?
    let alarms: Bool

    init(of account: Account.ID, hash: [UInt8], name: String, tank: TankKey?, alarms: Bool) {
        self.account = account
        self.hash = hash
        self.name = name
        self.tank = tank
        self.alarms = alarms
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(hash)
        parameters.append(name)
        parameters.append(tank?.slot)
        parameters.append(tank?.tank)
        parameters.append(alarms)
    }

    static func decode(_ row: inout RowReader) throws -> Int64 { try row.read() }
}

/// Lists a person's addresses, the oldest first.
struct ListCalendarFeeds: Statement {
    static let sql = """
        SELECT f.feed_id, f.name, d.hardware_id, f.alarms, f.made_at, f.fetched_at
        FROM calendar_feed f
        LEFT JOIN person_tank t ON t.slot = f.slot AND t.tank_id = f.tank_id
        LEFT JOIN device d ON d.slot = t.slot AND d.device_id = t.device_id
        WHERE f.account_id = $1
        ORDER BY f.feed_id
        """
    let account: Account.ID
    init(of account: Account.ID) { self.account = account }
    func bind(_ parameters: inout Parameters) { parameters.append(account) }

    static func decode(_ row: inout RowReader) throws -> StoredFeed {
        try StoredFeed(
            id: row.read(), name: row.read(), device: row.read(), alarms: row.read(), madeAt: row.read(),
            fetchedAt: row.read())
    }
}

/// Revokes an address.
struct RemoveCalendarFeed: Statement {
    static let sql = "DELETE FROM calendar_feed WHERE account_id = $1 AND feed_id = $2"
    let account: Account.ID
    let feed: Int64

    init(of account: Account.ID, _ feed: Int64) {
        self.account = account
        self.feed = feed
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(feed)
    }
}

/// Names the person of an address for the rest of the transaction. No row: there is no such address.
struct EnterFeed: Statement {
    static let sql = "SELECT locale, name, slot, tank_id, alarms FROM enter_feed($1)"

    struct Row: Sendable {
        var locale: String
        var name: String
        /// The one tank; `nil`: all.
        var slot: Slot?
        var tank: Int64?
        var alarms: Bool
    }

    let hash: [UInt8]
    func bind(_ parameters: inout Parameters) { parameters.append(hash) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(locale: row.read(), name: row.read(), slot: row.read(), tank: row.read(), alarms: row.read())
    }
}

/// The person's names for the tanks that they see.
struct ListTankNames: Statement {
    static let sql = """
        SELECT t.slot, t.tank_id, o.name FROM person_tank t
        JOIN ownership o ON o.slot = t.slot AND o.ownership_id = t.ownership_id
        """

    static func decode(_ row: inout RowReader) throws -> (slot: Slot, tank: Int64, name: String) {
        (try row.read(), try row.read(), try row.read())
    }
}
