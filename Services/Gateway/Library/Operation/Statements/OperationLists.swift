import Instants
import Postgres
import Store
import WaterQuality

/// A page of an operator's list by its texts.
struct OperationPage: Sendable {
    /// The beginning of the texts that are listed; empty: all.
    var begins: String
    /// The last text of the page before; empty for the first.
    var after: String
    var limit: Int

    fileprivate func bind(_ parameters: inout Parameters) {
        parameters.append(begins)
        parameters.append(after)
        parameters.append(Int32(limit))
    }
}

/// People, by their addresses.
struct ListOperatedAccounts: Statement {
    static let sql = """
        SELECT email, created_at, seen_at, sessions, devices, projects, is_reached, is_operator FROM operation_accounts($1, $2, $3)
        """

    struct Row: Sendable {
        var email: String
        var createdAt: Timestamp
        /// When a session of theirs was last used, to within ten minutes; `nil`: in none that is still kept.
        var seenAt: Timestamp?
        var sessions: Int64
        /// Devices of their own.
        var devices: Int64
        var projects: Int64
        var isReached: Bool
        /// By the tool's word.
        var isOperator: Bool
    }

    let page: OperationPage
    init(_ page: OperationPage) { self.page = page }
    func bind(_ parameters: inout Parameters) { page.bind(&parameters) }
    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            email: row.read(), createdAt: row.read(), seenAt: row.read(), sessions: row.read(), devices: row.read(),
            projects: row.read(), isReached: row.read(), isOperator: row.read())
    }
}

/// Devices, by their ids.
struct ListOperatedDevices: Statement {
    static let sql = """
        SELECT device, standing, heard_at, is_online, family, version, owner, is_of_project, rejected FROM operation_devices($1, $2, $3)
        """

    enum Standing: String, CaseIterable, Sendable {
        case live, silent
        /// Linked, and nothing has come of it yet.
        case unheard
        case unlinked
    }

    struct Row: Sendable {
        var device: String
        var standing: Standing
        /// When its newest reading was received; `nil`: none is kept.
        var heardAt: Timestamp?
        var isOnline: Bool?
        var family: String?
        var version: String?
        /// The owner's address; of a project that of its first owner.
        var owner: String?
        var isOfProject: Bool
        /// Messages of the last day that were not taken, or not in full.
        var rejected: Int64
    }

    let page: OperationPage
    init(_ page: OperationPage) { self.page = page }
    func bind(_ parameters: inout Parameters) { page.bind(&parameters) }
    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            device: row.read(), standing: row.read(), heardAt: row.read(), isOnline: row.read(), family: row.read(),
            version: row.read(), owner: row.read(), isOfProject: row.read(), rejected: row.read())
    }
}

/// A page of everybody's log of changes, the newest first. Of what is done to water it has neither names nor values.
struct PageOperationChanges: Statement {
    static let sql = """
        SELECT \(AuditEntry.columns), is_own, account FROM operation_changes($1, $2, $3, $4, $5)
        """

    let before: Int64?
    let filter: PageAudit.Filter
    /// The account that the change concerns, or that made it.
    let account: String?
    let limit: Int

    func bind(_ parameters: inout Parameters) {
        parameters.append(before)
        parameters.append(account)
        parameters.append(filter.device?.text)
        parameters.append(filter.action)
        parameters.append(Int32(limit))
    }

    static func decode(_ row: inout RowReader) throws -> PageAudit.Row {
        try PageAudit.Row(entry: AuditEntry(&row), isOwn: row.read(), account: row.read())
    }
}
