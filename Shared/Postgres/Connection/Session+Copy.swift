import CLibpq

extension Session {
    /// The size of a chunk: large enough that the calls cost nothing, small enough that libpq's own buffer stays
    /// modest.
    private static let chunk = 256 * 1024

    /// - Returns: The number of rows stored.
    func copy(_ sql: String, _ rows: CopyBuffer) throws(PostgresError) -> Int {
        try rows.checkComplete()
        let handle = handle
        let start = try executeScript(sql)
        guard start.isCopyIn else {
            throw PostgresError(.unexpectedAnswer, "the statement is not a COPY ... FROM STDIN")
        }
        var hasBegun = false
        // Ends a COPY that was cancelled before its first row: the server would wait for its rows for ever.
        defer { if !hasBegun, PQputCopyEnd(handle, "cancelled") == 1 { _ = try? awaitedAnswer(isSent: 1) } }
        let answer = try cancellation.run { () throws(PostgresError) in
            hasBegun = true
            let isSent =
                rows.buffer.withBytes { Self.send($0, handle) }
                && CopyBuffer.trailer.withUnsafeBytes { Self.send($0, handle) }
                && PQputCopyEnd(handle, nil) == 1
            // Waits only if all was sent: the server would wait for the missing rows, and we for its answer, for ever.
            // The answer carries an error that the server sent meanwhile.
            return try awaitedAnswer(isSent: isSent ? 1 : 0)
        }
        return try QueryResult(answer, handle).affectedRows
    }

    private static func send(_ bytes: UnsafeRawBufferPointer, _ handle: OpaquePointer) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let size = min(chunk, bytes.count - offset)
            let address = bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
            guard PQputCopyData(handle, address, Int32(size)) == 1 else { return false }
            offset += size
        }
        return true
    }
}
