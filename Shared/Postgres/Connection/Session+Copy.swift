import CLibpq

extension Session {
    /// Large enough that the call costs nothing, small enough that libpq's own buffer stays modest.
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
        // Cancelled before the first row, the COPY would wait for us forever as well.
        defer { if !hasBegun, PQputCopyEnd(handle, "cancelled") == 1 { _ = try? awaitedAnswer(isSent: 1) } }
        let answer = try cancellation.run { () throws(PostgresError) in
            hasBegun = true
            let isSent =
                rows.buffer.withBytes { Self.send($0, handle) }
                && CopyBuffer.trailer.withUnsafeBytes { Self.send($0, handle) }
                && PQputCopyEnd(handle, nil) == 1
            // Unsent, the COPY would wait for us forever; an error that the server sent meanwhile is told by the result.
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
