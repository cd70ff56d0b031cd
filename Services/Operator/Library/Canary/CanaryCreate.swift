import ArgumentParser
import BrokerControl
import Instants
import MQTT
import People
import Postgres
import PushTargets
import Secrets
import ServiceKit
import Store
import WaterQuality

/// `aqua canary create`
struct CanaryCreate: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Sets the canary up: an account that nobody signs in to, a device and a webhook.",
        discussion: """
            Prints, this once, the secret by which the webhook's receiver knows that a message is genuine. Run again, it mends what is missing: \
            the device's account at the broker, its link, the webhook. With another address the former one is taken out of use; with the same \
            one its secret stays.

            Example:  aqua canary create --webhook https://alerts.example.org/canary
            """)

    @Option(help: "The address that receives the canary's alarms and all-clears, as aqua endpoint add has it.")
    var webhook: String
    @Option(help: "How often an alarm is due: from 10m to 1h.")
    var every = DurationArgument(.seconds(900))
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let settings = try context.environment.require(Settings.init)
        let registration = try WebhookRegistration(webhook, by: settings.policy)
        try await context.withDatabase(settings.database) { connection in
            let canary = try await provision(connection, settings)
            do {
                try await connection.transaction(telling: context.console, output) { transaction in
                    let account = try canary.add(every: every.duration, in: transaction)
                    return try report(
                        canary, webhook: register(registration, for: account, settings.secretKeys, in: transaction),
                        of: registration)
                }
            } catch let error as PostgresError where error.code == .uniqueViolation {
                throw OperatorError(
                    .conflict,
                    "Somebody else has just set a canary up, or has an account of \(CanaryProvision.email). Run the command again.",
                    underlying: error)
            }
        }
    }

    /// Finds the canary, or what a new one will be, and makes its account at the broker: one without a row is harmless.
    private func provision(_ connection: PostgresConnection, _ settings: Settings) async throws -> CanaryProvision {
        let canary = try await CanaryProvision.find(connection, settings.deviceKeys, settings.secretKeys)
        try await DynamicSecurity.with(firstOf: settings.brokers) { security in
            if canary.isNew {
                try await security.makeClient(canary.id.text, password: canary.password)
            } else {
                _ = try await security.ensureClient(canary.id.text, password: canary.password)
            }
        }
        return canary
    }

    /// Registers the webhook, and takes any other out of use.
    /// - Returns: The secret; nil where the address was in use already.
    private func register(
        _ registration: WebhookRegistration, for account: Account.ID, _ keys: SecretKeys,
        in transaction: borrowing PostgresTransaction
    ) throws -> WebhookSecret? {
        let place = try registration.place(for: account, CanaryProvision.email, in: transaction)
        for former in try transaction.execute(ListCanaryWebhooks()) where former != place.endpoint {
            _ = try transaction.execute(RemoveEndpoint(former))
        }
        if place.account == account, place.isInUse { return nil }
        try registration.add(at: place, for: account, sealedBy: keys, in: transaction)
        return registration.secret
    }

    private func report(
        _ canary: CanaryProvision, webhook secret: WebhookSecret?, of registration: WebhookRegistration
    ) -> CanaryReport {
        CanaryReport(
            deviceId: canary.id.text, everySeconds: Int(every.duration / .seconds(1)), host: registration.target.host,
            secret: secret?.text)
    }

    func validate() throws {
        guard CanarySchedule.intervals.contains(every.duration), every.duration.wholeMicroseconds % 1_000_000 == 0
        else { throw ValidationError("--every is from 10m to 1h, in whole seconds.") }
    }

    /// The settings of the command, read before anything is changed.
    private struct Settings: Sendable {
        let database: DatabaseSettings
        let brokers: [MQTTConfiguration]
        let policy: PushTargetPolicy
        let deviceKeys: DeviceKeys
        let secretKeys: SecretKeys

        init?(_ reader: ConfigurationReader) {
            database = reader.database()
            brokers = MQTTConfiguration.all(reader.broker())
            policy = reader.pushTargetPolicy()
            let (deviceKeys, secretKeys) = (reader.deviceKeys(), reader.secretKeys())
            guard let deviceKeys, let secretKeys else { return nil }
            self.deviceKeys = deviceKeys
            self.secretKeys = secretKeys
        }
    }
}

struct CanaryReport: Report {
    var deviceId: String
    var everySeconds: Int
    var host: String
    /// nil where the webhook has the secret that was printed for it before.
    var secret: String?

    var text: String {
        """
        The canary is \(deviceId): every \(everySeconds / 60) min an alarm of it goes to \(host).
        \(secret.map { "Secret for the receiver: \($0)\nNote it now: it is not shown again." } ?? "The webhook's secret is the one that was printed for it before.")
        Start its publisher: docker compose --profile canary up --detach
        Elsewhere: aqua canary prepare DIRECTORY, and then aqua canary run DIRECTORY
        """
    }
}
