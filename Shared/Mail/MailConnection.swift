import CCurl
import ServiceKit
import Synchronization
import ThreadExecutor

/// A connection to the operator's mail server, kept from mail to mail, on a thread of its own: libcurl's calls block.
actor MailConnection {
    private let executor = ThreadExecutor(name: "mail")
    private let server: MailServer
    private var handle: UnsafeMutableRawPointer?
    /// The exchange under way, for whoever gives it up from another thread.
    private nonisolated let current = Mutex<MailExchange?>(nil)

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ server: MailServer) {
        self.server = server
    }

    isolated deinit { close() }

    private static let isPrepared = aqua_curl_prepare() == CURLE_OK

    /// Sends one mail.
    /// - Parameter patience: For all of it, the connection included.
    func send(_ message: MailMessage, within patience: Duration) -> MailReply {
        let reply = perform(MailExchange(message.written(from: server.sender)), to: message.to, within: patience)
        // A connection whose answers might be to a former mail is given up: libcurl keeps one that did not answer in time.
        if !reply.isConclusive { close() }
        return reply
    }

    /// Connects and proves who we are, and sends nothing.
    /// - Returns: `accepted` where mail could be sent.
    func examine(within patience: Duration) -> MailReply {
        defer { close() }
        return perform(MailExchange([]), to: nil, within: patience)
    }

    /// Gives up the exchange under way, within a second; called from any thread.
    nonisolated func giveUp() { current.withLock { $0?.giveUp() } }

    /// - Parameter recipient: nil to send nothing.
    private func perform(_ exchange: MailExchange, to recipient: MailAddress?, within patience: Duration) -> MailReply {
        if handle == nil, Self.isPrepared { handle = curl_easy_init() }
        guard let handle else { return .noConnection(.refused) }
        current.withLock { $0 = exchange }
        let recipients = recipient.map { curl_slist_append(nil, $0.text) } ?? nil
        defer {
            // Keeps the connection, and forgets all that it was given for this mail, before that is gone.
            curl_easy_reset(handle)
            curl_slist_free_all(recipients)
            current.withLock { $0 = nil }
        }
        configure(handle, patience)
        if recipients == nil {
            aqua_curl_set_number(handle, CURLOPT_CONNECT_ONLY, 1)
        } else {
            aqua_curl_set_text(handle, CURLOPT_MAIL_FROM, server.sender.address.text)
            aqua_curl_set_pointer(handle, CURLOPT_MAIL_RCPT, recipients)
            aqua_curl_set_number(handle, CURLOPT_UPLOAD, 1)
        }
        exchange.listen(on: handle)
        return exchange.reply(after: curl_easy_perform(handle))
    }

    /// Hangs up: a farewell would wait for an answer, for as long as libcurl likes.
    private func close() {
        guard let handle else { return }
        aqua_curl_hang_up(handle)
        curl_easy_cleanup(handle)
        self.handle = nil
    }

    private func configure(_ handle: UnsafeMutableRawPointer, _ patience: Duration) {
        let scheme = server.encryption == .fromTheStart ? "smtps" : "smtp"
        let host = server.host.contains(":") ? "[\(server.host)]" : server.host
        // The path is the name that EHLO gives: that of the sender's domain, and nothing of this machine.
        aqua_curl_set_text(
            handle, CURLOPT_URL, "\(scheme)://\(host):\(server.port)/\(server.sender.address.domain)")
        aqua_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        // No proxy of the environment's.
        aqua_curl_set_text(handle, CURLOPT_PROXY, "")
        aqua_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        aqua_curl_set_number(handle, CURLOPT_MAXCONNECTS, 1)
        aqua_curl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(patience / .milliseconds(1)))
        // Whoever waits no longer does not wait for a name server either.
        aqua_curl_set_number(handle, CURLOPT_QUICK_EXIT, 1)
        if server.encryption == .demanded {
            aqua_curl_set_number(handle, CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue))
        }
        aqua_curl_set_number(handle, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        // Beside the system's authorities, which are in a directory of their own.
        if let file = server.authorityFile { aqua_curl_set_text(handle, CURLOPT_CAINFO, file) }
        switch server.credential {
        case .none: break
        case .password(let user, let password):
            aqua_curl_set_text(handle, CURLOPT_USERNAME, user)
            aqua_curl_set_text(handle, CURLOPT_PASSWORD, password.renewed().revealed)
            aqua_curl_set_text(handle, CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN")
        case .bearer(let user, let token):
            aqua_curl_set_text(handle, CURLOPT_USERNAME, user)
            aqua_curl_set_text(handle, CURLOPT_XOAUTH2_BEARER, token.renewed().revealed)
        }
    }
}
