import HTTPTypes
import People
import Postgres
import PublicHTTP
import Routes
import Secrets
import Store
import WaterQuality

extension SessionRoutes {
    private static let email = Input.field("email", Format<EmailAddress>.emailAddress, "The person's e-mail address.")
    private static let password = Input.field("password", Format<String>.password, "The person's password.")
    private static let client = Input<ClientID?>.optionalField(
        "clientId", .id,
        "A random UUID that the installation keeps. Signing out pauses the endpoints that were registered there, signing in "
            + "there again resumes them; and strangers who guess at the password do not keep this client out.")
    private static let usesCookie = Input.field(
        "cookie", Format<Bool>.boolean, default: false,
        "Whether the refresh token goes into a cookie that scripts cannot read, for a web application on this origin.")

    static let signIn = Route<Caller>(
        .post, "/sessions", id: "signIn", tag: tag, access: .anyone, "Sign in",
        text: "Opens a session. An address without an account is answered like a wrong password.",
        inputs: [email, password, client, usesCookie],
        answers: .json(.created, SessionTokens.output, headers: [.setCookie]),
        problems: [.wrongCredentials, .passwordsOff, .crossOrigin, .tooManyRequests, .unavailable], limit: .credentials
    ) { caller, inputs in
        let services = caller.scope.services
        if inputs[usesCookie] { try requireSameOrigin(caller.headers, services.origin) }
        let client = SessionClient(caller, id: inputs[client])
        let person = try await check(inputs[password], of: inputs[email], client, caller.scope)
        let refreshToken = RefreshToken.generate()
        let session = try await caller.scope.anonymousTransaction { transaction in
            let session = try transaction.execute(
                OpenSession(
                    person.account, checkedHash: person.checkedHash, client: client, refreshTokenHash: refreshToken.hash
                )
            ).first.flatMap(\.self)
            if session != nil, let renewed = person.renewedHash {
                _ = try transaction.execute(
                    RehashPassword(person.account, checkedHash: person.checkedHash, nextHash: renewed))
            }
            return session
        }
        // The password was changed at this very moment.
        guard let session else { throw Problem.wrongCredentials }
        return try await SessionTokens.answer(
            person.account, session, refreshToken, usesCookie: inputs[usesCookie], services)
    }

    private struct CheckedPerson: Sendable {
        let account: Account.ID
        let checkedHash: String
        /// A hash to store instead, when the standard cost has risen.
        let renewedHash: String?
    }

    /// No account has this number.
    private static let nobody = Account.ID(rawValue: 0)

    /// - Throws: `Problem(.wrongCredentials)`, `Problem(.passwordsOff)`, `Problem(.tooManyRequests)`, `Problem(.unavailable)`.
    private static func check(
        _ password: String, of email: EmailAddress, _ client: SessionClient, _ scope: Scope
    ) async throws -> CheckedPerson {
        // The same statements, limits and hash whether or not the address has an account.
        let (found, isFamiliar) = try await scope.anonymousTransaction { transaction in
            let isFamiliar = try transaction.execute(FindFamiliarity(email: email.text, on: client.id)) == [true]
            return (try transaction.execute(FindPasswordSalt(email: email.text)).first, isFamiliar)
        }
        let services = scope.services
        let guess = Guess(
            subject: email.text, origin: scope.address.guessOrigin,
            familiar: isFamiliar ? "client \(client.id?.description ?? "")" : nil)
        try services.guesses.signIn.require(guess)
        let urgency: PasswordChecker.Urgency = isFamiliar ? .familiar : .stranger
        let derived = try await services.passwords.derived(password, by: found?.salt, urgency: urgency)
        let account = found?.account ?? Self.nobody
        let isRight = try await scope.anonymousTransaction { transaction in
            let isRight = try transaction.execute(CheckPassword(of: account, derivedHash: derived.hash)) == [true]
            if !isRight { try transaction.perform(NoteFailedSignIn(email: email.text, client: client.name)) }
            return isRight
        }
        // Where the house takes none, nobody learns whether a password is right.
        guard isRight || !services.takesPasswords else { throw Problem.wrongCredentials }
        try await scope.requirePassword(of: isRight ? account : nobody)
        services.guesses.signIn.succeed(guess)
        return CheckedPerson(
            account: account, checkedHash: derived.hash,
            renewedHash: derived.isOutdated ? try await services.passwords.stored(password, urgency: .familiar) : nil)
    }
}
