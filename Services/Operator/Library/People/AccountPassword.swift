import ArgumentParser
import People
import Postgres
import Secrets
import Store

/// `aqua account password`
struct AccountPassword: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Gives a person another password and signs them out everywhere.",
        discussion: """
            For somebody who has forgotten theirs. The password is read from standard input, as by aqua account add. Personal \
            tokens stay valid.

            Example:  aqua account password ada@example.org < password.txt
            """)

    @Argument(help: "The person's e-mail address.", transform: EmailAddress.init(argument:))
    var email: EmailAddress
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let report = try await context.withDatabase { connection in
            let account = try await connection.account(of: email)
            let hash = try PasswordHash.create(try context.console.readFreshPassword(of: email))
            let isReplaced = try await connection.transaction { transaction in
                guard let former = try transaction.execute(FindCredentials(email: email.text)).first else {
                    return false
                }
                let replace = ReplacePassword(
                    account, checkedHash: former.passwordHash, nextHash: "\(hash)", keeping: nil)
                return try transaction.execute(replace) == [true]
            }
            guard isReplaced else {
                throw OperatorError(.conflict, "The password of \(email) has just been changed. Run the command again.")
            }
            return PasswordReport(email: email.text)
        }
        try context.console.show(report, output)
    }
}

struct PasswordReport: Report {
    var email: String
    var text: String { "\(email) has another password, and is signed out everywhere." }
}
