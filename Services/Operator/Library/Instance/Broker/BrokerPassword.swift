import ArgumentParser
import BrokerControl
import MQTT
import MQTTFleet
import ServiceKit

/// `aqua broker password`
struct BrokerPassword: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Changes the password of a service at the broker.",
        discussion: """
            The password is read from standard input: not shown at a terminal, otherwise the first line. Write it to the \
            service's AQUA_MQTT_PASSWORD_FILE before: the broker ends the service's connection, and the service reads the file \
            anew when it connects again. For aqua_admin, this tool's own user, run this first and write the file then.

            Example:  aqua broker password aqua_ingestor < secrets/mqtt-aqua_ingestor
            """)

    private static let minimumLength = 16
    private static let timeout = Duration.seconds(3)

    @Argument(
        help: "The service's user: aqua_ingestor or aqua_admin; beside certificates aqua.ingestor or aqua.operator.")
    var user: String
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        guard DynamicSecurity.isService(user) else {
            throw OperatorError(
                .invalidInput, "\(user) is no service. A device gets a new password by: aqua device rotate-key \(user)")
        }
        let broker = try context.environment.read { $0.broker() }
        let prompt = "New password of \(user) (at least \(Self.minimumLength) characters): "
        let password = try context.console.readPassword(prompt: prompt) ?? ""
        guard password.utf8.count >= Self.minimumLength else {
            throw OperatorError(
                .invalidInput,
                "A service's password has at least \(Self.minimumLength) characters; such as from: openssl rand -hex 32"
            )
        }
        try await change(password, at: MQTTConfiguration.all(broker, timeout: Self.timeout))
        try context.console.show(BrokerPasswordReport(user: user), output)
    }

    private func change(_ password: String, at brokers: [MQTTConfiguration]) async throws {
        do {
            try await DynamicSecurity.with(firstOf: brokers) { [user] in try await $0.setPassword(password, of: user) }
        } catch let error as MQTTError where error.code == .controlRefused(.notFound) {
            throw OperatorError(.notFound, "The broker has no user \(user).", underlying: error)
        } catch let error as MQTTError where user == brokers.first?.credentials?.user {
            // The broker ends our own connection before it answers. A login with the new password tells whether it has changed.
            let attempts = brokers.map { broker in
                var changed = broker
                changed.credentials = MQTTCredentials(user: user, password: password)
                return changed
            }
            let isChanged: Void? = try? await MQTTFleet.with { fleet in
                _ = try await firstBroker(of: attempts) { try await fleet.add($0) }
            }
            guard isChanged != nil else { throw error }
        }
    }
}

struct BrokerPasswordReport: Report {
    var user: String
    var text: String { "The broker has the new password of \(user)." }
}
