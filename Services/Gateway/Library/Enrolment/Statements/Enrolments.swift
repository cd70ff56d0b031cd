import Postgres
import Store
import WaterQuality

/// The enroller as it last said of itself, and whether the account for which a transaction acts may enrol devices.
struct ShowEnrolment: Statement {
    static let sql = "SELECT state, may, left_today, device_port, device_tls, device_origin FROM show_enrolment()"

    enum State: String, CaseIterable, Sendable {
        case ready
        /// The enroller was not heard for a minute.
        case silent
        /// None was ever heard.
        case off
    }

    struct Row: Sendable {
        let state: State
        let isAllowed: Bool
        /// Devices that may still be asked for on this day.
        let left: Int32
        let port: Int32
        let usesTLS: Bool
        /// Where devices post readings over HTTP.
        let httpOrigin: String?
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            state: row.read(), isAllowed: row.read(), left: row.read(), port: row.read(), usesTLS: row.read(),
            httpOrigin: row.read())
    }
}

/// The standing of ids with the account for which a transaction acts; no rows where it may not enrol.
struct LookAtIDs: Statement {
    static let sql = "SELECT id, standing FROM look_at_ids($1)"

    enum Standing: String, CaseIterable, Sendable {
        case new
        /// Theirs, or enrolled for them and nobody's yet.
        case known
        case taken
    }

    let ids: [String]
    init(_ ids: [Device.HardwareID]) { self.ids = ids.map(\.text) }
    func bind(_ parameters: inout Parameters) { parameters.append(ids) }

    static func decode(_ row: inout RowReader) throws -> (id: String, standing: Standing) {
        try (row.read(), row.read())
    }
}

/// Asks the enroller for devices, or for new keys of devices.
struct AskEnrolment: Statement {
    static let sql = "SELECT outcome, batch FROM ask_enrolment($1, $2, $3, $4, $5, $6, $7, $8)"

    enum Outcome: String, CaseIterable, Sendable {
        case asked, silent, notAllowed, open, tooManyDevices, tooManyToday
        /// A key was asked for a device that is not theirs.
        case notOwn
    }

    let kind: Enrolment.Kind
    let page: PageKey
    let links: Bool
    let devices: [WantedDevice]

    func bind(_ parameters: inout Parameters) {
        parameters.append(kind)
        parameters.append(page.publicKey)
        parameters.append(page.secret)
        parameters.append(links)
        parameters.append(devices.map(\.id.text))
        parameters.append(devices.map(\.name))
        parameters.append(devices.map { $0.firmware?.rawValue })
        parameters.append(devices.map { $0.preset?.text })
    }

    static func decode(_ row: inout RowReader) throws -> (outcome: Outcome, batch: EnrolmentID?) {
        try (row.read(), row.read())
    }
}

/// A device that somebody asks for.
struct WantedDevice: Sendable {
    let id: Device.HardwareID
    let name: String
    var firmware: Firmware?
    var preset: PresetChoice?
}

/// A batch of whoever acts; no row for another's.
struct FindEnrolment: Statement {
    static let sql = "SELECT kind, is_done FROM person_enrolment WHERE batch_id = $1"
    let batch: EnrolmentID
    init(_ batch: EnrolmentID) { self.batch = batch }
    func bind(_ parameters: inout Parameters) { parameters.append(batch) }
    static func decode(_ row: inout RowReader) throws -> (kind: Enrolment.Kind, isDone: Bool) {
        try (row.read(), row.read())
    }
}

/// The devices of a batch, in the order in which they were asked for.
struct ListEnrolledDevices: Statement {
    static let sql = """
        SELECT hardware_id, name, firmware, state, reason, sealed FROM person_enrolment_device WHERE batch_id = $1 ORDER BY line
        """

    struct Row: Sendable {
        let id: String
        let name: String
        let firmware: String?
        let state: Enrolment.State
        let reason: Enrolment.Reason?
        /// Opened by the page that asked.
        let sealed: [UInt8]?
    }

    let batch: EnrolmentID
    init(of batch: EnrolmentID) { self.batch = batch }
    func bind(_ parameters: inout Parameters) { parameters.append(batch) }
    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            id: row.read(), name: row.read(), firmware: row.read(), state: row.read(), reason: row.read(),
            sealed: row.read())
    }
}

/// Deletes what somebody asked for, with what was sealed for them; new devices that wait are called off.
struct DropEnrolment: Statement {
    static let sql = "SELECT drop_enrolment($1)"

    enum Outcome: String, CaseIterable, Sendable {
        case dropped, unknown
        /// A key is on its way.
        case open
    }

    let batch: EnrolmentID
    init(_ batch: EnrolmentID) { self.batch = batch }
    func bind(_ parameters: inout Parameters) { parameters.append(batch) }
    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}
