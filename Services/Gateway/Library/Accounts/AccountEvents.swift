import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

extension AccountRoutes {
    private struct Shown: Sendable {
        let event: AccountEvent
        let isThis: Bool
    }

    private static let shown = Output<Shown>.object(
        "AccountEvent", "Something that happened on the account.",
        [
            .member("id", .integer, "Its number; later ones have greater ones.", example: 7) { Int($0.event.number) },
            .member("kind", .choice(Word<AccountEvent.Kind>.self), "What happened.", example: "signedIn") {
                $0.event.kind
            },
            .member("happenedAt", .timestamp, "When.") { $0.event.happenedAt },
            .member(
                "subject", .optional(of: .text),
                "The name of a client, a token or a device, or the host of an endpoint.",
                example: "Garden pond"
            ) { $0.event.subject },
            .member(
                "clientName", .optional(of: .text),
                "What people call the client, of what happened with one; null for others, and where it says nothing of itself.",
                example: "Safari · iPhone"
            ) { $0.event.kind.known?.isOfClient == true ? ClientName.of($0.event.subject) : nil },
            .member(
                "detail", .optional(of: .text),
                "What was chosen: the form of what an endpoint is sent, of endpointFormChanged.", example: .null
            ) { $0.event.detail },
            .member(
                "network", .optional(of: .text), "Where somebody signed in from, as a /24 or a /48.",
                example: "203.0.113.0/24"
            ) { $0.event.network },
            .member(
                "session", .optional(of: .id), "The session in which it was done; null: in none, or by somebody else."
            ) { $0.event.session },
            .member("isThis", .boolean, "Whether it was done in the session that asks.") { $0.isThis },
        ])

    private static let limit = Input.limit(1...200, default: 50)
    private static let cursor = Input.cursor(of: "listAccountEvents", Int64.self)

    static let events = Route<Caller>(
        .get, "/account/events", id: "listAccountEvents", tag: tag, access: .session,
        "List what happened on the account",
        text: """
            Signing in, and everything that outlives a session, the newest first; changes of one thing in one session are listed once \
            a day. Who does not recognise something ends the session in which it was done and takes back what was made and changed in \
            it (undoSession).
            """,
        inputs: [cursor, limit], answers: .json(.ok, .page(of: shown))
    ) { caller, inputs in
        let (limit, before, own) = (inputs[limit], inputs[cursor], caller.session)
        let rows = try await caller.scope.transaction { transaction, account in
            try transaction.execute(ListAccountEvents(of: account, before: before, limit: limit + 1)).map {
                Shown(event: $0, isThis: own != nil && $0.session == own)
            }
        }
        return .value(Page(rows, limit: limit, of: "listAccountEvents", key: \.event.number))
    }
}
