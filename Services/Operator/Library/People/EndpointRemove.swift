import ArgumentParser
import Postgres
import PushTargets
import Store

/// `aqua endpoint remove`
struct EndpointRemove: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Takes an endpoint out of use; what is on its way there is not sent any more.",
        discussion: """
            Afterwards anybody may register the address, and its owner may again.

            Example:  aqua endpoint remove 3
            """)

    @Argument(help: "The endpoint's number, as aqua endpoint add and test show it.")
    var endpoint: Int64
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let report = try await context.withDatabase { connection in
            guard let removed = try await connection.execute(RemoveEndpoint(endpoint)).first else {
                throw OperatorError(
                    .notFound, "There is no endpoint \(endpoint) that is in use. aqua endpoint test shows a person's.")
            }
            return EndpointRemovalReport(
                endpoint: endpoint, email: removed.email,
                host: (try? PushTarget(removed.target))?.host ?? "unreadable address")
        }
        try context.console.show(report, output)
    }
}

struct EndpointRemovalReport: Report {
    var endpoint: Int64
    var email: String
    var host: String

    var text: String { "Removed endpoint \(endpoint) (\(host)) of \(email)." }
}
