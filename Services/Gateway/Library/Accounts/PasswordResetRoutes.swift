import HTTPTypes
import People
import Postgres
import PublicHTTP
import Routes
import Secrets
import Store
import Words

/// Routes of a forgotten password.
enum PasswordResetRoutes {
    static let all = [ask, complete]

    private static let email = Input.field("email", Format<EmailAddress>.emailAddress, "The person's e-mail address.")
    private static let token = Input.field("token", Format<String>.secret(1...128), "What the link in the mail holds.")
    private static let fresh = Input.field("newPassword", Format<String>.freshPassword, "The password to set.")

    private static let asked = Output<EmailAddress>.object(
        "PasswordReset", "The request was taken.",
        [.member("email", .text, "The address that was named.", example: "ada@example.org") { $0.text }])

    private static let ask = Route<Caller>(
        .post, "/password-resets", id: "askPasswordReset", tag: AccountRoutes.tag, access: .anyone,
        "Ask for a link to set a forgotten password",
        text:
            "The link is mailed to the address if it has an account, and works for half an hour and once. The answer is the "
            + "same where it has none.",
        inputs: [email], answers: .json(.accepted, asked),
        problems: [.mailOff, .passwordsOff, .tooManyRequests, .unavailable],
        limit: .credentials
    ) { caller, inputs in
        let (scope, email) = (caller.scope, inputs[email])
        guard scope.services.takesPasswords else { throw Problem(.passwordsOff) }
        guard scope.services.hasMail else { throw Problem(.mailOff) }
        try scope.services.guesses.resets.require(Guess(subject: email.mailbox, origin: scope.address.guessOrigin))
        return try await evenly(scope.services.settings.beat) {
            let request = AskPasswordReset(email: email.text, locale: scope.language.rawValue)
            _ = try await scope.anonymousTransaction { try $0.execute(request) }
            return .value(email)
        }
    }

    private static let complete = Route<Caller>(
        .post, "/password-resets/completion", id: "completePasswordReset", tag: AccountRoutes.tag, access: .anyone,
        "Set a forgotten password",
        text:
            "By the link that was mailed. All sessions and personal tokens end, and identities are unlinked: a stranger may have made them.",
        inputs: [token, fresh], answers: .nothing,
        problems: [.resetExpired, .passwordsOff, .tooManyRequests, .unavailable],
        limit: .credentials
    ) { caller, inputs in
        let scope = caller.scope
        guard scope.services.takesPasswords else { throw Problem(.passwordsOff) }
        try scope.services.guesses.invitations.require(
            Guess(subject: "reset \(scope.network)", origin: scope.address.guessOrigin))
        guard let token = ResetToken(inputs[token]) else { throw Problem(.resetExpired) }
        let found = try await scope.anonymousTransaction {
            try $0.execute(LookAtPasswordReset(tokenHash: token.hash)).first
        }
        guard let found else { throw Problem(.resetExpired) }
        if let email = EmailAddress(found), let fault = PasswordRule.fault(in: inputs[fresh], of: email) {
            throw Problem(fresh, Fault(fault))
        }
        let hash = try await scope.services.passwords.stored(inputs[fresh], urgency: .familiar)
        let isSet = try await scope.anonymousTransaction {
            try $0.execute(ResetPassword(tokenHash: token.hash, passwordHash: hash)) == [true]
        }
        // Another request has just used it.
        guard isSet else { throw Problem(.resetExpired) }
        return .nothing
    }
}
