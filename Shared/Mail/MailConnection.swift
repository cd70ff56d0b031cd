import CCurl
import ServiceKit
import ThreadExecutor

/// A connection to the operator's mail server, kept from mail to mail, on a thread of its own: libcurl's calls block.
actor MailConnection {
    private let executor = ThreadExecutor(name: "mail")
    private let server: MailServer
    private var handle: UnsafeMutableRawPointer?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ server: MailServer) {
        self.server = server
        _ = Self.isPrepared
        handle = curl_easy_init()
    }

    isolated deinit {
        if let handle { curl_easy_cleanup(handle) }
    }

    private static let isPrepared = aqua_curl_prepare() == CURLE_OK

    /// Sends one mail.
    /// - Parameter patience: For all of it, the connection included.
    func send(_ message: MailMessage, within patience: Duration) -> MailReply {
        guard let handle else { return .noConnection(.refused) }
        let exchange = Exchange(message.written(from: server.sender))
        // Keeps the connection.
        curl_easy_reset(handle)
        let recipients = curl_slist_append(nil, message.to.text)
        defer { curl_slist_free_all(recipients) }
        configure(handle, patience)
        aqua_curl_set_text(handle, CURLOPT_MAIL_FROM, server.sender.address.text)
        aqua_curl_set_pointer(handle, CURLOPT_MAIL_RCPT, recipients)
        aqua_curl_set_number(handle, CURLOPT_UPLOAD, 1)
        aqua_curl_set_callback(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            return Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue().read(into: bytes, most: size * count)
        }
        aqua_curl_set_pointer(handle, CURLOPT_READDATA, Unmanaged.passUnretained(exchange).toOpaque())
        listen(handle, exchange)
        let outcome = withExtendedLifetime(exchange) { curl_easy_perform(handle) }
        let reply = exchange.reply(after: outcome)
        if !reply.isConclusive { renew() }
        return reply
    }

    /// Connects and proves who we are, and sends nothing.
    /// - Returns: `accepted` where mail could be sent.
    func examine(within patience: Duration) -> MailReply {
        guard let handle else { return .noConnection(.refused) }
        defer { renew() }
        let exchange = Exchange([])
        curl_easy_reset(handle)
        configure(handle, patience)
        listen(handle, exchange)
        aqua_curl_set_number(handle, CURLOPT_CONNECT_ONLY, 1)
        return withExtendedLifetime(exchange) { exchange.reply(after: curl_easy_perform(handle)) }
    }

    /// Has the server's replies told to an exchange.
    private func listen(_ handle: UnsafeMutableRawPointer, _ exchange: Exchange) {
        aqua_curl_set_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue().heard(bytes, size * count)
            return size * count
        }
        aqua_curl_set_pointer(handle, CURLOPT_HEADERDATA, Unmanaged.passUnretained(exchange).toOpaque())
        aqua_curl_set_callback(handle, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
    }

    /// Gives up a connection whose answers might be to a former mail: libcurl keeps one that did not answer in time.
    private func renew() {
        guard let handle else { return }
        aqua_curl_hang_up(handle)
        curl_easy_cleanup(handle)
        self.handle = curl_easy_init()
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
        aqua_curl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(patience / .milliseconds(1)))
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

/// One mail on its way: what is still to be read of it, and the server's refusal. Used on the connection's thread alone.
private final class Exchange {
    private let message: [UInt8]
    private var position = 0
    /// The last reply that refused anything; what comes later only says good-bye.
    private var refusal: MailReply?

    init(_ message: [UInt8]) {
        self.message = message
    }

    func read(into bytes: UnsafeMutablePointer<CChar>, most: Int) -> Int {
        let count = min(most, message.count - position)
        message.withUnsafeBytes { source in
            UnsafeMutableRawPointer(bytes).copyMemory(from: source.baseAddress! + position, byteCount: count)
        }
        position += count
        return count
    }

    func heard(_ bytes: UnsafeMutablePointer<CChar>, _ count: Int) {
        let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: min(count, 512)), as: UTF8.self)
        refusal = MailReply(refusal: line) ?? refusal
    }

    private var isSent: Bool { position == message.count }

    func reply(after outcome: CURLcode) -> MailReply {
        switch outcome {
        case CURLE_OK: return .accepted
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT: return .noConnection(.refused)
        case CURLE_OPERATION_TIMEDOUT: return isSent ? .silence : .noConnection(.timeout)
        case CURLE_USE_SSL_FAILED, CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE:
            return .noConnection(.encryption)
        case CURLE_LOGIN_DENIED:
            // A server that has no time to check says so by a code of its own.
            if case .refused(..<500, _)? = refusal { return refusal ?? .loginRefused }
            return .loginRefused
        default: return refusal ?? .broken
        }
    }
}
