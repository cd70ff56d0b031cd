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

    /// Whether anything of it is shown.
    var isUnderstood: Bool { series.contains { $0.parameter != nil } }

    /// Since when it has had nothing to say: its newest value, or since it was named.
    var quietSince: Timestamp { series.compactMap(\.newest).max() ?? setAt }
}

/// Takes the station that has been due for longest, and no other of its host for a while: of those who take at the same moment, one locks the
/// row of the host that was asked longest ago, and the others come again. Should this Ingestor die, another one asks it five minutes later. A station that is due later
/// than any pause lasts is due as well: a clock was ahead.
struct TakeStation: Statement {
    static let sql = """
        WITH next AS (
            SELECT s.slot, s.tank_id, s.host
            FROM (
                (SELECT slot, tank_id FROM station c
                WHERE address IS NOT NULL AND due_at <= now() AND NOT EXISTS (
                    SELECT FROM station o WHERE o.host = c.host AND o.asked_at > now() - $1 * interval '1 us' AND o.asked_at <= now())
                ORDER BY due_at LIMIT 8)
                UNION ALL
                (SELECT slot, tank_id FROM station
                WHERE address IS NOT NULL AND due_at > now() + interval '2 days' ORDER BY due_at DESC LIMIT 1)
            ) c
            JOIN station s ON s.slot = c.slot AND s.tank_id = c.tank_id
            -- others may have asked it, or it was let go, since
            WHERE s.address IS NOT NULL AND (s.due_at <= now() OR s.due_at > now() + interval '2 days')
            ORDER BY s.due_at
            LIMIT 1
            FOR UPDATE OF s SKIP LOCKED
        ), turn AS MATERIALIZED (
            SELECT n.slot, n.tank_id FROM next n WHERE EXISTS (
                SELECT FROM station h
                WHERE (h.slot, h.tank_id) = (
                    SELECT f.slot, f.tank_id FROM station f WHERE f.host = n.host ORDER BY f.asked_at LIMIT 1)
                FOR UPDATE SKIP LOCKED)
        )
        UPDATE station s SET asked_at = now(), due_at = now() + interval '5 minutes'
        FROM turn n
        WHERE s.slot = n.slot AND s.tank_id = n.tank_id
        RETURNING s.slot, s.tank_id, (SELECT d.hardware_id FROM device d WHERE d.slot = s.slot AND d.device_id = s.device_id), s.account_id,
            s.kind, s.address, s.choice::text, s.host, s.title, s.series::text, s.seen_until, s.entity_tag, s.failures, s.set_at
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
            entityTag: row.read(), failures: Int(row.read(Int16.self)), setAt: row.read())
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

/// Leaves all stations of a host alone for a while, because it has asked for that. They are locked in the order in which an account that closes gives up
/// its sites.
struct PauseHost: Statement {
    static let sql = """
        WITH early AS (
            SELECT slot, tank_id FROM station WHERE host = $1 AND due_at < now() + $2 * interval '1 us' ORDER BY slot, device_id FOR UPDATE
        )
        UPDATE station s SET due_at = now() + $2 * interval '1 us' FROM early e
        WHERE s.host = $1 AND s.slot = e.slot AND s.tank_id = e.tank_id
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
