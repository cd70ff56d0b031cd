import ArgumentParser
import Instants
import People
import Postgres
import Store

/// `aqua account let-in`
struct AccountLetIn: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "let-in",
        abstract: "Lets a person in by their password for a while, where AQUA_PASSWORDS is off.",
        discussion: """
            The way back in when the sign-in provider is down, or lets the wrong people in. Whoever has no password gets one by \
            aqua account password first. --hours 0 ends it; sessions that were opened meanwhile go on.

            Example:  aqua account let-in ada@example.org --hours 4
            """)

    @Argument(help: "The person's e-mail address.", transform: EmailAddress.init(argument:))
    var email: EmailAddress
    @Option(help: "For how many hours, up to 168.")
    var hours: Int32 = 1
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (0...168).contains(hours) else { throw ValidationError("--hours is a number from 0 to 168.") }
    }

    func run(in context: OperatorContext) async throws {
        let report = try await context.withDatabase { connection in
            let account = try await connection.account(of: email)
            guard let row = try await connection.execute(LetPasswordIn(account, hours: hours)).first else {
                throw OperatorError(.notFound, "There is no account of \(email).")
            }
            return LetInReport(email: email.text, until: row.until?.iso8601Milliseconds, hasPassword: row.hasPassword)
        }
        try context.console.show(report, output)
    }
}

struct LetInReport: Report {
    var email: String
    /// nil where the password lets nobody in any more.
    var until: String?
    var hasPassword: Bool

    var text: String {
        guard let until else { return "\(email) is let in by the password no longer, where AQUA_PASSWORDS is off." }
        let password = hasPassword ? "" : " There is no password yet: set one with aqua account password."
        return "\(email) is let in by the password until \(until).\(password)"
    }
}
