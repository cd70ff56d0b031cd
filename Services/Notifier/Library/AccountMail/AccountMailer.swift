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
    let metrics: NotifierMetrics
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
        guard let address = MailAddress(asked.address) else {
            return try await end(asked, .nobody, "its address is none that mail is sent to")
        }
        let message = AccountMessage(
            asked, to: address, token: token, origin: origin, at: WallClock.system.now())
        // Left to a Notifier of the version that asks for such mails.
        guard let message else { return try await end(asked, .later, "this version knows no \(asked.kind)") }
        switch await mail.send(message.mail) {
        // Where the answer is missing it may have arrived, and another one would make its link useless.
        case .accepted, .silence: return try await end(asked, .sent, nil)
        case .unknownAddress: return try await end(asked, .nobody, "the mail server does not know its address")
        case let reply: return try await end(asked, .later, "\(reply)")
        }
    }

    /// Notes what came of an attempt.
    private func end(_ asked: AccountMail, _ end: AccountMailEnd, _ reason: String?) async throws -> Bool {
        metrics.accountMails[end].increment()
        if let reason {
            logger.warning("A mail about an account is not sent", [.kind: "\(asked.kind)", .reason: "\(reason)"])
        }
        if end != .later { _ = try await pool.execute(NoteAccountMailSent(number: asked.number)) }
        return true
    }
}
