import CLibpq

/// Takes the server's notices, which libpq would print to standard error.
final class NoticeSink {
    fileprivate let receive: @Sendable (PostgresNotice) -> Void

    init(_ receive: @escaping @Sendable (PostgresNotice) -> Void) {
        self.receive = receive
    }

    /// The caller keeps the sink for as long as the connection lives.
    func attach(to connection: OpaquePointer) {
        PQsetNoticeReceiver(connection, receiveNotice, Unmanaged.passUnretained(self).toOpaque())
    }
}

/// Called by libpq on the connection's thread, during one of our calls. The context is the session's `NoticeSink`, which
/// the session releases after `PQfinish`.
private func receiveNotice(context: UnsafeMutableRawPointer?, result: OpaquePointer?) {
    guard let context, let result else { return }
    let sink = Unmanaged<NoticeSink>.fromOpaque(context).takeUnretainedValue()
    sink.receive(
        PostgresNotice(
            severity: aqua_pq_severity(result).map { String(cString: $0) } ?? "NOTICE",
            sqlState: aqua_pq_sqlstate(result).map { String(cString: $0) } ?? "",
            message: aqua_pq_primary(result).map { String(cString: $0) } ?? ""))
}
