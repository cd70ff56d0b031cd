import Instants
import Postgres
import Routes
import Stations
import Store
import WaterQuality

/// A station whose turn it is.
struct DueStation: Sendable {
    var slot: Slot
    var tank: Int64
    /// The hardware id of the site.
    var site: String
    var account: Account.ID
    /// nil for what an earlier version, or a later one, has stored.
    var station: Station?
    var choice: StationChoice
    var host: String
    var title: String?
    var series: [StationSeries]
    var seenUntil: Timestamp?
    var entityTag: String?
    var failures: Int
    /// The version of what the site's owner said: an answer to another question is not recorded.
    var setAt: Timestamp
    /// The last answer that could be read; nil: none yet.
    var fetchedAt: Timestamp?

    /// Whether anything of it is shown.
    var isUnderstood: Bool { series.contains { $0.parameter != nil } }

    /// Since when it has had nothing to say: its newest value, or since it was named.
    var quietSince: Timestamp { series.compactMap(\.newest).max() ?? setAt }
}

/// Takes the station that has been due for longest of a host that is neither paused nor was asked a moment ago: of those who take at the same moment, one
/// locks the row of the host, and the others look at other hosts. Should this Ingestor die, another one asks the station five minutes later. Times further
/// ahead than any pause lasts count as over: a clock was ahead.
struct TakeStation: Statement {
    static let sql = """
        WITH turn AS MATERIALIZED (
            SELECT h.host, c.slot, c.tank_id
            FROM station_host h CROSS JOIN LATERAL (
                (SELECT slot, tank_id, due_at FROM station s
                WHERE s.host = h.host AND s.address IS NOT NULL AND s.due_at <= now()
                ORDER BY s.due_at LIMIT 1)
                UNION ALL
                (SELECT slot, tank_id, due_at FROM station s
                WHERE s.host = h.host AND s.address IS NOT NULL AND s.due_at > now() + interval '2 days'
                ORDER BY s.due_at DESC LIMIT 1)
            ) c
            WHERE NOT (h.asked_at > now() - $1 * interval '1 us' AND h.asked_at < now() + interval '1 minute')
                AND NOT (h.paused_until > now() AND h.paused_until < now() + interval '2 days')
            ORDER BY c.due_at
            LIMIT 1
            FOR NO KEY UPDATE OF h SKIP LOCKED
        ), asked AS (
            UPDATE station_host h SET asked_at = now() FROM turn t WHERE h.host = t.host
        )
        UPDATE station s SET asked_at = now(), due_at = now() + interval '5 minutes'
        FROM turn t
        WHERE s.slot = t.slot AND s.tank_id = t.tank_id AND s.address IS NOT NULL AND s.host = t.host -- not let go since, nor another one's
        RETURNING s.slot, s.tank_id, (SELECT d.hardware_id FROM device d WHERE d.slot = s.slot AND d.device_id = s.device_id), s.account_id,
            s.kind, s.address, s.choice::text, s.host, s.title, s.series::text, s.seen_until, s.entity_tag, s.failures, s.set_at, s.fetched_at
        """
    let pauseOfHost: Duration
    func bind(_ parameters: inout Parameters) { parameters.append(pauseOfHost.wholeMicroseconds) }

    static func decode(_ row: inout RowReader) throws -> DueStation {
        let (slot, tank) = try (row.read(Slot.self), row.read(Int64.self))
        let site = try row.read(String.self)
        let (account, kind) = try (row.read(Account.ID.self), row.read(String.self))
        let address = try row.read(String.self)
        let choice = try StationChoice(JSON(stored: row.read()))
        let (host, title) = try (row.read(String.self), row.read(String?.self))
        return try DueStation(
            slot: slot, tank: tank, site: site, account: account,
            station: StationKind(rawValue: kind).flatMap { Station($0, address) }, choice: choice, host: host,
            title: title, series: StationSeries.list(JSON(stored: row.read())), seenUntil: row.read(),
            entityTag: row.read(), failures: Int(row.read(Int16.self)), setAt: row.read(), fetchedAt: row.read())
    }
}

/// Notes what a station has answered.
struct RecordStation: Statement {
    static let sql = """
        UPDATE station SET title = $4, series = $5::jsonb, seen_until = $6, entity_tag = $7, fetched_at = now(), failures = 0, fault = $8,
            due_at = now() + $9 * interval '1 us'
        WHERE slot = $1 AND tank_id = $2 AND set_at = $3
        """
    let due: DueStation
    let pause: Duration

    /// - Parameter due: With what is known of it from now on.
    init(_ due: DueStation, pause: Duration) {
        self.due = due
        self.pause = pause
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(due.slot)
        parameters.append(due.tank)
        parameters.append(due.setAt)
        parameters.append(due.title)
        parameters.append(String(decoding: JSON.array(due.series.map(\.json)).bytes, as: UTF8.self))
        parameters.append(due.seenUntil)
        parameters.append(due.entityTag)
        parameters.append(due.isUnderstood ? nil : StationFault.noSeries.rawValue)
        parameters.append(pause.wholeMicroseconds)
    }
}

/// Notes that a station gave no answer that can be used.
struct RecordStationFault: Statement {
    static let sql = """
        UPDATE station SET failures = least(failures + 1, 1000), fault = $4, due_at = now() + $5 * interval '1 us'
        WHERE slot = $1 AND tank_id = $2 AND set_at = $3
        """
    let due: DueStation
    let fault: StationFault
    let pause: Duration

    init(_ due: DueStation, _ fault: StationFault, pause: Duration) {
        self.due = due
        self.fault = fault
        self.pause = pause
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(due.slot)
        parameters.append(due.tank)
        parameters.append(due.setAt)
        parameters.append(fault.rawValue)
        parameters.append(pause.wholeMicroseconds)
    }
}

/// Leaves all stations of a host alone for a while, because it has asked for that. Until then none is taken, whoever names it.
struct PauseHost: Statement {
    static let sql = """
        UPDATE station_host SET paused_until = now() + $2 * interval '1 us'
        WHERE host = $1 AND NOT (paused_until > now() + $2 * interval '1 us' AND paused_until < now() + interval '2 days')
        """
    let host: String
    let pause: Duration

    init(_ host: String, for pause: Duration) {
        self.host = host
        self.pause = pause
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(host)
        parameters.append(pause.wholeMicroseconds)
    }
}

extension JSON {
    /// JSON that the database keeps as `jsonb`; null where it cannot be read.
    fileprivate init(stored text: String) { self = (try? JSON(reading: Array(text.utf8))) ?? .null }
}
