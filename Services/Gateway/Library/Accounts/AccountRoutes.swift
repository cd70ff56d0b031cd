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

    private static let account = Output<ReadAccount.Row>.object(
        "Account", "The person who asks.",
        [
            .member("email", .text, "The e-mail address, in lower case.", example: "ada@example.org") { $0.email },
            .member("name", .text, "How others who share a device see the person.", example: "Ada") { $0.name },
            .member("language", .choice(Language.self), "The language of alerts and answers.", example: "en") {
                Language(locale: $0.settings.locale)
            },
            .member("timeZone", .text, "The time zone, by its IANA name.", example: "Europe/Berlin") {
                $0.settings.timeZone
            },
            .member("createdAt", .timestamp, "When the account was opened.") { $0.createdAt },
        ])

    static let show = Route<Caller>(
        .get, "/account", id: "showAccount", tag: tag, access: .read, "Show the account",
        answers: .json(.ok, account)
    ) { caller, _ in
        let row = try await caller.scope.transaction { transaction, account in
            try transaction.execute(ReadAccount(account)).first
        }
        guard let row else { throw Problem.invalidToken }
        return .value(row)
    }
}
