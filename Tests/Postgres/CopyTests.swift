import Instants
import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CopyTests {
    struct CopySamples: CopyStatement {
        static let sql = "COPY sample (slot, device, at, value, note) FROM STDIN (FORMAT binary)"
    }
    struct Sample: Equatable, Sendable {
        var slot: Int16
        var device: Int32
        var at: Timestamp
        var value: Float?
        var note: String?
    }
    struct ReadSamples: Statement {
        static let sql = "SELECT slot, device, at, value, note FROM sample ORDER BY device"
        static func decode(_ row: inout RowReader) throws -> Sample {
            Sample(
                slot: try row.read(), device: try row.read(), at: try row.read(), value: try row.read(),
                note: try row.read())
        }
    }

    private func connection() async throws -> PostgresConnection { try await connection(TestCluster.database()) }

    private func connection(_ configuration: PostgresConfiguration) async throws -> PostgresConnection {
        let connection = try await PostgresConnection.connect(configuration)
        try await connection.executeScript(
            "CREATE TABLE sample (slot smallint, device integer PRIMARY KEY, at timestamptz, value real, note text)")
        return connection
    }

    private func samples(_ devices: ClosedRange<Int32>) -> [Sample] {
        var generator = SeededGenerator(seed: 7)
        return devices.map { device in
            Sample(
                slot: .random(in: 0...63, using: &generator), device: device,
                at: Timestamp(microseconds: .random(in: 0...2_000_000_000_000_000, using: &generator)),
                value: .maybe(using: &generator) { .random(in: -10...40, using: &$0) },
                note: .maybe(using: &generator) { _ in "水 \\N \t" })
        }
    }

    private func fill(_ buffer: inout CopyBuffer, _ samples: [Sample]) {
        for sample in samples {
            buffer.startRow(fields: 5)
            buffer.append(sample.slot)
            buffer.append(sample.device)
            buffer.append(sample.at)
            buffer.append(sample.value)
            buffer.append(sample.note)
        }
    }

    @Test func rowsArriveInManyChunksAndTheBufferServesAgain() async throws {
        let connection = try await connection()
        var buffer = CopyBuffer(capacity: 0)
        let first = samples(1...20_000)
        fill(&buffer, first)
        #expect(buffer.byteCount > 3 * 256 * 1024)
        #expect(try await connection.copy(into: CopySamples.self, rows: buffer) == 20_000)
        buffer.removeAll()
        #expect(buffer.isEmpty)
        #expect(try await connection.copy(into: CopySamples.self, rows: buffer) == 0)
        let second = samples(20_001...20_010)
        fill(&buffer, second)
        #expect(try await connection.copy(into: CopySamples.self, rows: buffer) == 10)
        #expect(try await connection.execute(ReadSamples()) == first + second)
    }

    @Test func theServersRefusalIsReportedAndStoresNothing() async throws {
        let connection = try await connection()
        var buffer = CopyBuffer()
        fill(&buffer, samples(1...5000) + samples(3...3))
        let error = await #expect(throws: PostgresError.self) {
            try await connection.copy(into: CopySamples.self, rows: buffer)
        }
        #expect(error?.code == .uniqueViolation)
        #expect(error?.constraint == "sample_pkey")
        #expect(connection.isUsable)
        #expect(try await connection.execute(ReadSamples()).isEmpty)
    }

    @Test func insideATransactionItIsPartOfIt() async throws {
        struct Stop: Error {}
        let connection = try await connection()
        var buffer = CopyBuffer()
        fill(&buffer, samples(1...3))
        await #expect(throws: Stop.self) {
            try await connection.transaction { [buffer] transaction in
                #expect(try transaction.copy(into: CopySamples.self, rows: buffer) == 3)
                throw Stop()
            }
        }
        #expect(try await connection.execute(ReadSamples()).isEmpty)
    }

    /// The server would wait for rows that nobody sends any more.
    @Test func aCancellationBeforeTheFirstRowEndsIt() async throws {
        // This statement survives the cancellation itself, so that the COPY begins.
        struct CopySleeper: CopyStatement {
            static let sql = """
                DO $$ BEGIN PERFORM pg_sleep(300); EXCEPTION WHEN query_canceled THEN NULL; END $$;
                \(CopySamples.sql)
                """
        }
        let configuration = try await TestCluster.database()
        let connection = try await connection(configuration)
        let observer = try await PostgresConnection.connect(configuration)
        var buffer = CopyBuffer()
        fill(&buffer, samples(1...3))
        let copy = Task { [buffer] in try await connection.copy(into: CopySleeper.self, rows: buffer) }
        try await until { try await observer.execute(CountRunning(text: "pg_sleep(300)")) == [1] }
        copy.cancel()
        await #expect(throws: CancellationError.self) { try await copy.value }
        #expect(connection.isUsable)
        #expect(try await connection.execute(ReadSamples()).isEmpty)
        #expect(try await connection.copy(into: CopySamples.self, rows: buffer) == 3)
    }

    @Test func raggedRowsAndNULTextNeverLeave() async throws {
        let connection = try await connection()
        var ragged = CopyBuffer()
        ragged.startRow(fields: 5)
        ragged.append(Int16(1))
        var nul = CopyBuffer()
        fill(&nul, [Sample(slot: 1, device: 1, at: Timestamp(microseconds: 0), value: nil, note: "\0")])
        for buffer in [ragged, nul] {
            let error = await #expect(throws: PostgresError.self) {
                try await connection.copy(into: CopySamples.self, rows: buffer)
            }
            #expect(error?.code == .unencodable)
        }
        #expect(connection.isUsable)
    }

    @Test func anotherStatementIsRefused() async throws {
        struct NotACopy: CopyStatement { static let sql = "SELECT 1" }
        let connection = try await connection()
        let error = await #expect(throws: PostgresError.self) {
            try await connection.copy(into: NotACopy.self, rows: CopyBuffer())
        }
        #expect(error?.code == .unexpectedAnswer)
        #expect(connection.isUsable)
    }
}
