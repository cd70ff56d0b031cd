import ArgumentParser
import Instants
import People
import Postgres
import Store

/// `aqua account operator`
struct AccountOperator: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator",
        abstract: "Who operates the installation in the app.",
        discussion: """
            Operators see there how the installation does, who has accounts, which devices there are and what was changed by whom, and may \
            sign a person out. They see nobody's readings, limits, journals or names of tanks, and nothing without their password, given \
            lately. A sign-in provider makes operators beside these where AQUA_OIDC_ADMIN_GROUP is set.
            """,
        subcommands: [AccountOperatorAdd.self, AccountOperatorRemove.self, AccountOperatorList.self])
}

/// `aqua account operator add`
struct AccountOperatorAdd: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Lets a person operate the installation in the app.",
        discussion: "Example:  aqua account operator add ada@example.org")

    @Argument(help: "The person's e-mail address.", transform: EmailAddress.init(argument:))
    var email: EmailAddress
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        try await context.setOperator(email, true, output)
    }
}

/// `aqua account operator remove`
struct AccountOperatorRemove: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Lets a person operate the installation no longer, at once.",
        discussion: """
            Whom the sign-in provider makes an operator stays one: take them out of its group.

            Example:  aqua account operator remove ada@example.org
            """)

    @Argument(help: "The person's e-mail address.", transform: EmailAddress.init(argument:))
    var email: EmailAddress
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        try await context.setOperator(email, false, output)
    }
}

/// `aqua account operator list`
struct AccountOperatorList: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists who operates the installation in the app, also by the sign-in provider.")

    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let operators = try await context.withDatabase { connection in
            try await connection.execute(ListOperators()).map {
                OperatorsReport.Line(email: $0.email, until: $0.until?.iso8601Milliseconds)
            }
        }
        try context.console.show(OperatorsReport(operators: operators), output)
    }
}

extension OperatorContext {
    fileprivate func setOperator(_ email: EmailAddress, _ isOperator: Bool, _ output: OutputOptions) async throws {
        let report = try await withDatabase { connection in
            let account = try await connection.account(of: email)
            let isChanged = try await connection.perform(SetOperator(account, isOperator)) > 0
            return OperatorReport(email: email.text, isOperator: isOperator, isChanged: isChanged)
        }
        try console.show(report, output)
    }
}

struct OperatorReport: Report {
    var email: String
    var isOperator: Bool
    /// Whether it was otherwise before.
    var isChanged: Bool

    var text: String {
        switch (isOperator, isChanged) {
        case (true, true): "\(email) operates the installation in the app: under Settings, Operation."
        case (true, false): "\(email) operates the installation already; nothing was changed."
        case (false, true): "\(email) operates the installation no longer."
        case (false, false): "The tool lets \(email) operate nothing; nothing was changed."
        }
    }
}

struct OperatorsReport: Report {
    struct Line: Encodable, Sendable {
        var email: String
        /// Until when by the provider's word; nil: by the tool's.
        var until: String?
    }

    var operators: [Line]

    var text: String {
        guard !operators.isEmpty else { return "Nobody operates the installation in the app." }
        return operators.map { line in
            line.until.map { "\(line.email)  by the sign-in provider, until \($0)" } ?? line.email
        }.joined(separator: "\n")
    }
}
