import ArgumentParser
import Instants
import People
import Postgres
import Secrets
import ServiceKit
import Store

/// `aqua account invite`
struct AccountInvite: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Invites somebody to open an account.",
        discussion: """
            Prints a code that opens one account, this once, and where AQUA_PUBLIC_URL is set the address that the person opens. With
            --email it opens the account of that address only.

            Example:  aqua account invite --email ada@example.org --days 3
            """)

    @Option(help: "The only address that the invitation is for.", transform: EmailAddress.init(argument:))
    var email: EmailAddress?
    @Option(help: "For how many days it can be used, 1 to 90.")
    var days = 7
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...90).contains(days) else { throw ValidationError("An invitation can be used for 1 to 90 days.") }
    }

    func run(in context: OperatorContext) async throws {
        let (database, origin) = try context.environment.read {
            ($0.database(), $0.optional(.publicURL, parse: PublicOrigin.init))
        }
        let token = SignUpInvitation.generate()
        let report = try await context.withDatabase(database) { connection in
            let statement = AddAccountInvitation(
                hash: token.hash, email: email?.text, lifetime: .seconds(days * 86_400))
            guard let added = try await connection.execute(statement).first else {
                throw OperatorError(.unanswered, "The database took no invitation. Run the command again.")
            }
            return InvitationReport(
                id: "\(added.invitation)", email: email?.text, invitation: token.text,
                url: origin.map { "\($0.text)/sign-up#\(token.text)" },
                expiresAt: added.expiresAt.iso8601Milliseconds)
        }
        try context.console.show(report, output)
    }
}

struct InvitationReport: Report {
    var id: String
    var email: String?
    var invitation: String
    /// The web app's page to sign up, with the invitation filled in; nil where the public address is not known.
    var url: String?
    var expiresAt: String

    var text: String {
        let opens = url.map { "The person opens \($0)\n" } ?? ""
        return """
            Invitation\(email.map { " for \($0)" } ?? ""), until \(expiresAt): \(invitation)
            \(opens)Note it now: it is not shown again. To take it back: aqua account invitations --revoke \(id)
            """
    }
}

/// `aqua account invitations`
struct AccountInvitations: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "invitations",
        abstract: "Lists the invitations to open an account, or takes one back.",
        discussion: "Example:  aqua account invitations --revoke 0190163d-8694-739b-aea5-966c26f8ad91")

    private static let most = 100

    @Option(help: "The id of an unused invitation to take back.", transform: AccountInvitationID.init(argument:))
    var revoke: AccountInvitationID?
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let report = try await context.withDatabase { connection in
            if let revoke, try await connection.perform(RevokeAccountInvitation(revoke)) == 0 {
                throw OperatorError(
                    .notFound, "There is no unused invitation \(revoke). aqua account invitations lists them.")
            }
            return InvitationsReport(
                invitations: try await connection.execute(ListAccountInvitations(limit: Self.most)).map {
                    .init(
                        id: "\($0.invitation)", state: $0.state.rawValue, email: $0.email, usedBy: $0.usedBy,
                        expiresAt: $0.expiresAt.iso8601Milliseconds)
                })
        }
        try context.console.show(report, output)
    }
}

struct InvitationsReport: Report {
    struct Line: Encodable, Sendable {
        var id: String
        var state: String
        var email: String?
        var usedBy: String?
        var expiresAt: String
    }

    var invitations: [Line]

    var text: String {
        guard !invitations.isEmpty else { return "There are no invitations." }
        return invitations.map {
            "\($0.id)  \($0.state)  until \($0.expiresAt)  \($0.usedBy ?? $0.email ?? "for anybody")"
        }.joined(separator: "\n")
    }
}

extension AccountInvitationID {
    /// - Throws: `invalidInput`.
    init(argument: String) throws(OperatorError) {
        guard let id = AccountInvitationID(argument) else {
            throw OperatorError(
                .invalidInput, "An invitation is named by its id, as aqua account invitations shows it.")
        }
        self = id
    }
}
