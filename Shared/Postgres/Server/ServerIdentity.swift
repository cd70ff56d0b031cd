import CLibpq

/// The database cluster that a server holds, and the branch of its history that it writes.
package struct ServerIdentity: Hashable, Sendable {
    /// The identifier drawn by `initdb`, the same on a server and all of its standbys.
    package let system: Int64
    /// The timeline, which grows by one with each promotion of a standby.
    package let timeline: UInt32

    package init(system: Int64, timeline: UInt32) {
        self.system = system
        self.timeline = timeline
    }

    /// Asks for the current WAL segment, whose name has the timeline: the last checkpoint's timeline lags behind a
    /// promotion.
    static let sql = """
        SELECT system_identifier, CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_lsn()) END
        FROM pg_control_system()
        """

    /// - Parameters:
    ///   - system: The system identifier as a decimal number.
    ///   - segment: The name of a WAL segment in hexadecimal digits: the timeline, then the position.
    init?(system: String, segment: String) {
        guard let system = Int64(system), segment.utf8.count == 24, let timeline = UInt32(segment.prefix(8), radix: 16)
        else { return nil }
        self.init(system: system, timeline: timeline)
    }

    /// - Returns: nil for a server that only reads, and if this role may not ask.
    init?(askedOn connection: OpaquePointer) throws(PostgresError) {
        let answer: QueryResult
        do throws(PostgresError) {
            answer = try QueryResult(PQexec(connection, Self.sql), connection)
        } catch {
            // A database provider may withhold the functions, or not have them.
            guard [.insufficientPrivilege, .undefinedObject].contains(error.code) else {
                throw error.isRetriable ? error : error.with(.connectionFailed)
            }
            return nil
        }
        guard answer.rowCount == 1, PQgetisnull(answer.handle, 0, 1) == 0 else { return nil }
        self.init(
            system: String(cString: PQgetvalue(answer.handle, 0, 0)),
            segment: String(cString: PQgetvalue(answer.handle, 0, 1)))
    }
}
