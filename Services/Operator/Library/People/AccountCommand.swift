import ArgumentParser
import People
import Postgres
import Secrets
import Store
import Words

struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "People.",
        subcommands: [
            AccountAdd.self, AccountInvite.self, AccountInvitations.self, AccountPassword.self, AccountLetIn.self,
            AccountSessions.self, AccountOperator.self, AccountDelete.self,
        ])
}

/// `aqua account add`
struct AccountAdd: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds a person.",
        discussion: """
            The password is read from standard input: asked for twice and not shown at a terminal, otherwise the first line.

            Example:  aqua account add ada@example.org --locale es --zone Europe/Madrid < password.txt
            """)

    @Argument(help: "The person's e-mail address.", transform: EmailAddress.init(argument:))
    var email: EmailAddress
    @Option(help: "The language of the person's alerts: \(Language.allCases.map(\.rawValue).joined(separator: ", ")).")
    var locale: Language = .en
    @Option(help: "The person's time zone, by its IANA name.")
    var zone = "UTC"
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        try await context.withDatabase { connection in
            guard let zone = try await connection.execute(FindTimeZone(zone)).first else {
                throw OperatorError(
                    .notFound, "There is no time zone \(zone). Write an IANA name such as Europe/Berlin or Asia/Tokyo.")
            }
            let password = try context.console.readFreshPassword(of: email)
            let hash = try PasswordHash.create(password)
            do {
                try await connection.perform(
                    AddAccount(
                        email: email.text, passwordHash: "\(hash)", locale: locale.rawValue, timeZone: zone))
            } catch let error as PostgresError where error.code == .uniqueViolation {
                throw OperatorError(
                    .conflict, "There is an account of \(email) already; nothing was changed.", underlying: error)
            }
            try context.console.show(
                AccountReport(email: email.text, locale: locale.rawValue, timeZone: zone), output)
        }
    }

}

extension Console {
    /// Reads a person's password that keeps the rule; asks twice at a terminal.
    func readFreshPassword(of email: EmailAddress) throws -> String {
        let rule = "at least \(PasswordRule.minimumLength) characters"
        let password = try readPassword(prompt: "Password of \(email) (\(rule)): ") ?? ""
        if isInteractive {
            guard try readPassword(prompt: "The same again: ") == password else {
                throw OperatorError(.invalidInput, "The two passwords differ. Run the command again.")
            }
        }
        try PasswordRule.check(password, of: email)
        return password
    }
}

struct AccountReport: Report {
    var email: String
    var locale: String
    var timeZone: String

    var text: String { "Added \(email) (language \(locale), time zone \(timeZone))." }
}

extension Language: ExpressibleByArgument {}

extension PasswordRule {
    /// - Throws: `invalidInput` with what to do; never with the password.
    static func check(_ password: String, of email: EmailAddress) throws(OperatorError) {
        switch fault(in: password, of: email) {
        case nil: break
        case .empty:
            throw OperatorError(
                .invalidInput,
                "There is no password on standard input. Send one: aqua account add \(email) < file")
        case let fault?: throw OperatorError(.invalidInput, fault.text(in: .en))
        }
    }
}
