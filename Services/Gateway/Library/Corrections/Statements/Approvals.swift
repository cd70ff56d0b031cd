import Instants
import Postgres
import Store
import WaterQuality

/// Approvals of the tank in which the person has or had a device last, newest first.
struct PageApprovals: Statement {
    static let sql = """
        SELECT \(Approval.columns)
        FROM \(TankKey.lastOfDevice)
        JOIN approval x ON x.slot = k.slot AND x.tank_id = k.tank_id
        \(CarePerson.join("x"))
        WHERE (x.at, x.approval_id) < ($3, $4) AND x.until > $6 AND x.since < $7
        ORDER BY x.at DESC, x.approval_id DESC
        LIMIT $5
        """

    /// The most approvals of a tank, of whatever time.
    static let most = 2_000

    let device: DeviceKey
    let before: ApprovalPlace?
    let limit: Int64
    let period: Range<Timestamp>

    /// - Parameter period: What touches it is listed.
    init(
        on device: DeviceKey, before: ApprovalPlace? = nil, limit: Int = PageApprovals.most,
        touching period: Range<Timestamp> = .distantPast ..< .distantFuture
    ) {
        self.device = device
        self.before = before
        self.limit = Int64(limit)
        self.period = period
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(before?.at ?? .distantFuture)
        parameters.append(before?.id ?? ApprovalID(rawValue: 0))
        parameters.append(limit)
        parameters.append(period.lowerBound)
        parameters.append(period.upperBound)
    }

    static func decode(_ row: inout RowReader) throws -> Approval { try Approval(&row) }
}

/// One approval of the tank in which the person has a device; no row where there is none.
struct FindApproval: Statement {
    static let sql = """
        SELECT \(Approval.columns)
        FROM approval x
        \(CarePerson.join("x"))
        WHERE x.slot = $1 AND x.tank_id = $2 AND x.approval_id = $3
        """

    let tank: TankKey
    let id: ApprovalID

    init(_ id: ApprovalID, in tank: TankKey) {
        self.id = id
        self.tank = tank
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(tank)
        parameters.append(id)
    }

    static func decode(_ row: inout RowReader) throws -> Approval { try Approval(&row) }
}

/// Approves hours for the person.
struct ApprovePeriod: Statement {
    static let sql = "SELECT outcome, id FROM approve_period($1, $2, $3, $4, $5)"

    /// The words of the function.
    enum Outcome: String, CaseIterable, Sendable {
        case created, same, unknown, notOwner, tooLate, tooEarly
    }

    struct Row: Sendable {
        var outcome: Outcome
        var id: ApprovalID?
    }

    let device: DeviceKey
    let period: Range<Timestamp>
    let note: String?

    func bind(_ parameters: inout Parameters) {
        parameters.append(device, in: period)
        parameters.append(note)
    }

    static func decode(_ row: inout RowReader) throws -> Row { try Row(outcome: row.read(), id: row.read()) }
}

/// Withdraws an approval for the person.
struct WithdrawApproval: Statement {
    static let sql = "SELECT withdraw_approval($1, $2, $3, $4)"

    /// The words of the function.
    enum Outcome: String, CaseIterable, Sendable {
        case done, unknown, notOwner
    }

    let device: DeviceKey
    let id: ApprovalID
    let reason: String?

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(id)
        parameters.append(reason)
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

extension Approval {
    /// The columns of a row, from the tables `x` and `by`.
    fileprivate static let columns = """
        x.approval_id, x.since, x.until, x.at, x.note, \(CarePerson.columns), x.withdrawn_at, (
            SELECT p.name FROM tank_person p
            WHERE p.slot = x.slot AND p.tank_id = x.tank_id AND p.account_id = x.withdrawn_by), x.withdrawn_reason
        """

    fileprivate init(_ row: inout RowReader) throws {
        id = try row.read()
        let (since, until) = try (row.read(Timestamp.self), row.read(Timestamp.self))
        period = since..<max(since, until)
        at = try row.read()
        note = try row.read()
        by = try CarePerson.read(&row)
        let (withdrawnAt, name) = try (row.read(Timestamp?.self), row.read(String?.self))
        let reason = try row.read(String?.self)
        withdrawal = withdrawnAt.map { Withdrawal(at: $0, by: name, reason: reason) }
    }
}
