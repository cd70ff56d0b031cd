import Instants
import Postgres
import Store
import WaterQuality

/// Work in the tanks of a device that the person has now, newest first.
struct PageWork: Statement {
    static let sql = """
        SELECT \(ShownWork.columns("w")) FROM person_work w
        WHERE w.slot = $1 AND w.device_id = $2 AND (w.begins_at, w.work_id) < ($3, $4)
        ORDER BY w.begins_at DESC, w.work_id DESC
        LIMIT $5
        """

    let device: DeviceKey
    let before: WorkPlace?
    let limit: Int64

    init(on device: DeviceKey, before: WorkPlace?, limit: Int) {
        self.device = device
        self.before = before
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(before?.from ?? .distantFuture)
        parameters.append(before?.id ?? WorkID(rawValue: 0))
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> ShownWork? { try ShownWork(&row) }
}

/// One stretch of work of a device; no row for any that is not the person's to see.
struct FindWork: Statement {
    static let sql = """
        SELECT \(ShownWork.columns("w")) FROM person_work w WHERE w.slot = $1 AND w.device_id = $2 AND w.work_id = $3
        """

    let device: DeviceKey
    let id: WorkID

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(id)
    }

    static func decode(_ row: inout RowReader) throws -> ShownWork? { try ShownWork(&row) }
}

/// The work of a device that ends last of what goes on now.
struct FindCurrentWork: Statement {
    static let sql = """
        SELECT \(ShownWork.columns("w")) FROM person_work w
        WHERE w.slot = $1 AND w.device_id = $2 AND w.ends_at > now() AND w.begins_at <= now()
        ORDER BY w.ends_at DESC
        LIMIT 1
        """

    let device: DeviceKey

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    static func decode(_ row: inout RowReader) throws -> ShownWork? { try ShownWork(&row) }
}

/// Enters work for the person, or another one in its place.
struct PutWork: Statement {
    static let sql = "SELECT put_work($1, $2, $3, $4, $5, $6, $7, $8, $9)"

    /// The words of the function `enter_work`.
    enum Outcome: String, CaseIterable, Sendable {
        case created, changed, same, foreign, stale, notYours, tooLong, tooMuch, tooLate, tooEarly
    }

    /// A person's wish.
    struct Wish: Sendable {
        var kind: Work.Kind
        /// `nil` for now.
        var from: Timestamp?
        var until: Timestamp?
        var minutes: Int32?
        var keepsHard: Bool
    }

    let device: DeviceKey
    let id: WorkID
    let wish: Wish
    /// The version that is known; `nil` to add.
    let known: Int32?

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(id)
        parameters.append(wish.kind)
        parameters.append(wish.from)
        parameters.append(wish.until)
        parameters.append(wish.minutes)
        parameters.append(wish.keepsHard)
        parameters.append(known)
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// Finishes, extends or removes work for the person.
struct ChangeWork: Statement {
    static let sql = "SELECT change_work($1, $2, $3, $4, $5)"

    enum Change: Sendable {
        case finish
        case extend(minutes: Int)
        case remove
    }

    /// The words of the function `change_work`.
    enum Outcome: String, CaseIterable, Sendable {
        case done, unknown, over, notYours, tooLong, tooMuch
    }

    let device: DeviceKey
    let id: WorkID
    let change: Change

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(id)
        switch change {
        case .finish:
            parameters.append("finish")
            parameters.append(Int32?.none)
        case .extend(let minutes):
            parameters.append("extend")
            parameters.append(Int32?(Int32(minutes)))
        case .remove:
            parameters.append("remove")
            parameters.append(Int32?.none)
        }
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}
