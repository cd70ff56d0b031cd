import CLibpq

/// Which database cluster a server holds, and which branch of its history it writes.
package struct ServerIdentity: Hashable, Sendable {
    /// What `initdb` drew, the same on a server and all of its standbys.
    package let system: Int64
    /// Grows by one each time that a standby is promoted.
    package let timeline: UInt32

    package init(system: Int64, timeline: UInt32) {
        self.system = system
        self.timeline = timeline
    }

    /// The timeline of the last checkpoint lags behind a promotion; the name of the segment that is written now does not.
    static let sql = """
        SELECT system_identifier, CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_lsn()) END
        FROM pg_control_system()
        """

    /// - Parameters:
    ///   - system: As a decimal number.
    ///   - segment: The name of a segment of the write-ahead log: the timeline, then its place, in hexadecimal digits.
    init?(system: String, segment: String) {
        guard let system = Int64(system), segment.utf8.count == 24, let timeline = UInt32(segment.prefix(8), radix: 16)
        else { return nil }
        self.init(system: system, timeline: timeline)
    }

    /// - Returns: nil for a server that only reads, and where this role may not ask.
    init?(askedOn connection: OpaquePointer) throws(PostgresError) {
        let answer: QueryResult
        do throws(PostgresError) {
            answer = try QueryResult(PQexec(connection, Self.sql), connection)
        } catch {
            // A provider of databases may withhold the functions, or not have them.
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
