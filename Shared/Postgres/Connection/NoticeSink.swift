import CLibpq

/// Receives the server's notices, which libpq would print to standard error.
final class NoticeSink {
    fileprivate let receive: @Sendable (PostgresNotice) -> Void
    /// Whether a COMMIT is running: a warning during it is the server's own, because none of our SQL warns then.
    var isCommitting = false
    private var hasUnreplicatedCommit = false

    init(_ receive: @escaping @Sendable (PostgresNotice) -> Void) {
        self.receive = receive
    }

    /// Whether a wait for a synchronous standby was cut short since the last call.
    func takeUnreplicatedCommit() -> Bool {
        defer { hasUnreplicatedCommit = false }
        return hasUnreplicatedCommit
    }

    /// Recognises "The transaction has already committed locally, but might not have been replicated to the standby" in
    /// any language: as a warning during COMMIT or, for a statement that commits by itself, as one from the function
    /// that waits.
    fileprivate func note(_ notice: PostgresNotice, from function: String) {
        let isWarning = notice.severity == "WARNING"
        if isWarning, function == "SyncRepWaitForLSN" || isCommitting && notice.sqlState == "01000" {
            hasUnreplicatedCommit = true
        }
        receive(notice)
    }

    /// Attaches the sink to a connection; the caller keeps the sink alive as long as the connection.
    func attach(to connection: OpaquePointer) {
        PQsetNoticeReceiver(connection, receiveNotice, Unmanaged.passUnretained(self).toOpaque())
    }
}

/// Called by libpq on the connection's thread, during one of our calls. The context is the session's `NoticeSink`,
/// which outlives the connection: the session releases it after `PQfinish`.
private func receiveNotice(context: UnsafeMutableRawPointer?, result: OpaquePointer?) {
    guard let context, let result else { return }
    let sink = Unmanaged<NoticeSink>.fromOpaque(context).takeUnretainedValue()
    let notice = PostgresNotice(
        severity: aqua_pq_severity(result).map { String(cString: $0) } ?? "NOTICE",
        sqlState: aqua_pq_sqlstate(result).map { String(cString: $0) } ?? "",
        message: aqua_pq_primary(result).map { String(cString: $0) } ?? "")
    sink.note(notice, from: aqua_pq_function(result).map { String(cString: $0) } ?? "")
}
