import ArgumentParser
import Instants
import People
import Postgres
import ServiceKit
import Store
import WaterQuality

/// `aqua endpoint test`
struct EndpointTest: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Sends a test alert to all endpoints of a person, and says what happened at each.",
        discussion: """
            The notifier sends it, as it sends alerts; what happened is shown after the first attempt at each endpoint, or \
            after 30 seconds. The exit code is 0 when all have accepted it.

            Example:  aqua endpoint test ada@example.org
            """)

    @Argument(help: "The person's e-mail address.", transform: EmailAddress.init(argument:))
    var email: EmailAddress
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let report = try await context.withDatabase { connection in
            let account = try await connection.account(of: email)
            guard try await connection.execute(CountEndpoints(of: account)).first ?? 0 > 0 else {
                throw OperatorError(
                    .notFound, "\(email) has no endpoint. Add one: aqua endpoint add \(email) --webhook URL")
            }
            return try await context.sendTestAlert(to: account, email, connection)
        }
        try context.console.show(report, output)
        guard report.isDelivered else { throw ExitCode.failure }
    }
}

extension OperatorContext {
    /// Sends a test alert and waits for the first attempts. The listener starts before the alert is added, so that no
    /// notification is missed.
    func sendTestAlert(
        to account: Account.ID, _ email: EmailAddress, _ connection: PostgresConnection
    ) async throws -> TestReport {
        let settings = try environment.read { $0.database() }
        let listener = PostgresListener(try PostgresConfiguration(settings), channels: [Channel.delivery])
        return try await listener.withEvents { events in
            guard (try await within(patience) { await events.first { $0 == .mayHaveMissed } } ?? nil) != nil else {
                throw OperatorError(.unanswered, "The database cannot be listened to. See aqua doctor.")
            }
            let uid = Alert.UID.random(at: clock.now())
            guard let alert = try await connection.execute(AddTestAlert(account: account, uid: uid)).first?.alert else {
                throw OperatorError(.unanswered, "The database took no test alert. Run the command again.")
            }
            let name = AlertName(uid, slot: alert.slot, alert: alert.alert)
            if let deliveries = try await firstAttempts(alert, events, connection) {
                return TestReport(email: email.text, alert: name, deliveries: deliveries, isWithdrawn: false)
            }
            let isWithdrawn = try await connection.perform(WithdrawTestAlert(alert)) == 1
            let deliveries = try await connection.execute(ReadDeliveries(alert))
            return TestReport(email: email.text, alert: name, deliveries: deliveries, isWithdrawn: isWithdrawn)
        }
    }

    /// - Returns: nil if an endpoint was not tried within `patience`.
    private func firstAttempts(
        _ alert: AlertKey, _ events: PostgresEvents, _ connection: PostgresConnection
    ) async throws -> [ReadDeliveries.Row]? {
        try await within(patience) {
            for await event in events where event.concerns(alert) {
                let deliveries = try await connection.execute(ReadDeliveries(alert))
                if !deliveries.isEmpty, deliveries.allSatisfy({ $0.outcome != nil }) { return deliveries }
            }
            return nil
        } ?? nil
    }
}

extension PostgresEvent {
    fileprivate func concerns(_ alert: AlertKey) -> Bool {
        guard case .notified(_, let payload) = self else { return true }
        return payload == "\(alert)"
    }
}
