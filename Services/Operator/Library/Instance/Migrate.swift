import ArgumentParser
import BrokerControl
import MQTT
import Postgres
import ServiceKit
import Store

/// `aqua migrate`
struct Migrate: OperatorCommand {
    static let configuration = CommandConfiguration(
        abstract: "Brings the database's schema to this version, and the broker's accounts with it.",
        discussion: """
            Runs as the role that owns the database; the services' roles are there already (deploy/containers/roles makes them, \
            as the superuser). It also writes how long data are kept, from AQUA_SAMPLE_RETENTION, AQUA_HOURLY_RETENTION, \
            AQUA_ALERT_RETENTION and AQUA_AUDIT_RETENTION where they are set: no service can shorten it; and whether AQUA_OIDC_ADMIN_GROUP is set, \
            without which no sign-in provider makes operators. It is safe to run again, and for several to run it at once.

            Where AQUA_MQTT_URL is set, accounts of devices that an earlier version made are bound to their client ids, a few
            at a time; connected devices have to connect again.

            Example:  AQUA_DATABASE_URL=postgresql://aqua_owner@localhost/aqua aqua migrate
            """)

    @Flag(help: "Believe the database's clock from now on, although the devices do not confirm it.")
    var trustClock = false

    @Flag(help: "Change nothing: say what would be done, what to heed, and when the last good backup was made.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        guard !dryRun else { return try await plan(in: context) }
        let (settings, retention, providerGives, broker) = try context.environment.read { reader in
            let broker = reader.optionalString(.mqttURL).map { _ in MQTTConfiguration.all(reader.broker()) }
            let providerGives = reader.optionalString(.oidcAdminGroup) != nil
            return (reader.database(), Self.retention(reader), providerGives, broker)
        }
        let connection = try await PostgresConnection.connect(PostgresConfiguration(settings))
        let applied: Migrator.Outcome
        var devices: [String] = []
        do {
            applied = try await Schema.migrator().migrate(on: connection)
            try await connection.perform(NameOperator(context.environment))
            try await connection.perform(SetRetention(retention))
            try await connection.perform(SetProviderGives(providerGives))
            if trustClock { try await connection.perform(TrustClock()) }
            if broker != nil { devices = try await connection.allDevices().map(\.device.hardwareID) }
        } catch let error as PostgresError where error.code == .insufficientPrivilege {
            await connection.close()
            throw OperatorError(.invalidInput, Self.lacksRights(error.message), underlying: error)
        }
        await connection.close()
        try context.console.show(
            MigrationReport(
                applied: applied.migrations.map { .init(number: $0.number, name: $0.name) },
                scripts: applied.migrations.isEmpty ? applied.scripts : [], version: Int32(Schema.version),
                boundDevices: try await bind(devices, broker)),
            output)
    }

    private func plan(in context: OperatorContext) async throws {
        let settings = try context.environment.read { $0.database() }
        let connection = try await PostgresConnection.connect(PostgresConfiguration(settings))
        let plan: Result<MigrationPlan, any Error>
        do {
            plan = .success(try await MigrationPlan.read(on: connection))
        } catch {
            plan = .failure(error)
        }
        await connection.close()
        try context.console.show(try plan.get(), output)
    }

    /// Binds devices' accounts at the broker to their client ids.
    /// - Returns: How many devices could use any client id before.
    private func bind(_ devices: [String], _ broker: [MQTTConfiguration]?) async throws -> Int {
        guard let broker, !devices.isEmpty else { return 0 }
        let known = Set(devices)
        return try await DynamicSecurity.with(firstOf: broker) { security in
            let unbound = try await security.listClients().filter(\.isUnboundDevice).map(\.username).filter(
                known.contains)
            try await security.bindDevices(unbound)
            return unbound.count
        }
    }

    /// The retentions that the environment sets; the database keeps the others.
    private static func retention(_ reader: ConfigurationReader) -> [SetRetention.Kind: Duration] {
        let settings = reader.retention()
        var kept: [SetRetention.Kind: Duration] = [:]
        if reader.optionalString(.sampleRetention) != nil { kept[.samples] = settings.samples }
        if reader.optionalString(.hourlyRetention) != nil { kept[.hours] = settings.hours }
        if reader.optionalString(.alertRetention) != nil { kept[.alerts] = settings.alerts }
        if reader.optionalString(.auditRetention) != nil { kept[.audit] = settings.audit }
        return kept
    }

    private static func lacksRights(_ message: String) -> String {
        "The role of AQUA_DATABASE_URL may not migrate (\(message)). It must own the database; as a superuser run: "
            + "ALTER DATABASE that_database OWNER TO that_role;"
    }
}

struct MigrationReport: Report {
    struct Step: Encodable {
        var number: Int32
        var name: String
    }

    var applied: [Step]
    /// Names of the scripts that have changed, where no migration was applied.
    var scripts: [String] = []
    var version: Int32
    var boundDevices = 0

    var text: String {
        let bound =
            boundDevices > 0
            ? ["The broker lets \(boundDevices) more devices in under their own client ids alone."] : []
        guard scripts.isEmpty else {
            return (["Applied the functions that have changed: \(scripts.joined(separator: ", "))"] + bound)
                .joined(separator: "\n")
        }
        guard !applied.isEmpty else {
            return (["Nothing to do: the schema has version \(version) already."] + bound).joined(separator: "\n")
        }
        let steps = applied.map { "Applied \($0.number) \($0.name)" }
        return (steps + ["The schema has version \(version)."] + bound).joined(separator: "\n")
    }
}
