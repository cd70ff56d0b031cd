import HTTPTypes
import People
import Postgres
import PublicHTTP
import Routes
import Secrets
import Store
import WaterQuality
import Words

extension AccountRoutes {
    private static let email = Input.field("email", Format<EmailAddress>.emailAddress, "The person's e-mail address.")
    private static let password = Input.field(
        "password", Format<String>.freshPassword,
        "The password. Length counts, a mixture of characters does not; what is guessed first is refused.")
    private static let language = Input<Language?>.optionalField(
        "language", .choice(Language.self), "The language of alerts; that of the request when this is missing.")
    private static let timeZone = Input.field(
        "timeZone", Format<String>.text(1...64).example("Europe/Berlin"), default: "UTC",
        "The time zone, by its IANA name.")
    private static let invitation = Input<String?>.optionalField(
        "invitation", .secret(1...128), "The invitation, where the service asks for one.")

    static let signUp = Route<Caller>(
        .post, "/accounts", id: "signUp", tag: tag, access: .anyone, "Open an account",
        text: """
            The answer is the same when the address has an account already: sign in next. Whoever does not get in with the \
            password that they have just chosen has had an account before.
            """,
        inputs: [email, password, language, timeZone, invitation], answers: .json(.accepted, accepted),
        problems: [.signUpClosed, .passwordsOff, .invitationNotValid, .tooManyRequests, .unavailable],
        limit: .credentials
    ) { caller, inputs in
        let (scope, services) = (caller.scope, caller.scope.services)
        let (email, password) = (inputs[email], inputs[password])
        guard services.takesPasswords else { throw Problem(.passwordsOff) }
        let invitation = try invitationHash(inputs[invitation], services.signUp)
        if let fault = PasswordRule.fault(in: password, of: email) { throw Problem(Self.password, Fault(fault)) }
        try services.guesses.invitations.require(Guess(subject: email.text, origin: scope.address.guessOrigin))
        return try await evenly(services.settings.beat) {
            let hash = try await services.passwords.stored(password, urgency: .stranger)
            let language = inputs[language] ?? scope.language
            let outcome = try await scope.anonymousTransaction { transaction in
                guard let zone = try transaction.execute(FindTimeZone(inputs[timeZone])).first else {
                    throw Problem(timeZone, .unknownTimeZone)
                }
                return try transaction.execute(
                    OpenAccount(
                        email: email.text, passwordHash: hash, locale: language.rawValue, timeZone: zone,
                        invitation: invitation)
                ).first?.outcome
            }
            // The answer does not tell whether the address had an account.
            guard outcome == .opened || outcome == .taken else { throw Problem(.invitationNotValid) }
            return .value(email)
        }
    }

    private static let accepted = Output<EmailAddress>.object(
        "SignUp", "The request was taken.",
        [.member("email", .text, "The address to sign in with.", example: "ada@example.org") { $0.text }])

    /// - Returns: nil where no invitation is needed.
    private static func invitationHash(_ text: String?, _ policy: SignUp) throws(Problem) -> [UInt8]? {
        switch policy {
        case .closed: throw Problem(.signUpClosed)
        case .open where text == nil: return nil
        case .open, .invitation:
            guard let text else { throw Problem(invitation, .missing) }
            guard let token = SignUpInvitation(text) else { throw Problem(.invitationNotValid) }
            return token.hash
        }
    }

    private struct Invitation: Sendable {
        let email: String?
        let isValid: Bool
    }

    private static let shownInvitation = Output<Invitation>.object(
        "SignUpInvitation", "An invitation to open an account.",
        [
            .member("isValid", .boolean, "Whether an account can be opened with it.") { $0.isValid },
            .member(
                "email", .optional(of: .text), "The only address that it is for; null: for any.",
                example: "ada@example.org"
            ) { $0.email },
        ])

    private static let shownToken = Input.field("invitation", Format<String>.secret(1...128), "The invitation.")

    static let lookAtInvitation = Route<Caller>(
        .post, "/accounts/invitation", id: "lookAtSignUpInvitation", tag: tag, access: .anyone,
        "Look at an invitation to open an account",
        inputs: [shownToken], answers: .json(.ok, shownInvitation), problems: [.tooManyRequests], limit: .credentials
    ) { caller, inputs in
        guard let token = SignUpInvitation(inputs[shownToken]) else {
            return .value(Invitation(email: nil, isValid: false))
        }
        let scope = caller.scope
        try scope.services.guesses.invitations.require(
            Guess(subject: "look \(scope.network)", origin: scope.address.guessOrigin))
        let row = try await scope.anonymousTransaction { transaction in
            try transaction.execute(LookAtAccountInvitation(hash: token.hash)).first
        }
        guard let row, row.state == .open else { return .value(Invitation(email: nil, isValid: false)) }
        return .value(Invitation(email: row.email, isValid: true))
    }
}
