import HTTPTypes
import People
import Postgres
import Routes
import Secrets
import Store
import WaterQuality

extension AccountRoutes {
    private static let current = Input.field("currentPassword", Format<String>.password, "The present password.")
    private static let fresh = Input.field("newPassword", Format<String>.freshPassword, "The password to set.")

    static let changePassword = Route<Caller>(
        .put, "/account/password", id: "changePassword", tag: tag, access: .session, "Change the password",
        text: "Ends all other sessions. Personal tokens stay valid; revoke them if a stranger may have made one.",
        inputs: [current, fresh], answers: .nothing,
        problems: [.wrongPassword, .conflict, .tooManyRequests, .unavailable], limit: .credentials
    ) { caller, inputs in
        let person = try await caller.confirm(inputs[current])
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
