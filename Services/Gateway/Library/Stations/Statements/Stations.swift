import Instants
import Postgres
import Routes
import Stations
import Store
import WaterQuality

/// The public station that a site shows, as whoever has the site sees it.
struct SiteStation: Sendable {
    var station: Station
    var title: String?
    /// In the station's order.
    var series: [StationSeries]
    var choice: StationChoice
    var setAt: Timestamp
    /// nil: not yet.
    var askedAt: Timestamp?
    /// The last answer that could be read.
    var fetchedAt: Timestamp?
    /// nil while it gives values, and before it was asked.
    var fault: StationFault?
    var dueAt: Timestamp
}

/// The station of a site of the transaction's person.
struct FindStation: Statement {
    static let sql = """
        SELECT kind, address, title, series::text, choice::text, set_at, asked_at, fetched_at, fault,
            -- one further ahead than any pause lasts is none, as for whoever asks
            greatest(due_at, (SELECT h.paused_until FROM station_host h
                WHERE h.host = station.host AND h.paused_until < now() + interval '2 days'))
        FROM station WHERE slot = $1 AND device_id = $2 AND address IS NOT NULL
        """
    let site: DeviceKey
    init(of site: DeviceKey) { self.site = site }

    func bind(_ parameters: inout Parameters) {
        parameters.append(site.slot)
        parameters.append(site.device)
    }

    /// - Returns: nil for a station that a later version has stored.
    static func decode(_ row: inout RowReader) throws -> SiteStation? {
        let (kind, address) = try (row.read(String.self), row.read(String.self))
        guard let station = StationKind(rawValue: kind).flatMap({ Station($0, address) }) else { return nil }
        let (title, series) = try (row.read(String?.self), row.read(String.self))
        let choice = try StationChoice(JSON(reading: Array(row.read(String.self).utf8)))
        return try SiteStation(
            station: station, title: title, series: StationSeries.list(JSON(reading: Array(series.utf8))),
            choice: choice,
            setAt: row.read(), askedAt: row.read(), fetchedAt: row.read(),
            fault: row.read(String?.self).map { StationFault(rawValue: $0) ?? .broken }, dueAt: row.read())
    }
}

/// Names the station of a site of the named account's.
struct SetStation: Statement {
    static let sql = "SELECT set_station($1, $2, $3, $4, $5::jsonb)"

    enum Outcome: String, CaseIterable, Sendable {
        case set
        /// As it was.
        case same
        case unknown
        case notASite
        /// Twenty times within a day.
        case tooOften
        /// The account has a hundred.
        case tooMany
    }

    let site: Device.HardwareID
    let station: Station
    let host: String
    let choice: StationChoice

    init(_ station: Station, at host: String, _ choice: StationChoice, of site: Device.HardwareID) {
        self.station = station
        self.host = host
        self.choice = choice
        self.site = site
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(site.text)
        parameters.append(station.kind.rawValue)
        parameters.append(station.address)
        parameters.append(host)
        parameters.append(String(decoding: choice.json.bytes, as: UTF8.self))
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// Lets the station of a site go. False: it has none.
struct LetStationGo: Statement {
    static let sql = "SELECT let_station_go($1)"
    let site: Device.HardwareID
    init(of site: Device.HardwareID) { self.site = site }
    func bind(_ parameters: inout Parameters) { parameters.append(site.text) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
