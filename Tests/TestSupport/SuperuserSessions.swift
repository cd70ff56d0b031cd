import CLibpq
import Foundation
import Synchronization

/// The superuser's connections to the databases of tests, kept open: psql takes 20 ms of a core to start and log in,
/// and a waiting test polls hundreds of times.
final class SuperuserSessions: Sendable {
    private let idle = Mutex<[String: [Session]]>([:])
    /// The first words of statements that leave no state in the session.
    private static let words: Set<Substring> = [
        "SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "CREATE", "ALTER", "DROP", "GRANT", "REVOKE",
    ]

    /// The statements of a text, if they need no feature of psql and leave no state in the session. psql takes a text with a semicolon within
    /// a quotation, or without a doubt.
    static func statements(of text: String) -> [String]? {
        guard !text.utf8.contains(UInt8(ascii: "\\")) else { return nil }
        var found: [String] = []
        for part in text.split(separator: ";") {
            let statement = part.trimmingCharacters(in: .whitespacesAndNewlines)
            if statement.isEmpty { continue }
            let quotes = statement.utf8.count { $0 == UInt8(ascii: "'") }
            guard quotes.isMultiple(of: 2), !statement.contains("$$"), words.contains(statement.prefix { $0.isLetter })
            else { return nil }
            found.append(statement)
        }
        return found
    }

    /// - Returns: The rows as psql prints them, columns separated by `|`.
    /// - Throws: `TestSupportError` with the server's message; the statements before it have taken place.
    func run(_ statements: [String], in database: String, _ place: [String: String]) async throws -> String {
        while let session = idle.withLock({ $0[database]?.popLast() }) {
            guard let answer = await onThread({ session.isAlive ? session.run(statements) : nil }).value else {
                continue
            }
            return try keep(session, database, answer)
        }
        let session = await onThread { Session(place.merging(["dbname": database]) { $1 }) }.value
        return try keep(session, database, await onThread { session.run(statements) }.value)
    }

    /// Closes the connections to a database, which is about to be dropped.
    func close(_ database: String) {
        _ = idle.withLock { $0.removeValue(forKey: database) }
    }

    private func keep(
        _ session: Session, _ database: String, _ answer: Result<String, TestSupportError>
    ) throws -> String {
        idle.withLock { $0[database, default: []].append(session) }
        return try answer.get()
    }
}

/// A libpq connection.
///
/// `@unchecked Sendable`: a connection taken from the idle ones has a single user, and the pointer never changes.
private final class Session: @unchecked Sendable {
    private let connection: OpaquePointer?

    init(_ place: [String: String]) {
        let settings = Array(place)
        let keywords = settings.map { strdup($0.key) } + [nil]
        let values = settings.map { strdup($0.value) } + [nil]
        defer { for text in keywords + values { free(text) } }
        connection = PQconnectdbParams(keywords.map { UnsafePointer($0) }, values.map { UnsafePointer($0) }, 0)
    }

    deinit { PQfinish(connection) }

    /// Whether the server still answers; it may have been stopped since the last use.
    var isAlive: Bool {
        let result = PQexec(connection, "")
        defer { PQclear(result) }
        return PQresultStatus(result) == PGRES_EMPTY_QUERY
    }

    /// Each statement is a transaction of its own.
    func run(_ statements: [String]) -> Result<String, TestSupportError> {
        var outputs: [String] = []
        for statement in statements {
            switch run(statement) {
            case .success(let rows): if !rows.isEmpty { outputs.append(rows) }
            case .failure(let error): return .failure(error)
            }
        }
        return .success(outputs.joined(separator: "\n"))
    }

    private func run(_ statement: String) -> Result<String, TestSupportError> {
        let result = PQexec(connection, statement)
        defer { PQclear(result) }
        guard [PGRES_TUPLES_OK, PGRES_COMMAND_OK].contains(PQresultStatus(result)) else {
            return .failure(TestSupportError(String(cString: PQerrorMessage(connection))))
        }
        let rows = (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { String(cString: PQgetvalue(result, row, $0)) }.joined(separator: "|")
        }
        return .success(rows.joined(separator: "\n"))
    }
}
