import CCurl
import Synchronization

/// A mail on its way: the part that is still to be read, and the server's refusal.
///
/// `@unchecked Sendable`: all but `isGivenUp` is used on the thread that calls `curl_easy_perform`, during that call and after it.
final class MailExchange: @unchecked Sendable {
    private let message: [UInt8]
    private var position = 0
    /// The refusal that nothing good came after: a server may refuse one way in and take another.
    private var refusal: MailReply?
    private let isGivenUp = Atomic(false)

    init(_ message: [UInt8]) {
        self.message = message
    }

    /// Ends it within a second, from any thread.
    func giveUp() { isGivenUp.store(true, ordering: .relaxed) }

    /// Has libcurl call this object during its next transfer; the caller keeps it for as long.
    func listen(on handle: UnsafeMutableRawPointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        aqua_curl_set_callback(handle, CURLOPT_READFUNCTION, readMail)
        aqua_curl_set_pointer(handle, CURLOPT_READDATA, context)
        aqua_curl_set_callback(handle, CURLOPT_HEADERFUNCTION, hearReply)
        aqua_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        aqua_curl_set_callback(handle, CURLOPT_WRITEFUNCTION, ignore)
        aqua_curl_set_progress(handle, isStillWanted)
        aqua_curl_set_pointer(handle, CURLOPT_XFERINFODATA, context)
        aqua_curl_set_number(handle, CURLOPT_NOPROGRESS, 0)
    }

    fileprivate var mayGoOn: Bool { !isGivenUp.load(ordering: .relaxed) }

    fileprivate func read(into bytes: UnsafeMutablePointer<CChar>, most: Int) -> Int {
        let count = min(most, message.count - position)
        message.withUnsafeBytes { source in
            guard let start = source.baseAddress else { return }
            UnsafeMutableRawPointer(bytes).copyMemory(from: start + position, byteCount: count)
        }
        position += count
        return count
    }

    fileprivate func heard(_ bytes: UnsafeMutablePointer<CChar>, _ count: Int) {
        let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: min(count, 512)), as: UTF8.self)
        // 221 only says good-bye.
        if let refused = MailReply(refusal: line) { refusal = refused } else if !line.hasPrefix("221") { refusal = nil }
    }

    func reply(after outcome: CURLcode) -> MailReply {
        let isSent = !message.isEmpty && position == message.count
        switch outcome {
        case CURLE_OK: return .accepted
        // Of a command that belongs to the mail. Before its data these are the sender's and the recipient's, and 5.1.1 is about the latter.
        case CURLE_SEND_ERROR:
            if case .refused(500..., "5.1.1")? = refusal, position == 0 { return .unknownAddress }
            return refusal ?? .broken
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT: return .noConnection(.refused)
        case CURLE_OPERATION_TIMEDOUT, CURLE_ABORTED_BY_CALLBACK: return isSent ? .silence : .noConnection(.timeout)
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

// Called by libcurl on the thread of `curl_easy_perform`, while the exchange that `context` points to is kept by its caller.

private func readMail(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes, let context else { return 0 }
    return Unmanaged<MailExchange>.fromOpaque(context).takeUnretainedValue().read(into: bytes, most: size * count)
}

private func hearReply(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    if let bytes, let context {
        Unmanaged<MailExchange>.fromOpaque(context).takeUnretainedValue().heard(bytes, size * count)
    }
    return size * count
}

private func ignore(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int { size * count }

/// - Returns: 0 to go on.
private func isStillWanted(
    _ context: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _: curl_off_t
) -> Int32 {
    guard let context else { return 0 }
    return Unmanaged<MailExchange>.fromOpaque(context).takeUnretainedValue().mayGoOn ? 0 : 1
}
