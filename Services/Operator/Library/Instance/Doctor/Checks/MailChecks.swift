import Mail

/// Checks that the mail server takes mail from us, up to the point of sending some.
struct MailChecks {
    static let topic = "mail"
    let server: MailServer
    var patience: Duration = .seconds(10)

    func run() async -> [Finding] { [Self.finding(of: await MailClient.examine(server, within: patience), at: server)] }

    static func finding(of reply: MailReply, at server: MailServer) -> Finding {
        let place = "\(server.host):\(server.port)"
        return switch reply {
        case .accepted: .ok(topic, "the mail server at \(place) lets us in")
        case .refused(let code, _):
            .wrong(
                topic, "the mail server at \(place) refuses us with \(code)",
                mend: "Its log says why. A code that begins with 4 may pass by itself.")
        case .loginRefused:
            .wrong(
                topic, "the mail server at \(place) does not take AQUA_SMTP_USER and its secret",
                mend: "Correct AQUA_SMTP_USER, or the file of AQUA_SMTP_PASSWORD_FILE or AQUA_SMTP_TOKEN_FILE.")
        case .noConnection(.encryption):
            .wrong(
                topic, "the mail server at \(place) offers no encryption, or a certificate that nobody vouches for",
                mend:
                    "Begin AQUA_SMTP_URL with smtps:// where TLS begins with the first byte (port 465), with smtp:// where STARTTLS does (587); name the server as its certificate does, and an authority of your own in AQUA_SMTP_CA_FILE."
            )
        case .noConnection(.refused):
            .wrong(
                topic, "nothing answers at \(place), where AQUA_SMTP_URL has the mail server",
                mend: "Start it, or correct AQUA_SMTP_URL. Many networks let nobody out at port 25: take 587 or 465.")
        case .noConnection(.timeout), .silence, .broken, .unknownAddress:
            .wrong(
                topic, "the mail server at \(place) does not answer, or hangs up",
                mend:
                    "Look at its log. If TLS begins with the first byte there (port 465), begin AQUA_SMTP_URL with smtps://."
            )
        }
    }
}
