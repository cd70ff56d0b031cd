import Instants
import Mail
import Secrets
import ServiceKit
import Words

/// The text of a mail about an account.
struct AccountMessage {
    let mail: MailMessage

    /// - Returns: nil for a kind of a newer version.
    init?(_ asked: AccountMail, to address: MailAddress, token: ResetToken, origin: PublicOrigin, at now: Timestamp) {
        let language = Language(rawValue: asked.locale) ?? .en
        var mail = MailMessage(
            to: address, id: "account-\(asked.number)-\(token.hash.prefix(8).map { String($0, radix: 16) }.joined())",
            language: language.rawValue, title: "", text: "", time: now.microseconds / 1_000_000)
        switch asked.kind {
        case "reset":
            mail.title = language.text("mail.reset_title")
            mail.text = language.text("mail.reset_text")
            // Behind the number sign it reaches no server and no log.
            mail.action = .init(language.text("mail.reset_do"), "\(origin.text)/reset-password#\(token.text)")
            mail.isUrgent = true
        case "stopped":
            mail.title = language.text("mail.stopped_title")
            mail.text = [asked.subject, language.text("mail.stopped_text")].compactMap(\.self).joined(separator: "\n")
            mail.action = .init(language.text("mail.open"), "\(origin.text)/settings/notifications")
        default: return nil
        }
        self.mail = mail
    }
}
