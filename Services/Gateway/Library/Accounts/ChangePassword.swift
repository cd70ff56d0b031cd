import HTTPTypes
import People
import Postgres
import Routes
import Secrets
import Store
import WaterQuality

extension AccountRoutes {
    private static let current = Input<String?>.optionalField(
        "currentPassword", .password,
        "The present password; missing for whoever has none and has just proven who they are.")
    private static let fresh = Input.field("newPassword", Format<String>.freshPassword, "The password to set.")

    static let changePassword = Route<Caller>(
        .put, "/account/password", id: "changePassword", tag: tag, access: .session, "Change the password",
        text: """
            Ends all other sessions. Personal tokens stay valid; revoke them if a stranger may have made one. Whoever has come in by the \
            provider alone sets their first password so.
            """,
        inputs: [current, fresh], answers: .nothing,
        problems: [.wrongPassword, .passwordsOff, .passwordNeeded, .conflict, .tooManyRequests, .unavailable],
        limit: .credentials
    ) { caller, inputs in
        let person = try await caller.confirm(inputs[current])
        try await caller.scope.requirePassword(of: person.account)
        if let email = EmailAddress(person.email), let fault = PasswordRule.fault(in: inputs[fresh], of: email) {
            throw Problem(fresh, Fault(fault))
        }
        let hash = try await caller.scope.services.passwords.stored(inputs[fresh], urgency: .familiar)
        let own = caller.session
        let isReplaced = try await caller.scope.transaction { transaction, account in
            try transaction.execute(
                ReplacePassword(account, checkedHash: person.checkedHash, nextHash: hash, keeping: own)
            ).first
        }
        // Another request has just changed it.
        guard isReplaced == true else { throw Problem(.conflict) }
        return .nothing
    }
}
