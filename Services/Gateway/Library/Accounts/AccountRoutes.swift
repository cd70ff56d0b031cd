import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality
import Words

/// Routes of opening an account, and of what belongs to it alone.
enum AccountRoutes {
    static let all = [signUp, lookAtInvitation, show, events, changePassword, closeAccount]
    static let tag = "Account"

    private struct Person: Sendable {
        let row: ReadAccount.Row
        let isOperator: Bool
    }

    private static let account = Output<Person>.object(
        "Account", "The person who asks.",
        [
            .member("email", .text, "The e-mail address, in lower case.", example: "ada@example.org") { $0.row.email },
            .member("name", .text, "How others who share a device see the person.", example: "Ada") { $0.row.name },
            .member("language", .choice(Language.self), "The language of alerts and answers.", example: "en") {
                Language(locale: $0.row.settings.locale)
            },
            .member("timeZone", .text, "The time zone, by its IANA name.", example: "Europe/Berlin") {
                $0.row.settings.timeZone
            },
            .member("createdAt", .timestamp, "When the account was opened.") { $0.row.createdAt },
            .member(
                "isOperator", .boolean,
                "Whether the person operates the installation in the session that asks (showOperation); false for a token."
            ) { $0.isOperator },
        ])

    static let show = Route<Caller>(
        .get, "/account", id: "showAccount", tag: tag, access: .read, "Show the account",
        answers: .json(.ok, account)
    ) { caller, _ in
        let session = caller.session
        let found = try await caller.scope.transaction { transaction, account -> Person? in
            guard let row = try transaction.execute(ReadAccount(account)).first else { return nil }
            let isOperator = try session.map { try transaction.execute(Operates(in: $0)) == [true] } ?? false
            return Person(row: row, isOperator: isOperator)
        }
        guard let found else { throw Problem.invalidToken }
        return .value(found)
    }
}
