package import ServiceKit
package import Words

/// The operator's mail server, which takes our mail and brings it on (RFC 6409).
package struct MailServer: Sendable {
    package enum Encryption: Sendable {
        /// TLS from the first byte (`smtps`, port 465).
        case fromTheStart
        /// STARTTLS, and nothing without it (`smtp`, port 587).
        case demanded
        /// For a relay on the same machine or in the same private network (`smtp+plain`, port 25).
        case none
    }

    /// How we prove who we are.
    package enum Credential: Sendable {
        case none
        /// PLAIN or LOGIN.
        case password(user: String, Renewable<Secret>)
        /// An OAuth 2 access token (OAUTHBEARER or XOAUTH2), which whoever renews it writes into its file.
        case bearer(user: String, Renewable<Secret>)
    }

    package var host: String
    package var port: Int
    package var encryption: Encryption
    package var credential: Credential
    package var sender: MailSender
    /// A PEM file with certificate authorities beside the system's.
    package var authorityFile: String?

    package init(
        host: String, port: Int, encryption: Encryption, credential: Credential = .none, sender: MailSender,
        authorityFile: String? = nil
    ) {
        self.host = host
        self.port = port
        self.encryption = encryption
        self.credential = credential
        self.sender = sender
        self.authorityFile = authorityFile
    }

    /// By `AQUA_SMTP_URL`, `AQUA_MAIL_FROM`, `AQUA_SMTP_USER` with `AQUA_SMTP_PASSWORD_FILE` or `AQUA_SMTP_TOKEN_FILE`, and
    /// `AQUA_SMTP_CA_FILE`; nil where no server is named.
    /// - Parameter brand: The look of what it sends.
    package init?(_ reader: ConfigurationReader, _ brand: Brand) {
        let url = reader.optional(.smtpURL) { text in
            ServerURL(text).flatMap { Self.usual[$0.scheme] != nil && ["", "/"].contains($0.path) ? $0 : nil }
        }
        let sender = reader.optional(.mailFrom) { MailSender($0, of: brand) }
        let user = reader.optionalString(.smtpUser)
        let password = reader.optionalRenewableSecret(.smtpPasswordFile, minimumLength: 1)
        let token = reader.optionalRenewableSecret(.smtpTokenFile, minimumLength: 1)
        authorityFile = reader.optionalFile(.smtpCAFile)
        guard let url, let usual = Self.usual[url.scheme] else { return nil }
        (host, port, encryption) = (url.host, url.port ?? usual.port, usual.encryption)
        if sender == nil { reader.fault(.mailFrom, "is not set", remedy: "set it to \(Variable.mailFrom.expectation)") }
        self.sender = sender ?? .standIn
        switch (user, password, token) {
        case (nil, nil, nil): credential = .none
        case (let user?, let password?, nil): credential = .password(user: user, password)
        case (let user?, nil, let token?): credential = .bearer(user: user, token)
        default:
            credential = .none
            reader.fault(
                .smtpUser, "does not fit the secrets that are set",
                remedy:
                    "set it together with either AQUA_SMTP_PASSWORD_FILE or AQUA_SMTP_TOKEN_FILE, or none of the three")
        }
        if case .none = credential {
        } else if encryption == .none {
            reader.fault(
                .smtpURL, "would send a password unencrypted",
                remedy: "begin it with smtp:// (STARTTLS) or smtps:// (TLS)")
        }
    }

    private static let usual: [String: (port: Int, encryption: Encryption)] = [
        "smtps": (465, .fromTheStart), "smtp": (587, .demanded), "smtp+plain": (25, .none),
    ]
}

extension MailSender {
    /// The placeholder in a faulty configuration, until the configuration is refused.
    fileprivate static let standIn = MailSender("aqua@localhost")!
}
