import Instants
import Postgres
import Store
import WaterQuality

/// The devices that people have of the owners of some devices, each with its owner: a project, or a person.
struct FindSites: Statement {
    static let sql = """
        WITH theirs AS MATERIALIZED (
            SELECT f.account_id, f.site, CASE WHEN f.is_project THEN name_of_person(f.site) END AS name FROM (
                SELECT DISTINCT o.account_id, \(site("o")) AS site, o.project_id IS NOT NULL AS is_project
                FROM unnest($1::smallint[], $2::integer[]) AS n (slot, device_id)
                JOIN ownership o ON o.slot = n.slot AND o.device_id = n.device_id AND o.unlinked_at IS NULL) f
        )
        SELECT t.account_id, t.site, t.name, o.slot, o.device_id
        FROM theirs t
        JOIN ownership o ON o.account_id = t.account_id AND o.unlinked_at IS NULL AND \(site("o")) = t.site
        ORDER BY t.account_id, t.site
        """

    /// The account that has the device of an ownership.
    private static func site(_ ownership: String) -> String {
        """
        coalesce(\(ownership).project_id, CASE WHEN \(ownership).role = 'owner' THEN \(ownership).account_id END, (
            SELECT b.account_id FROM ownership b
            WHERE b.slot = \(ownership).slot AND b.device_id = \(ownership).device_id AND b.role = 'owner' AND b.unlinked_at IS NULL))
        """
    }

    struct Row: Sendable {
        var account: Account.ID
        var site: Int64
        /// Of a project.
        var name: String?
        var device: DeviceKey
    }

    let devices: [DeviceKey]
    init(of devices: [DeviceKey]) { self.devices = devices }
    func bind(_ parameters: inout Parameters) { parameters.append(devices) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(account: row.read(), site: row.read(), name: row.read(), device: DeviceKey(&row))
    }
}

/// When devices were heard last, and what is known of how they pause; no row for one that is not looked at.
struct ReadHeard: Statement {
    static let sql = """
        SELECT n.slot, n.device_id, h.heard_at, h.first_at, h.readings, h.gathered_us, h.pauses, f.received_at, c.rhythm
        FROM unnest($1::smallint[], $2::integer[]) AS n (slot, device_id)
        JOIN silence_check c ON c.slot = n.slot AND c.device_id = n.device_id
        CROSS JOIN LATERAL heard_pauses(n.slot, n.device_id, NULL, now() - $3 * interval '1 us', c.learnt_until,
            $4 * interval '1 us') AS h
        CROSS JOIN LATERAL (
            SELECT max(received_at) AS received_at FROM probe_fault
            WHERE slot = n.slot AND device_id = n.device_id AND received_at <= now() + interval '5 minutes') f
        """

    struct Row: Sendable {
        var device: DeviceKey
        var heard: Rhythm.Finding?
        /// When a broken probe was heard last.
        var probeHeardAt: Timestamp?
        var rhythm: Rhythm?
    }

    let devices: [DeviceKey]
    let silenceAfter: Duration

    init(_ devices: [DeviceKey], silenceAfter: Duration) {
        self.devices = devices
        self.silenceAfter = silenceAfter
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(devices)
        parameters.append(silenceAfter.wholeMicroseconds)
        parameters.append(Hearing.shortestPause(silenceAfter).wholeMicroseconds)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            device: DeviceKey(&row), heard: Rhythm.Finding(&row), probeHeardAt: row.read(),
            rhythm: row.read([UInt8]?.self).flatMap { RhythmBytes.decode($0)[nil] })
    }
}
