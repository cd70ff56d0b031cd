import Instants
import Postgres
import Store
import WaterQuality

/// Adds an entry of the person's; no row where an entry has its id already, perhaps in somebody else's tank.
struct AddJournalEntry: Statement {
    static let sql = """
        INSERT INTO journal_entry (slot, tank_id, entry_id, device_id, account_id, kind, happened_at, amount, unit, subject, count, text)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        ON CONFLICT DO NOTHING
        RETURNING true
        """

    let entry: JournalEntryID
    let tank: Tank
    let account: Account.ID
    let content: JournalContent

    init(_ entry: JournalEntryID, in tank: Tank, by account: Account.ID, _ content: JournalContent) {
        self.entry = entry
        self.tank = tank
        self.account = account
        self.content = content
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(tank.key)
        parameters.append(entry)
        parameters.append(tank.device)
        parameters.append(account)
        parameters.append(content)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Changes the content of an entry, of the version that was read; who made it and when stays. No row where it has changed since.
struct ChangeJournalEntry: Statement {
    static let sql = """
        UPDATE journal_entry
        SET kind = $4, happened_at = $5, amount = $6, unit = $7, subject = $8, count = $9, text = $10, version = version + 1
        WHERE slot = $1 AND tank_id = $2 AND entry_id = $3 AND version = $11
        RETURNING true
        """

    let entry: JournalEntryID
    let tank: TankKey
    let content: JournalContent
    let version: Int32

    init(_ entry: JournalEntryID, in tank: TankKey, to content: JournalContent, from version: Int32) {
        self.entry = entry
        self.tank = tank
        self.content = content
        self.version = version
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(tank)
        parameters.append(entry)
        parameters.append(content)
        parameters.append(version)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

extension Parameters {
    /// Seven values, in the order of the members.
    fileprivate mutating func append(_ content: JournalContent) {
        append(content.kind)
        append(content.at)
        append(content.amount)
        append(content.unit)
        append(content.subject)
        append(content.count.map(Int32.init))
        append(content.text)
    }
}

enum JournalEntryRow: RowOfTank {
    typealias ID = JournalEntryID
    static let table = "journal_entry"
    static let id = "entry_id"
}
