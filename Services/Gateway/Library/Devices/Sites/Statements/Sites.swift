import Instants
import Postgres
import Store
import WaterQuality

/// Makes a site of a person's, with the default settings of every parameter; returns its id.
struct MakeSite: Statement {
    static let sql = "SELECT make_site($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
    let account: Account.ID
    let name: String
    let place: SitePlace
    let defaults: [LinkDevice.Default]

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(name)
        parameters.append(place)
        parameters.append(defaults)
    }

    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}

/// Says that a device of the named account's stands at one of its sites.
struct StandAt: Statement {
    static let sql = "SELECT stand_at($1, $2)"

    enum Outcome: String, CaseIterable, Sendable {
        case stands
        /// As it was.
        case same
        /// The device is not the account's own.
        case unknown
        /// The named id is no site of the account's.
        case notSite
        /// The device is itself a site.
        case site
    }

    let device: Device.HardwareID
    let site: Device.HardwareID

    init(_ device: Device.HardwareID, at site: Device.HardwareID) {
        self.device = device
        self.site = site
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.text)
        parameters.append(site.text)
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// Says that a device stands at no site any more. False: it stood at none.
struct StandNowhere: Statement {
    static let sql = "SELECT stand_nowhere($1)"
    let device: Device.HardwareID
    init(_ device: Device.HardwareID) { self.device = device }
    func bind(_ parameters: inout Parameters) { parameters.append(device.text) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// The positions of a tank of the person's, newest first, each with the time from which on it held.
struct ListPlaces: Statement {
    static let sql = """
        SELECT p.since, p.latitude, p.longitude, p.accuracy, p.source
        FROM ownership o JOIN place p ON p.slot = o.slot AND p.tank_id = o.tank_id
        WHERE o.slot = $1 AND o.device_id = $2 AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL
            AND p.since < coalesce($3::timestamptz, 'infinity')
        ORDER BY p.since DESC
        LIMIT $4
        """

    struct Row: Sendable {
        var since: Timestamp
        var place: SitePlace
    }

    let device: DeviceKey
    let before: Timestamp?
    let limit: Int64

    /// - Parameter before: The last time of the page before; `nil` for the first page.
    init(of device: DeviceKey, before: Timestamp?, limit: Int) {
        self.device = device
        self.before = before
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(before)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(since: row.read(), place: SitePlace(&row))
    }
}
