import ArgumentParser
import Instants
import Postgres
import Store

/// `aqua pending`
struct Pending: OperatorCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows what people would still be told of the past, and gives it up.",
        discussion: """
            After a restore, what was on its way when the backup was made may have been told since, or is about water of days ago. \
            --give-up ends it before the services start: nobody is told of it, and what goes on is told with its next reading. \
            deploy/restore does so.

            Example:  aqua pending --give-up
            """)

    @Flag(help: "Tell nobody of what is on its way.")
    var giveUp = false
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let report = try await context.withDatabase { connection in
            let found = try await connection.execute(FindPending()).first
            let givenUp = giveUp ? try await connection.execute(GiveUpPending()).first : nil
            return found.map { PendingReport($0, givenUp: givenUp) }
        }
        if let report { try context.console.show(report, output) }
    }
}

struct PendingReport: Report {
    var alerts: Int64
    var deliveries: Int64
    var people: Int64
    var decidedAt: String?
    var batches: Int64
    var receivedAt: String?
    /// How many deliveries were given up; nil unless that was asked for.
    var givenUp: Int64?

    init(_ row: FindPending.Row, givenUp: Int64?) {
        alerts = row.alerts
        deliveries = row.deliveries
        people = row.people
        decidedAt = row.decidedAt?.iso8601
        batches = row.batches
        receivedAt = row.receivedAt?.iso8601
        self.givenUp = givenUp
    }

    var text: String {
        let told =
            alerts + deliveries == 0
            ? "No alert is on its way."
            : "On their way to \(people) people: \(alerts) alerts and \(deliveries) deliveries, the oldest decided at \(decidedAt ?? "?")."
        let decided =
            batches == 0
            ? "No readings wait for a decision."
            : "\(batches) batches of readings wait for a decision, the oldest since \(receivedAt ?? "?"); what is older than 15 minutes is told to nobody."
        return ([told, decided] + (givenUp.map { ["Given up: \($0) deliveries."] } ?? [])).joined(separator: "\n")
    }
}
