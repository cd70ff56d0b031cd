import Instants
import Postgres
import TestSupport
import Testing

@Suite struct ValueTests {
    @Test(arguments: UInt64(1)...40)
    func everyScalarComesBackAsItWent(seed: UInt64) async throws {
        let connection = try await PostgresConnection.connect(TestCluster.commonDatabase())
        var generator = SeededGenerator(seed: seed)
        let sent = (0..<5).map { _ in Scalars(using: &generator) }
        for scalars in sent {
            #expect(try await connection.execute(EchoScalars(scalars: scalars)) == [scalars])
        }
    }

    @Test(arguments: UInt64(1)...40)
    func everyArrayComesBackAsItWent(seed: UInt64) async throws {
        let connection = try await PostgresConnection.connect(TestCluster.commonDatabase())
        var generator = SeededGenerator(seed: seed)
        let arrays = Arrays(using: &generator)
        #expect(try await connection.execute(EchoArrays(arrays: arrays)) == [arrays])
    }

    @Test func theServerUnderstandsTheSameValues() async throws {
        struct Describe: Statement {
            static let sql = """
                SELECT concat_ws('|', $1, $2, $3, $4, $5 = 'NaN', $6, to_char($7 AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'),
                    encode($8, 'hex'), $9)
                """
            func bind(_ parameters: inout Parameters) {
                parameters.append(true)
                parameters.append(Int16.min)
                parameters.append(Int32.max)
                parameters.append(Int64.min)
                parameters.append(Float.nan)
                parameters.append("Ω 水")
                parameters.append(Timestamp(microseconds: -1))
                parameters.append([0, 255] as [UInt8])
                parameters.append([1, nil, 3] as [Int32?])
            }
            static func decode(_ row: inout RowReader) throws -> String { try row.read() }
        }
        let connection = try await PostgresConnection.connect(TestCluster.commonDatabase())
        #expect(
            try await connection.execute(Describe()) == [
                "t|-32768|2147483647|-9223372036854775808|t|Ω 水|1969-12-31 23:59:59.999999|00ff|{1,NULL,3}"
            ])
    }

    @Test func infiniteTimesSaturate() async throws {
        struct Times: Statement {
            static let sql = "SELECT 'infinity'::timestamptz, '-infinity'::timestamptz, $1, $1 = 'infinity'"
            func bind(_ parameters: inout Parameters) { parameters.append(Timestamp.distantFuture) }
            static func decode(_ row: inout RowReader) throws -> [String] {
                [
                    "\(try row.read() == Timestamp.distantFuture)", "\(try row.read() == Timestamp.distantPast)",
                    "\(try row.read() == Timestamp.distantFuture)", "\(try row.read(Bool.self))",
                ]
            }
        }
        let connection = try await PostgresConnection.connect(TestCluster.commonDatabase())
        #expect(try await connection.execute(Times()) == [["true", "true", "true", "true"]])
    }

    @Test func rawValuesTravelAndUnknownOnesAreErrors() async throws {
        enum Level: Int16 { case low, high }
        struct Echo: Statement {
            static let sql = "SELECT $1, $2, $3"
            let raw: Int16
            func bind(_ parameters: inout Parameters) {
                parameters.append(raw)
                parameters.append(nil as Level?)
                parameters.append([Level.high, .low])
            }
            static func decode(_ row: inout RowReader) throws -> String {
                "\(try row.read(Level.self)) \(try row.read(Level?.self) as Any) \(try row.read([Level].self))"
            }
        }
        let connection = try await PostgresConnection.connect(TestCluster.commonDatabase())
        #expect(try await connection.execute(Echo(raw: 1)).first?.hasPrefix("high nil [") == true)
        let error = await #expect(throws: PostgresError.self) { try await connection.execute(Echo(raw: 7)) }
        #expect(error?.code == .decoding)
        #expect(error?.message.contains("Level") == true)
    }

    @Test func textWithNULIsRefused() async throws {
        struct Echo: Statement {
            static let sql = "SELECT $1"
            let text: String
            func bind(_ parameters: inout Parameters) { parameters.append(text) }
            static func decode(_ row: inout RowReader) throws -> String { try row.read() }
        }
        let connection = try await PostgresConnection.connect(TestCluster.commonDatabase())
        let error = await #expect(throws: PostgresError.self) { try await connection.execute(Echo(text: "a\0b")) }
        #expect(error?.code == .unencodable)
        #expect(error?.message.contains("NUL") == true)
        #expect(try await connection.execute(Echo(text: "ab")) == ["ab"])
    }

    @Test func aWrongColumnIsNamed() async throws {
        struct WrongType: Statement {
            static let sql = "SELECT 1::bigint AS one, 'x' AS label"
            static func decode(_ row: inout RowReader) throws -> Int32 {
                row.skip()
                return try row.read()
            }
        }
        struct UnexpectedNull: Statement {
            static let sql = "SELECT NULL::real AS reading"
            static func decode(_ row: inout RowReader) throws -> Float { try row.read() }
        }
        struct TooShort: Statement {
            static let sql = "SELECT 1"
            static func decode(_ row: inout RowReader) throws -> Int32 {
                _ = try row.read(Int32.self)
                return try row.read()
            }
        }
        let connection = try await PostgresConnection.connect(TestCluster.commonDatabase())
        var error = await #expect(throws: PostgresError.self) { try await connection.execute(WrongType()) }
        #expect(error?.message == "column 2 (label) has the type number 25, expected is integer")
        error = await #expect(throws: PostgresError.self) { try await connection.execute(UnexpectedNull()) }
        #expect(error?.message == "column 1 (reading) is NULL, expected is real")
        error = await #expect(throws: PostgresError.self) { try await connection.execute(TooShort()) }
        #expect(error?.message.contains("has 1 columns") == true)
    }
}
