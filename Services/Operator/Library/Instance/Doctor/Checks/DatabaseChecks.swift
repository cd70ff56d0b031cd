import Instants
import Postgres
import Secrets
import ServiceKit
import Store

/// Looks at a database that can be reached, connected as the role that owns it.
struct DatabaseChecks {
    let connection: PostgresConnection
    let clock: WallClock
    /// nil after a fault of the configuration, like `secretKeys`.
    let deviceKeys: DeviceKeys?
    let secretKeys: SecretKeys?
    /// nil after a fault of the configuration, like `browsers`.
    let storage: StorageSettings?
    let browsers: BrowserSettings?

    private static let topic = "database"
    private static let oldestVersion: Int32 = 150_000
    /// Devices' clocks are trusted to 5 minutes; ours must be much better than that.
    private static let clockTolerance = Duration.seconds(2)

    /// - Returns: The findings, and all devices; nil if these could not be read.
    func run() async -> (findings: [Finding], devices: [ListDevices.Row]?) {
        var findings = await checked(Self.topic) { try await server() }
        findings += await checked(Self.topic) { try await overrides() }
        let schema = await checked(Self.topic) { try await self.schema() }
        findings += schema
        guard schema.allSatisfy({ $0.status == .ok }) else {
            findings.append(.skipped("roles", "not looked at, for the schema is not this tool's"))
            return (findings, nil)
        }
        findings += await checked(Self.topic) { try await partitions() }
        findings += await checked(Self.topic) { try await timeZones() }
        findings += await checked("roles") { try await RoleChecks(connection: connection).run() }
        findings += await checked("keys") {
            try await KeyChecks(connection: connection, deviceKeys: deviceKeys, secretKeys: secretKeys).run()
        }
        findings += await checked("web push") {
            try await WebPushChecks(connection: connection, settings: browsers).run()
        }
        findings += await checked("apps") { try await AppChecks(connection: connection).run() }
        findings += await checked("flow") { try await FlowChecks(connection: connection).run() }
        findings += await checked("gateway") { try await AddressChecks(connection: connection).run() }
        findings += await checked("upkeep") {
            try await UpkeepChecks(connection: connection, retention: storage?.retention).run()
        }
        findings += await checked("disk") { try await disk() }
        findings += await checked("backup") { try await BackupChecks(connection: connection).run() }
        findings += await checked("canary") { try await CanaryChecks(connection: connection).run() }
        let devices = try? await connection.allDevices()
        return (findings, devices)
    }

    private func checked(_ topic: String, _ check: () async throws -> [Finding]) async -> [Finding] {
        do {
            return try await check()
        } catch {
            return [.unreachable(topic, error)]
        }
    }

    private func server() async throws -> [Finding] {
        let before = clock.now()
        guard let server = try await connection.execute(InspectServer()).first else { return [] }
        let after = clock.now()
        var findings: [Finding] = []
        findings.append(
            server.version >= Self.oldestVersion
                ? .ok(Self.topic, "PostgreSQL \(server.versionText) answers as \(server.role)")
                : .wrong(
                    Self.topic, "PostgreSQL \(server.versionText) is too old",
                    mend: "Upgrade to PostgreSQL 15 or later."))
        if server.isSuperuser {
            findings.append(
                .wrong(
                    Self.topic, "\(server.role) is a superuser",
                    mend: "Name the database's owner in AQUA_DATABASE_URL: this tool needs no more than its rights."))
        }
        for setting in server.unsafe {
            findings.append(
                .wrong(
                    Self.topic,
                    "\(setting) is off: a crash of the server loses readings that devices were told are safe",
                    mend: "As a superuser run: ALTER SYSTEM SET \(setting) = on; SELECT pg_reload_conf();"))
        }
        findings.append(connections(server))
        let uncertainty = (after - before) / 2
        findings.append(clockFinding(server.clock - (before + uncertainty), uncertainty: uncertainty))
        return findings
    }

    /// A copy of each service holds twelve connections, this tool two; an upgrade runs every copy twice.
    private static let neededConnections: Int32 = 33

    private func connections(_ server: InspectServer.Row) -> Finding {
        guard server.connections >= Self.neededConnections else {
            return .wrong(
                Self.topic,
                "it admits \(server.connections) connections, and two copies of each service need \(Self.neededConnections)",
                mend: "As a superuser run: ALTER SYSTEM SET max_connections = 100; and restart the server.")
        }
        guard server.connectionsInUse * 10 < server.connections * 9 else {
            return .wrong(
                Self.topic, "\(server.connectionsInUse) of its \(server.connections) connections are in use",
                mend: "Look in pg_stat_activity whose they are, or raise max_connections and restart the server.")
        }
        return .ok(Self.topic, "\(server.connectionsInUse) of its \(server.connections) connections are in use")
    }

    private func clockFinding(_ difference: Duration, uncertainty: Duration) -> Finding {
        guard max(difference, .zero - difference) > Self.clockTolerance + uncertainty else {
            return .ok(Self.topic, "its clock and this machine's agree")
        }
        let seconds = "\(abs(difference.components.seconds)) s"
        return .wrong(
            Self.topic, "its clock is \(seconds) \(difference > .zero ? "ahead of" : "behind") this machine's",
            mend: "Synchronize both with NTP: event times and throttles go by them.")
    }

    private func overrides() async throws -> [Finding] {
        try await connection.execute(FindUnsafeOverrides()).map { override in
            let role = override.prefix { $0 != ":" }
            return .wrong(
                Self.topic, "durability is switched off for \(override)",
                mend:
                    "As a superuser run: ALTER ROLE \(role == "every role" ? "ALL" : String(role)) RESET synchronous_commit;"
            )
        }
    }

    private func schema() async throws -> [Finding] {
        let state = try await Schema.migrator().state(on: connection)
        guard let refusal = state.refusal() else {
            return [.ok(Self.topic, "the schema has version \(Schema.version)")]
        }
        return [.wrong(Self.topic, refusal, mend: "Run: aqua migrate")]
    }

    private func partitions() async throws -> [Finding] {
        let missing = try await connection.execute(FindMissingPartitions())
        guard !missing.isEmpty else {
            return [.ok(Self.topic, "samples have their partitions from 8 days back to 3 ahead")]
        }
        return [
            .wrong(
                Self.topic, "samples of \(missing.joined(separator: ", ")) have no partition: their messages fail",
                mend:
                    "Start aqua-ingestor, which makes them; or run in psql: "
                    + "SELECT make_sample_partitions('\(missing[0])', '\(missing[missing.count - 1])');"
            )
        ]
    }

    private func disk() async throws -> [Finding] {
        guard let storage else { return [.skipped("disk", "not looked at, for its configuration is wrong")] }
        return try await DiskChecks(connection: connection, settings: storage).run()
    }

    private func timeZones() async throws -> [Finding] {
        guard let zones = try await connection.execute(InspectTimeZones()).first else { return [] }
        var findings: [Finding] = []
        findings.append(
            zones.known > 100
                ? .ok(Self.topic, "the server knows \(zones.known) time zones")
                : .wrong(
                    Self.topic, "the server knows only \(zones.known) time zones",
                    mend: "Install the package tzdata there and restart it."))
        if !zones.missing.isEmpty {
            findings.append(
                .wrong(
                    Self.topic,
                    "people have time zones that the server does not know, and are told times in UTC: "
                        + zones.missing.joined(separator: ", "),
                    mend: "Update the package tzdata on the database's machine and restart the server."))
        }
        return findings
    }
}
