import Backoff
import Instants
import Logging
import Mail
import Postgres
import Secrets
import ServiceKit
import Store
import Words

/// Sends mails about accounts, such as a link by which a person sets a forgotten password.
///
/// The link's token is made here, and the database keeps its hash: whoever asked for the mail, a Gateway, never sees it.
struct AccountMailer: Sendable {
    let pool: PostgresPool
    let mail: MailClient
    let origin: PublicOrigin
    let settings: NotifierSettings
    let logger: Logger
    /// Whether the database is known to be of this version.
    let mayBegin: @Sendable () -> Bool

    /// Sends what is due until it is cancelled.
    func run() async throws {
        try await keepTrying("sending mails about accounts", logger: logger, isRetriable: PostgresError.isRetriable) {
            (outage: Outage) -> Void in
            try await every(settings.interval) {
                while mayBegin(), try await sendOne() { try Task.checkCancellation() }
                outage.end()
            }
        }
    }

    /// - Returns: Whether there was one.
    private func sendOne() async throws -> Bool {
        let token = ResetToken.generate()
        guard let asked = try await pool.execute(TakeAccountMail(tokenHash: token.hash)).first else { return false }
        guard let message = AccountMessage(asked, token: token, origin: origin, at: WallClock.system.now()) else {
            logger.warning("A mail about an account is not sent: its address is not one that mail goes to")
            _ = try await pool.execute(NoteAccountMailSent(number: asked.number))
            return true
        }
        switch await mail.send(message.mail) {
        // Where the answer is missing it may have arrived, and another one would make its link useless.
        case .accepted, .silence: _ = try await pool.execute(NoteAccountMailSent(number: asked.number))
        case let reply where reply.isUnknownAddress:
            _ = try await pool.execute(NoteAccountMailSent(number: asked.number))
        case let reply: logger.warning("A mail about an account is not sent yet", [.reason: "\(reply)"])
        }
        return true
    }
}
