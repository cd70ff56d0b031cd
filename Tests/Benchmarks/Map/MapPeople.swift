import Postgres
import Secrets
import Store
import TestSupport
import WaterQuality

/// People who all see the same devices on their maps: one owns them, the others watch.
enum MapPeople {
    /// So many that none of them asks more often than one may (`GatewaySettings.rates`).
    private static let count = 20
    /// All devices lie in a square of so many degrees, beginning here.
    static let corner = (west: 15.0, south: 47.0)
    static let side = 2.0

    /// COPY and statements over all rows stand for links one by one, which would take hours.
    /// - Returns: A token of each person.
    static func provision(_ fleet: ReportingFleet, _ database: TestDatabase, seed: UInt64) async throws -> [String] {
        var devices = CopyBuffer()
        for key in fleet.keys {
            devices.startRow(fields: 2)
            devices.append(key.slot.rawValue)
            devices.append(key.device.rawValue)
        }
        let connection = try await database.connect(.superuser)
        try await connection.executeScript(
            """
            SET session_replication_role = replica;
            ALTER TABLE ownership DISABLE TRIGGER ownership_changes_rules;
            CREATE TABLE bench_place (slot smallint, device_id integer, east double precision, south double precision)
            """)
        try await connection.copy(into: CopyPlaces.self, rows: devices)
        try await connection.executeScript(
            """
            SELECT setseed(\(Double(seed % 1_000) / 1_000));
            UPDATE bench_place SET east = \(corner.west) + \(side) * random(), south = \(corner.south) + \(side) * random();
            INSERT INTO account (account_id, email, password_hash) OVERRIDING SYSTEM VALUE
            SELECT number, 'map-' || number || '@example.org', 'scrypt$bench' FROM generate_series(1, \(count)) AS number;
            INSERT INTO device (slot, device_id, hardware_id, claim_code_hash) OVERRIDING SYSTEM VALUE
            SELECT slot, device_id, 'probe-' || device_id, sha256(device_id::text::bytea) FROM bench_place;
            INSERT INTO ownership (slot, device_id, account_id, role, name, linked_at, latitude, longitude)
            SELECT slot, device_id, 1, 'owner', 'Gauge ' || device_id, now() - interval '30 days', south, east FROM bench_place;
            INSERT INTO ownership (slot, device_id, account_id, role, name, linked_at, latitude, longitude)
            SELECT slot, device_id, number, 'watcher', 'Gauge ' || device_id, now() - interval '29 days', south, east
            FROM generate_series(2, \(count)) AS number, bench_place;
            ALTER TABLE ownership ENABLE ALWAYS TRIGGER ownership_changes_rules;
            SELECT setval(pg_get_serial_sequence('account', 'account_id'), \(count)),
                setval(pg_get_serial_sequence('device', 'device_id'), \(fleet.keys.count))
            """)
        await connection.close()
        try await database.sql("VACUUM (ANALYZE) account, device, ownership")
        let tokens = (0..<count).map { _ in PersonalToken.generate() }
        try await GatewayPeople.store(tokens, database)
        return tokens.map(\.text)
    }
}

private enum CopyPlaces: CopyStatement {
    static let sql = "COPY bench_place (slot, device_id) FROM STDIN (FORMAT binary)"
}
