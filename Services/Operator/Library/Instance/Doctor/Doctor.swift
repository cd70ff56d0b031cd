import ArgumentParser
import Instants
import MQTT
import Postgres
import ServiceKit
import Store
import WaterQuality

/// `aqua doctor`
struct Doctor: OperatorCommand {
    static let configuration = CommandConfiguration(
        abstract: "Looks for faults of the instance and says how to fix each.",
        discussion: """
            Looks at the configuration, the database, the services' roles, the broker, the gateway, the mail server, and at what waits to be \
            done; whatever cannot be reached is skipped. Changes nothing, but that --record keeps what was found. The exit code is 1 when \
            anything is wrong; with --every it is that of the end alone.

            Example:  aqua doctor
                      aqua doctor --record --every 15
            """)

    @Flag(help: "Keep what was found, for the operators in the app.")
    var record = false
    @Option(help: "Look again every so many minutes, up to 1440, until stopped.")
    var every: Int?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...1440).contains(every ?? 1) else { throw ValidationError("--every is a number from 1 to 1440.") }
    }

    func run(in context: OperatorContext) async throws {
        guard let every else {
            let report = try await look(in: context)
            guard report.wrong == 0 else { throw ExitCode.failure }
            return
        }
        let stop = await stopSignal()
        do {
            try await cancelling(when: stop) { try await look(in: context, every: .seconds(60 * every)) }
        } catch is CancellationError {
            // The stop came, as it always does.
        }
    }

    @discardableResult
    private func look(in context: OperatorContext) async throws -> DoctorReport {
        let report = DoctorReport(await context.examine())
        try context.console.show(report, output)
        if record { _ = try await context.withDatabase { try await $0.perform(KeepFindings(report.findings)) } }
        return report
    }

    /// Looks until it is cancelled. A database that is away is among what it says, and is tried again.
    private func look(in context: OperatorContext, every pause: Duration) async throws {
        while true {
            do {
                try await look(in: context)
            } catch let error as PostgresError {
                context.console.complain(error.advice)
            }
            try await Task.sleep(for: pause)
        }
    }
}

extension OperatorContext {
    /// Runs all checks that are possible from this machine.
    func examine() async -> [Finding] {
        let configuration = ConfigurationChecks(environment)
        var findings = configuration.findings
        guard let settings = configuration.database else {
            findings.append(.skipped("database", "not looked at, for its configuration is wrong"))
            return await findings + examineBroker(configuration.broker, devices: nil) + examineFleet(configuration)
                + examineGateway(configuration) + examineMail(configuration)
        }
        let database = await examineDatabase(settings, configuration)
        findings += database.findings
        return await findings + examineBroker(configuration.broker, devices: database.devices)
            + examineFleet(configuration) + examineGateway(configuration) + examineMail(configuration)
    }

    private func examineFleet(_ configuration: ConfigurationChecks) async -> [Finding] {
        await configuration.fleet.map { FleetChecks(settings: $0, clock: clock) }?.run() ?? []
    }

    private func examineMail(_ configuration: ConfigurationChecks) async -> [Finding] {
        await configuration.mail.map { MailChecks(server: $0) }?.run() ?? []
    }

    private func examineGateway(_ configuration: ConfigurationChecks) async -> [Finding] {
        guard let settings = configuration.gateway else {
            return [.skipped("gateway", "not looked at, for AQUA_PEOPLE_LISTEN and AQUA_PUBLIC_URL do not name it")]
        }
        return await GatewayChecks(settings: settings, clock: clock).run()
            + ProxyChecks(settings: settings, clock: clock).run()
    }

    /// - Returns: The findings, and all devices, which the broker should know; nil if these could not be read.
    private func examineDatabase(
        _ settings: DatabaseSettings, _ configuration: ConfigurationChecks
    ) async -> (findings: [Finding], devices: [ListDevices.Row]?) {
        var findings: [Finding] = []
        do {
            let database = try PostgresConfiguration(settings)
            let replication = await ReplicationChecks(
                database: database, keepsHistory: configuration.keepsHistory
            ).run()
            findings = replication.findings
            guard replication.isUsable else { return (findings, nil) }
            let connection = try await PostgresConnection.connect(database)
            let result = await DatabaseChecks(
                connection: connection, clock: clock, deviceKeys: configuration.deviceKeys,
                secretKeys: configuration.secretKeys, storage: configuration.storage, browsers: configuration.browsers
            ).run()
            await connection.close()
            return (result.findings + findings, result.devices)
        } catch {
            return ([.unreachable("database", error)] + findings, nil)
        }
    }

    private func examineBroker(_ settings: BrokerSettings?, devices: [ListDevices.Row]?) async -> [Finding] {
        guard let settings else { return [.skipped("broker", "not looked at, for its configuration is wrong")] }
        // A login as a device ends the device's own connection, so the canary is chosen, which connects anew for each message, or a silent
        // device.
        let heard = clock.now() - .seconds(3600)
        let silent = devices?.first { $0.online != true && ($0.lastReadingAt.map { $0 < heard } ?? true) }
        let device = (devices?.first(where: \.isCanary) ?? silent).flatMap { Device.HardwareID($0.device.hardwareID) }
        var access: DeviceAccess?
        if let device { access = try? await DeviceAccess.of([device], in: self) }
        var findings: [Finding] = []
        for broker in settings.each {
            let endpoint = MQTTEndpoint(broker.addresses[0])
            let looked = await BrokerChecks(
                settings: broker, device: device.flatMap { id in access.map { (id, $0.at(endpoint)) } },
                devices: devices?.map(\.device.hardwareID), clock: clock
            ).run()
            findings += settings.addresses.count == 1 ? looked : looked.map { $0.about(endpoint) }
        }
        return findings
    }
}

extension Finding {
    /// The same finding, naming the broker where there are several.
    fileprivate func about(_ broker: MQTTEndpoint) -> Finding {
        Finding(topic: topic, status: status, finding: "\(broker): \(finding)", mend: mend)
    }

    /// A finding for an error that stopped a check, worded as when it stops a verb.
    static func unreachable(_ topic: String, _ error: any Error) -> Finding {
        let advice =
            switch error {
            case let error as PostgresError: error.advice
            case let error as MQTTError: error.advice
            default: "\(error)."
            }
        // The first sentence says what happened, the others what to do.
        guard let end = advice.firstRange(of: ". ") else { return .wrong(topic, advice, mend: "See the server's log.") }
        return .wrong(topic, String(advice[..<end.lowerBound]), mend: String(advice[end.upperBound...]))
    }
}
