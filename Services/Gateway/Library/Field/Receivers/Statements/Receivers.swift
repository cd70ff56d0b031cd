import Postgres
import Store
import WaterQuality

extension Sending {
    fileprivate static let select =
        "SELECT s.sending_id, s.hardware_id, s.project, s.owner, s.since FROM person_sending s"

    fileprivate init(_ row: inout RowReader) throws {
        id = try row.read()
        hardwareID = try row.read()
        project = try row.read()
        owner = try row.read()
        since = try row.read()
    }
}

/// Lists who receives the samples of a device that the named account has: ten at most.
struct ListReceivers: Statement {
    static let sql = """
        \(Sending.select)
        JOIN ownership o ON o.slot = s.slot AND o.tank_id = s.tank_id AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL
        WHERE o.slot = $1 AND o.device_id = $2 AND NOT s.is_receiver
        ORDER BY s.since, s.sending_id
        """

    let device: DeviceKey
    init(of device: DeviceKey) { self.device = device }
    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }
    static func decode(_ row: inout RowReader) throws -> Sending { try Sending(&row) }
}

/// Lists the devices of which the named project receives samples: a thousand at most.
struct ListSenders: Statement {
    static let sql = "\(Sending.select) WHERE s.is_receiver ORDER BY s.since, s.sending_id"
    static func decode(_ row: inout RowReader) throws -> Sending { try Sending(&row) }
}

/// Has a project receive samples of a device of the named account's.
struct ReceiveFrom: Statement {
    static let sql = "SELECT outcome, sending FROM receive_from($1, $2, $3, $4)"

    /// The raw values are those of the database's function.
    enum Outcome: String, CaseIterable, Sendable {
        case made, already, device, notTheirs, unknown, used, expired, own, full
    }

    struct Row: Sendable {
        var outcome: Outcome
        var sending: SendingID?
    }

    let device: DeviceKey
    /// Of the link; `nil` where a project is named.
    let tokenHash: [UInt8]?
    let project: Account.ID?

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(tokenHash)
        parameters.append(project)
    }

    static func decode(_ row: inout RowReader) throws -> Row { try Row(outcome: row.read(), sending: row.read()) }
}

/// Ends a receiving, for the owner or the receiver.
struct EndReceiving: Statement {
    static let sql = "SELECT end_receiving($1)"

    /// The raw values are those of the database's function.
    enum Outcome: String, CaseIterable, Sendable {
        case done, notTheirs, unknown
    }

    let sending: SendingID
    init(_ sending: SendingID) { self.sending = sending }
    func bind(_ parameters: inout Parameters) { parameters.append(sending) }
    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}
