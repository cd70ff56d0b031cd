import Instants
import Postgres
import Store
import WaterQuality

/// The steps of the named person's chain for a device, with what would come of each for an alarm at a time.
struct ShowChain: Statement {
    static let sql =
        "SELECT after_minutes, callee, name, endpoint_id, agreed, outlook FROM show_chain($1, $2, coalesce($3, now()))"
    let device: DeviceKey
    let alarm: Timestamp?

    /// - Parameter alarm: `nil` for now.
    init(of device: DeviceKey, alarm: Timestamp?) {
        self.device = device
        self.alarm = alarm
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(alarm)
    }

    static func decode(_ row: inout RowReader) throws -> Chain.Step {
        let after = try row.read(Int16.self)
        let (id, name) = try (row.read(Int64?.self), row.read(String?.self))
        let person: Callable? = if let id, let name { Callable(id: id, name: name) } else { nil }
        let endpoint = try row.read(Endpoint.ID?.self)
        let agreed = try row.read(String?.self)
        return try Chain.Step(
            after: Int(after), person: person, endpoint: endpoint,
            agreed: agreed.flatMap(CallAgreement.init(rawValue:)), outlook: row.read())
    }
}

/// Everybody else who has a device of the named person's.
struct ListCallable: Statement {
    static let sql = "SELECT ownership_id, name FROM list_callable($1, $2)"
    let device: DeviceKey
    init(of device: DeviceKey) { self.device = device }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    static func decode(_ row: inout RowReader) throws -> Callable { try Callable(id: row.read(), name: row.read()) }
}

/// Locks the chains of all who have a device of the named person's, until the end of the transaction, so that a chain stays as it is
/// compared. False where the person does not have it.
struct LockChains: Statement {
    static let sql = "SELECT lock_chains($1, $2)"
    let device: DeviceKey
    init(of device: DeviceKey) { self.device = device }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Sets the named person's chain for a device, in place of the one before.
struct SetChain: Statement {
    static let sql = "SELECT set_chain($1, $2, $3, $4, $5)"

    /// The raw values are those of the database's function.
    enum Outcome: String, CaseIterable, Sendable {
        case set, unknown, noPerson, noEndpoint
    }

    let device: DeviceKey
    let steps: [ChainStepInput]

    init(_ steps: [ChainStepInput], of device: DeviceKey) {
        self.steps = steps
        self.device = device
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(steps.map { Int16($0.after) })
        parameters.append(steps.map { step -> Int64? in if case .person(let id) = step.target { id } else { nil } })
        parameters.append(
            steps.map { step -> Endpoint.ID? in if case .endpoint(let id) = step.target { id } else { nil } })
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// The people whose chains name the person who asks.
struct ListAskedCalls: Statement {
    static let sql = "SELECT hardware_id, device_name, caller, name, after_minutes, agreed FROM list_calls_asked()"

    static func decode(_ row: inout RowReader) throws -> AskedCall {
        try AskedCall(
            device: row.read(), deviceName: row.read(), person: Callable(id: row.read(), name: row.read()),
            after: Int(row.read(Int16.self)), agreed: row.read(String?.self).flatMap(CallAgreement.init(rawValue:)))
    }
}

/// Notes whether the named person may be called by another one. False where that person does not ask.
struct AgreeToCalls: Statement {
    static let sql = "SELECT agree_to_calls($1, $2, $3, $4)"
    let device: DeviceKey
    let caller: Int64
    let agreed: CallAgreement

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(caller)
        parameters.append(agreed)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// The last alarm of the named person's about a device for which somebody was to be called.
struct ReadLastEscalation: Statement {
    static let sql = """
        SELECT kind, parameter, side, alarm_at, answered_by, is_own, answered_at, ended_at FROM last_escalation($1, $2)
        """
    let device: DeviceKey
    init(of device: DeviceKey) { self.device = device }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    static func decode(_ row: inout RowReader) throws -> Chain.Last {
        try Chain.Last(
            kind: row.read(), parameter: row.read(), side: row.read(), beganAt: row.read(), answeredBy: row.read(),
            isOwn: row.read(), answeredAt: row.read(), endedAt: row.read())
    }
}

/// The calls for what one of the named person's alerts is about.
struct ListCalls: Statement {
    static let sql = "SELECT called_at, name, is_way, endpoint_id, after_minutes, outcome FROM list_calls($1, $2)"
    let alert: AlertKey
    init(of alert: AlertKey) { self.alert = alert }

    func bind(_ parameters: inout Parameters) {
        parameters.append(alert.slot)
        parameters.append(alert.alert)
    }

    static func decode(_ row: inout RowReader) throws -> AlertCalls.Call {
        try AlertCalls.Call(
            turn: AlertCalls.Turn(at: row.read(), name: row.read(), isWay: row.read(), endpoint: row.read()),
            after: Int(row.read(Int16.self)), outcome: row.read())
    }
}

/// The next call for what one of the named person's alerts is about. No row where nothing is running.
struct ReadNextCall: Statement {
    static let sql = "SELECT held_until, called_at, name, is_way, endpoint_id FROM next_call($1, $2)"
    let alert: AlertKey
    init(of alert: AlertKey) { self.alert = alert }

    func bind(_ parameters: inout Parameters) {
        parameters.append(alert.slot)
        parameters.append(alert.alert)
    }

    static func decode(_ row: inout RowReader) throws -> (heldUntil: Timestamp?, next: AlertCalls.Turn?) {
        let heldUntil = try row.read(Timestamp?.self)
        let at = try row.read(Timestamp?.self)
        let (name, isWay) = try (row.read(String?.self), row.read(Bool.self))
        let endpoint = try row.read(Endpoint.ID?.self)
        return (heldUntil, at.map { AlertCalls.Turn(at: $0, name: name, isWay: isWay, endpoint: endpoint) })
    }
}

/// Until when the named person's own quiet hours last that are on at a time. No row where none are.
struct ReadQuietEnd: Statement {
    static let sql = """
        SELECT p.until FROM quiet_hours q JOIN account a ON a.account_id = q.account_id
        CROSS JOIN LATERAL quiet_period(a.time_zone, q.begins_at, q.ends_at, q.days, $2) p
        WHERE q.account_id = $1
        """
    let account: Account.ID
    let time: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(time)
    }

    static func decode(_ row: inout RowReader) throws -> Timestamp { try row.read() }
}
