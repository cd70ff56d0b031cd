import CLibpq

/// The one owner of a `PGconn`: blocking calls, for one thread at a time.
///
/// Not Sendable on purpose: a session stays inside the actor (connection or listener) that made it.
final class Session {
    let handle: OpaquePointer
    let cancellation: CancelSwitch
    /// The server's identity; nil where it is unknown.
    let server: ServerIdentity?
    private let history: ServerHistory
    private let onTurn: @Sendable () -> Void
    private let notices: NoticeSink
    private var prepared: [ObjectIdentifier: Prepared] = [:]
    private var preparedCount = 0
    var plans: PlanAge
    private var parameters = Parameters()
    private var scratch: [UnsafePointer<CChar>?] = []

    private typealias Opened = (handle: OpaquePointer, server: ServerIdentity?)

    private struct Prepared {
        let name: String
        let types: [UInt32]
    }

    init(_ configuration: PostgresConfiguration) throws(PostgresError) {
        let (handle, server) = try Self.open(configuration)
        do throws(PostgresError) {
            cancellation = try CancelSwitch(handle)
        } catch {
            PQfinish(handle)
            throw error
        }
        self.handle = handle
        self.server = server
        history = configuration.history
        onTurn = configuration.onTurn
        plans = PlanAge(configuration.planAge)
        notices = NoticeSink(configuration.onNotice)
        notices.attach(to: handle)
    }

    deinit { PQfinish(handle) }

