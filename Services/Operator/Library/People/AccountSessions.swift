import ArgumentParser
import Instants
import People
import Postgres
import Store

/// `aqua account sessions`
struct AccountSessions: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "Lists where a person is signed in, or signs them out.",
        discussion: """
            Signing out pauses the endpoints that were registered on that client until the person signs in there again. An \
            access token that was given out before is refused at once.

            Example:  aqua account sessions ada@example.org --end-all
            """)

    @Argument(help: "The person's e-mail address.", transform: EmailAddress.init(argument:))
    var email: EmailAddress
    @Option(help: "The id of a session to end.", transform: SessionID.init(argument:))
    var end: SessionID?
    @Flag(help: "End all sessions.")
    var endAll = false
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let report = try await context.withDatabase { connection in
            let account = try await connection.account(of: email)
            var ended: Int32 = 0
            if endAll {
                ended = try await connection.execute(EndSessions(of: account, .all)).first ?? 0
            } else if let end {
                ended = try await connection.execute(EndSessions(of: account, .only(end))).first ?? 0
                guard ended > 0 else {
                    throw OperatorError(.notFound, "\(email) has no session \(end). Run the command without --end.")
                }
            }
            return SessionsReport(
                email: email.text, ended: Int(ended),
                sessions: try await connection.execute(ListSessions(of: account)).map {
                    .init(
                        id: "\($0.session)", client: $0.client, address: $0.address,
                        createdAt: $0.createdAt.iso8601Milliseconds,
                        usedAt: $0.usedAt.iso8601Milliseconds)
                })
        }
        try context.console.show(report, output)
    }
}

struct SessionsReport: Report {
    struct Line: Encodable, Sendable {
        var id: String
        var client: String
        var address: String
        var createdAt: String
        var usedAt: String
    }

    var email: String
    var ended: Int
    var sessions: [Line]

    var text: String {
        let lines = sessions.map { "\($0.id)  last used \($0.usedAt) from \($0.address)  \($0.client)" }
        return
            ((ended > 0 ? ["Ended \(ended) of the sessions of \(email)."] : [])
            + (lines.isEmpty ? ["\(email) is signed in nowhere."] : lines)).joined(separator: "\n")
    }
}

extension SessionID {
    /// - Throws: `invalidInput`.
    init(argument: String) throws(OperatorError) {
        guard let id = SessionID(argument) else {
            throw OperatorError(.invalidInput, "A session is named by its id, as aqua account sessions shows it.")
        }
        self = id
    }
}
