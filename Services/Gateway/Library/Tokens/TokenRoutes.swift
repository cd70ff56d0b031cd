import HTTPTypes
import Instants
import People
import Postgres
import Routes
import Secrets
import Store
import WaterQuality

/// Routes of personal tokens, with which programs act for a person. No personal token makes, shows or revokes one.
enum TokenRoutes {
    static let all = [create, list, revoke].forProjects()
    static let tag = "Personal tokens"

    private struct Shown: Sendable {
        let id: PersonalTokenID
        let name: String
        let scope: Word<TokenScope>
        let lastFour: String
        let createdAt: Timestamp
        let expiresAt: Timestamp?
        var usedOn: Timestamp?
        var hasExpired = false
    }

    private static let members: [OutputMember<Shown>] = [
        .member("id", .id, "The id of the token; not the token.") { $0.id },
        .member("name", .text, "What the person calls it.", example: "Home Assistant") { $0.name },
        .member("scope", .choice(Word<TokenScope>.self), "What it may do.", example: "read") { $0.scope },
        .member("lastFour", .text, "Its last four characters.", example: "x7Qd") { $0.lastFour },
        .member("createdAt", .timestamp, "When it was made.") { $0.createdAt },
        .member("expiresAt", .optional(of: .timestamp), "When it expires; null: never.") { $0.expiresAt },
        .member("usedOn", .optional(of: .timestamp), "The day (UTC) on which it was last used; null: never.") {
            $0.usedOn
        },
        .member("hasExpired", .boolean, "Whether it has expired.") { $0.hasExpired },
    ]

    private static let shown = Output<Shown>.object("PersonalToken", "A personal token, without its text.", members)

    // MARK: Make

    private struct Made: Sendable {
        let shown: Shown
        let token: PersonalToken
    }

    private static let made = Output<Made>.object(
        "CreatedPersonalToken", "A personal token with its text, which is shown this once.",
        [
            .member(
                "token", .text, "The token. Send it as `Authorization: Bearer ...`; keep it like a password.",
                example: "aqp_0000000000000000000000000000000000000000000000000"
            ) { $0.token.text },
            .member("details", shown, "What the list shows of it.") { $0.shown },
        ])

    private static let name = Input.field(
        "name", Format<String>.visibleText(1...64, example: "Home Assistant"), "What the person calls it.")
    private static let tokenScope = Input.field(
        "scope", Format<TokenScope>.choice(TokenScope.self),
        "What it may do: read alone, or also change things; the same with samples of the field alone.")
    private static let expiresAt = Input<Timestamp?>.optionalField(
        "expiresAt", .timestamp, "When it expires; never when this is missing.")

    static let create = Route<Caller>(
        .post, "/tokens", id: "createToken", tag: tag, access: .fresh, "Make a personal token",
        text:
            "The token is shown in this answer and never again. No token may manage tokens, sessions or the password.",
        inputs: [name, tokenScope, expiresAt, Input<String?>.idempotencyKey],
        answers: .json(.created, made, headers: [.location]),
        problems: [.tooManyTokens, .idempotencyInProgress, .idempotencyKeyReused],
        creates: { caller, inputs, encoding in
            let expiry = inputs[expiresAt]
            if let expiry, expiry <= caller.scope.services.clock.now() + .seconds(60) {
                throw Problem(expiresAt, .notFuture)
            }
            let token = PersonalToken.generate()
            return try await caller.scope.creation(encoding) { transaction, account in
                // One at a time, so that the count holds.
                try transaction.perform(LockAccount(account))
                let add = AddPersonalToken(
                    of: account, hash: token.hash, name: inputs[name], scope: inputs[tokenScope],
                    lastFour: token.lastFour, expiresAt: expiry,
                    most: PersonLimits.personalTokens)
                guard let row = try transaction.execute(add).first else { throw Problem(.tooManyTokens) }
                let shown = Shown(
                    id: row.token, name: inputs[name], scope: .known(inputs[tokenScope]),
                    lastFour: token.lastFour, createdAt: row.createdAt, expiresAt: expiry)
                return .value(
                    Made(shown: shown, token: token), headers: [.location: "\(GatewayAPI.base)/tokens/\(row.token)"])
            }
        })

    // MARK: List, revoke

    static let list = Route<Caller>(
        .get, "/tokens", id: "listTokens", tag: tag, access: .session, "List personal tokens",
        text: "Those that were not revoked, the newest first; expired ones are among them.",
        answers: .json(.ok, .list(of: shown))
    ) { caller, _ in
        .value(
            try await caller.scope.transaction { transaction, account in
                try transaction.execute(ListPersonalTokens(of: account)).map {
                    Shown(
                        id: $0.token, name: $0.name, scope: $0.scope, lastFour: $0.lastFour, createdAt: $0.createdAt,
                        expiresAt: $0.expiresAt, usedOn: $0.usedOn, hasExpired: $0.hasExpired)
                }
            })
    }

    private static let token = Input<PersonalTokenID>.path("token", .id, "The id of the token.")

    static let revoke = Route<Caller>(
        .delete, "/tokens/{token}", id: "revokeToken", tag: tag, access: .session, "Revoke a personal token",
        text: "It is refused from now on.",
        inputs: [token], answers: .nothing, problems: [.notFound]
    ) { caller, inputs in
        let token = inputs[token]
        let revoked = try await caller.scope.transaction { transaction, account in
            try transaction.perform(RevokePersonalToken(of: account, token))
        }
        guard revoked > 0 else { throw Problem(.notFound) }
        return .nothing
    }
}