    /// Whether the server is still the one to work on: no other server is known to have been promoted since.
    var isCurrent: Bool { server.map(history.isCurrent) ?? true }
    /// Whether the connection is up and outside of any transaction.
    var isUsable: Bool { PQstatus(handle) == CONNECTION_OK && PQtransactionStatus(handle) == PQTRANS_IDLE }
    var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }
    var socket: Int32 { PQsocket(handle) }

    /// Whether a commit since the last call, by COMMIT or by a single statement, is on this server and perhaps on no
    /// other.
    func tookUnreplicatedCommit() -> Bool { notices.takeUnreplicatedCommit() }

    /// Reads what the server has sent unasked, without waiting.
    /// - Returns: false when the connection is gone.
    func consumeInput() -> Bool { PQconsumeInput(handle) == 1 && PQstatus(handle) == CONNECTION_OK }

    /// Reads everything that the server has sent; after its farewell that includes the end of the connection.
    func hearOut() {
        while aqua_is_readable(socket) != 0, consumeInput() {}
    }

    func execute<S: Statement>(_ statement: S) throws -> [S.Row] { try rows(of: run(statement), S.decode) }

    func execute<S: ComposedStatement>(_ statement: S) throws -> [S.Row] { try rows(of: run(statement.sql), S.decode) }

    private func rows<Row>(of result: borrowing QueryResult, _ decode: (inout RowReader) throws -> Row) throws -> [Row]
    {
        let count = result.rowCount
        var rows: [Row] = []
        rows.reserveCapacity(Int(count))
        for row in 0..<count {
            var reader = RowReader(result.handle, row: row)
            rows.append(try decode(&reader))
        }
        return rows
    }

    func perform<S: Statement>(_ statement: S) throws(PostgresError) -> Int {
        try run(statement).affectedRows
    }

    /// Runs several statements in one simple-protocol message.
    @discardableResult
    func executeScript(_ sql: String) throws(PostgresError) -> QueryResult {
        let handle = handle
        let answer = try cancellation.run { () throws(PostgresError) in
            try awaitedAnswer(isSent: PQsendQuery(handle, sql))
        }
        return try QueryResult(answer, handle)
    }

    /// Runs COMMIT, which our cancellations never interrupt.
    func executeCommit() throws(PostgresError) -> QueryResult {
        notices.isCommitting = true
        defer { notices.isCommitting = false }
        return try executeRegardlessOfCancellation("COMMIT")
    }

    /// Runs a statement that ends a transaction, whether or not the task was cancelled.
    func executeRegardlessOfCancellation(_ sql: String) throws(PostgresError) -> QueryResult {
        try QueryResult(awaitedAnswer(isSent: PQsendQuery(handle, sql)), handle)
    }

    private func run(_ sql: ComposedSQL) throws(PostgresError) -> QueryResult {
        parameters.removeAll()
        sql.bind(&parameters)
        try parameters.buffer.checkEncodable()
        let (handle, text, types) = (handle, sql.text, parameters.types)
        let answer = try cancellation.run { () throws(PostgresError) in
            try awaitedAnswer(
                isSent: parameters.withPointers(&scratch) {
                    PQsendQueryParams(handle, text, $0.count, types, $0.values, $0.lengths, $0.formats, 1)
                })
        }
        return try QueryResult(answer, handle)
    }

    private func run<S: Statement>(_ statement: S) throws(PostgresError) -> QueryResult {
        parameters.removeAll()
        statement.bind(&parameters)
        try parameters.buffer.checkEncodable()
        let name = try prepare(S.self)
        let handle = handle
        let answer = try cancellation.run { () throws(PostgresError) in
            try awaitedAnswer(
                isSent: parameters.withPointers(&scratch) {
                    PQsendQueryPrepared(handle, name, $0.count, $0.values, $0.lengths, $0.formats, 1)
                })
        }
        do throws(PostgresError) {
            return try QueryResult(answer, handle)
        } catch {
            if error.invalidatesPlan { prepared[ObjectIdentifier(S.self)] = nil }
            throw error
        }
    }

    private func prepare<S: Statement>(_: S.Type) throws(PostgresError) -> String {
        if let known = prepared[ObjectIdentifier(S.self)] {
            guard known.types == parameters.types else {
                throw PostgresError(.unencodable, "\(S.self) binds other types than the first time")
            }
            return known.name
        }
        preparedCount += 1
        let name = "s\(preparedCount)"
        let handle = handle
        let types = parameters.types
        let answer = try cancellation.run { () throws(PostgresError) in
            try awaitedAnswer(isSent: PQsendPrepare(handle, name, S.sql, Int32(types.count), types))
        }
        do throws(PostgresError) {
            _ = try QueryResult(answer, handle)
        } catch {
            // Our names are unique on a connection: a duplicate belongs to another client that used this server
            // connection before.
            throw error.sqlState == "42P05" ? error.with(.sharedSession) : error
        }
        prepared[ObjectIdentifier(S.self)] = Prepared(name: name, types: types)
        return name
    }

    /// Reads the server's whole answer to a sent command.
    /// - Parameter isSent: libpq's return value: 0 if nothing could be sent.
    /// - Returns: The last result; nil when there is none.
    /// - Throws: `connectionLost` if another server was promoted meanwhile.
    func awaitedAnswer(isSent: Int32) throws(PostgresError) -> OpaquePointer? {
        guard isSent == 1 else { return nil }
        try awaitServer()
        var last: OpaquePointer?
        while let result = PQgetResult(handle) {
            PQclear(last)
            last = result
            // A COPY goes on until our rows have ended; a lost connection sends nothing more.
            switch PQresultStatus(result) {
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH: return last
            default: if PQstatus(handle) == CONNECTION_BAD { return last }
            }
        }
        return last
    }

    /// Returns when the server has begun to answer. Wakes each second to report that it waits for the server, and to
    /// check that this server is still the one to work on.
    private func awaitServer() throws(PostgresError) {
        while PQisBusy(handle) == 1, PQstatus(handle) == CONNECTION_OK,
            aqua_await_readable(socket, ServerWait.turnMilliseconds) == 0
        {
            try requireCurrent()
            onTurn()
            ServerWait.onTurn?()
        }
        _ = PQconsumeInput(handle)
    }

    /// - Throws: `connectionLost` if another server was promoted.
    func requireCurrent() throws(PostgresError) {
        guard isCurrent else {
            throw PostgresError(.connectionLost, "another server was promoted; the connections to this one are closed")
        }
    }

    /// Tries each host of the URL in turn. libpq would stop at a host that refuses the password or does not know the
    /// database, as a standby does that lags behind its primary. A server that we refuse is skipped, too.
    private static func open(_ configuration: PostgresConfiguration) throws(PostgresError) -> Opened {
        let hosts = configuration.hosts
        guard hosts.count > 1, configuration.met == nil, configuration.lookedAt == nil else {
            return try open(configuration, at: nil)
        }
        var failures: [PostgresError] = []
        for host in hosts {
            do throws(PostgresError) { return try open(configuration, at: host) } catch { failures.append(error) }
        }
        if let refusal = failures.first(where: { $0.code == .serverRefused }) { throw refusal }
        throw PostgresError(.connectionFailed, failures.map(\.message).joined(separator: "; "))
    }

    private static func open(
        _ configuration: PostgresConfiguration, at host: PostgresHost?
    ) throws(PostgresError) -> Opened {
        let handle = try connect(configuration.keywords(for: host))
        guard configuration.lookedAt == nil else { return (handle, nil) }
        do throws(PostgresError) {
            let server = try ServerIdentity(askedOn: handle)
            if let server {
                try configuration.history.admit(
                    server, at: PostgresHost(of: handle), isAside: configuration.met != nil)
            }
            return (handle, server)
        } catch {
            PQfinish(handle)
            throw error
        }
    }

    private static func connect(_ keywords: [(name: String, value: String)]) throws(PostgresError) -> OpaquePointer {
        let names = CStrings(keywords.map(\.name))
        let values = CStrings(keywords.map(\.value))
        guard let handle = PQconnectdbParams(names.pointers, values.pointers, 1) else {
            throw PostgresError(.connectionFailed, "out of memory")
        }
        guard PQstatus(handle) == CONNECTION_OK else {
            let error = PostgresError(lost: handle)
            PQfinish(handle)
            throw PostgresError(.connectionFailed, error.message)
        }
        return handle
    }
}

extension PostgresError {
    /// Whether a table changed below a prepared statement, or the server forgot the statement: it is then prepared
    /// again.
    fileprivate var invalidatesPlan: Bool { sqlState == "0A000" || sqlState == "26000" }
}
