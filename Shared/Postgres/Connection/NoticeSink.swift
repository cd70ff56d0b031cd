import CLibpq

/// Takes the server's notices, which libpq would print to standard error.
final class NoticeSink {
    fileprivate let receive: @Sendable (PostgresNotice) -> Void
    /// A COMMIT runs, at which nothing of ours warns.
    var isCommitting = false
    private var hasUnreplicatedCommit = false

    init(_ receive: @escaping @Sendable (PostgresNotice) -> Void) {
        self.receive = receive
    }

    /// Whether the wait for a synchronous standby was cut short since the last call.
    func takeUnreplicatedCommit() -> Bool {
        defer { hasUnreplicatedCommit = false }
        return hasUnreplicatedCommit
    }

    /// "The transaction has already committed locally, but might not have been replicated to the standby", in whatever
    /// language: a warning at COMMIT, and at a statement that commits by itself one of the function that waits.
    fileprivate func note(_ notice: PostgresNotice, from function: String) {
        let isWarning = notice.severity == "WARNING"
        if isWarning, function == "SyncRepWaitForLSN" || isCommitting && notice.sqlState == "01000" {
            hasUnreplicatedCommit = true
        }
        receive(notice)
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
    let notice = PostgresNotice(
        severity: aqua_pq_severity(result).map { String(cString: $0) } ?? "NOTICE",
        sqlState: aqua_pq_sqlstate(result).map { String(cString: $0) } ?? "",
        message: aqua_pq_primary(result).map { String(cString: $0) } ?? "")
    sink.note(notice, from: aqua_pq_function(result).map { String(cString: $0) } ?? "")
}
