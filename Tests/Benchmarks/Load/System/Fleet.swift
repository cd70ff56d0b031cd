import Foundation
import Postgres
import Secrets
import TestSupport
import WaterQuality

/// A whole fleet in the database: each device has a person with the manual's limits and one endpoint.
///
/// COPY writes the same rows as the operator's tool, whose single commands would take hours. The devices are no users
/// of the broker: one user of the benchmark publishes for all of them.
struct Fleet: Sendable {
    let devices: Int
    /// The number of other people who watch each device, with the manual's limits and without an endpoint.
    var watchers = 0

    private static let prefix = "bench-"

    static func hardwareID(_ number: Int) -> String { "\(prefix)\(number)" }

    /// - Returns: The number in a hardware id; nil for a text that is none.
    static func number(of hardwareID: some StringProtocol) -> Int? {
        hardwareID.hasPrefix(prefix) ? Int(hardwareID.dropFirst(prefix.count)) : nil
    }

    /// - Parameter sink: The receiver of all alerts, to which all endpoints lead.
    func provision(_ system: TestSystem, sink: PushSink) async throws {
        let keyText = try String(contentsOfFile: system.path("secret-key"), encoding: .utf8)
        guard let key = SecretKey(keyText) else { throw TestSupportError("The test's secret key is none") }
        let endpoints = try sink.kind.standIn.endpoints(in: system)
        let database = system.database
        let connection = try await PostgresConnection.connect(
            PostgresConfiguration(
                url: database.url(.superuser), password: database.password(.superuser), applicationName: "bench"))
        // Disables triggers, which are made for single changes and too slow for 18 rows a device; the versions are set
        // below.
        try await connection.executeScript(
            """
            SET session_replication_role = replica;
            ALTER TABLE ownership DISABLE TRIGGER ownership_changes_rules;
            ALTER TABLE setting DISABLE TRIGGER setting_changes_rules
            """)
        for first in stride(from: 1, through: devices, by: 10_000) {
            let numbers = first...min(first + 9_999, devices)
            let rows = try FleetRows(numbers, of: self, sink: sink, endpoints, key: key)
            try await connection.transaction { transaction in
                try transaction.copy(into: CopyAccounts.self, rows: rows.accounts)
                try transaction.copy(into: CopyDevices.self, rows: rows.devices)
                try transaction.copy(into: CopyOwnerships.self, rows: rows.ownerships)
                try transaction.copy(into: CopySettings.self, rows: rows.settings)
                try transaction.copy(into: CopyEndpoints.self, rows: rows.endpoints)
            }
        }
        try await connection.executeScript(
            """
            ALTER TABLE ownership ENABLE ALWAYS TRIGGER ownership_changes_rules;
            ALTER TABLE setting ENABLE ALWAYS TRIGGER setting_changes_rules;
            UPDATE slot_rules SET version = version + 1;
            SELECT setval(pg_get_serial_sequence('account', 'account_id'), \(devices * (1 + watchers))),
                setval(pg_get_serial_sequence('device', 'device_id'), \(devices)), setval('endpoint_id', \(devices));
            """)
        await connection.close()
        try await database.sql("VACUUM ANALYZE")
        try await database.sql("CHECKPOINT")
    }
}

/// The rows of some devices. Device, owner and endpoint number n belong together; their index in the fleet is n - 1.
/// Watchers' numbers follow those of all owners.
private struct FleetRows: Sendable {
    var accounts = CopyBuffer()
    var devices = CopyBuffer()
    var ownerships = CopyBuffer()
    var settings = CopyBuffer()
    var endpoints = CopyBuffer()

    init(
        _ numbers: ClosedRange<Int>, of fleet: Fleet, sink: PushSink, _ standIn: any StandInEndpoints, key: SecretKey
    ) throws {
        for number in numbers {
            let name = Fleet.hardwareID(number - 1)
            guard let hardwareID = Device.HardwareID(name) else { throw TestSupportError("\(name) is no device id") }
            let slot = Slot(of: hardwareID).rawValue
            devices.startRow(fields: 5)
            devices.append(slot)
            devices.append(Int32(number))
            devices.append(name)
            devices.append(key.claimCodeHash(name))
            devices.append(Int64(1))

            add(person: number, "\(name)@example.org", of: number, slot, as: "owner")
            for watcher in 0..<fleet.watchers {
                add(
                    person: fleet.devices + (number - 1) * fleet.watchers + watcher + 1,
                    "\(name)-\(watcher)@example.org", of: number, slot, as: "watcher")
            }

            let endpoint = try standIn.endpoint(of: number - 1, at: sink.origin(of: number - 1))
            let channel = sink.kind.rawValue
            endpoints.startRow(fields: 7)
            endpoints.append(Int64(number))
            endpoints.append(Int64(number))
            endpoints.append(channel)
            endpoints.append(endpoint.target)
            endpoints.append(
                try SealedSecret.seal(endpoint.secret, with: key, channel: channel, endpoint: Int64(number)).bytes)
            endpoints.append(endpoint.fingerprint)
            endpoints.append(endpoint.vapidKey)
        }
    }

    private mutating func add(person: Int, _ email: String, of device: Int, _ slot: Int16, as role: String) {
        accounts.startRow(fields: 3)
        accounts.append(Int64(person))
        accounts.append(email)
        accounts.append("scrypt$bench")

        ownerships.startRow(fields: 5)
        ownerships.append(slot)
        ownerships.append(Int32(device))
        ownerships.append(Int64(person))
        ownerships.append(role)
        ownerships.append("Tank \(device)")

        for parameter in Parameter.ofManual {
            let defaults = parameter.defaults
            settings.startRow(fields: 10)
            settings.append(slot)
            settings.append(parameter.rawValue)
            settings.append(Int32(device))
            settings.append(Int64(person))
            settings.append(Int32(1))
            settings.append(defaults.unit.rawValue)
            settings.append(defaults.minimum?.count)
            settings.append(defaults.maximum?.count)
            settings.append(defaults.color)
            settings.append(defaults.order)
        }
    }
}

private enum CopyAccounts: CopyStatement {
    static let sql = "COPY account (account_id, email, password_hash) FROM STDIN (FORMAT binary)"
}

private enum CopyDevices: CopyStatement {
    static let sql = """
        COPY device (slot, device_id, hardware_id, claim_code_hash, rules_version) FROM STDIN (FORMAT binary)
        """
}

private enum CopyOwnerships: CopyStatement {
    static let sql = "COPY ownership (slot, device_id, account_id, role, name) FROM STDIN (FORMAT binary)"
}

private enum CopySettings: CopyStatement {
    static let sql = """
        COPY setting (slot, parameter, device_id, account_id, version, unit, minimum, maximum, colour, position)
        FROM STDIN (FORMAT binary)
        """
}

private enum CopyEndpoints: CopyStatement {
    static let sql = """
        COPY endpoint (endpoint_id, account_id, channel, target, sealed_secret, fingerprint, vapid_key_id)
        FROM STDIN (FORMAT binary)
        """
}
