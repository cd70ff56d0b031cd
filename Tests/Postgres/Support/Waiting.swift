import Postgres

/// Repeats a check until it is true; the tests' time limit is the bound.
func until(_ isTrue: () async throws -> Bool) async throws {
    while try await !isTrue() {
        try Task.checkCancellation()
        await Task.yield()
    }
}

/// A gate that tests open; earlier arrivals wait.
actor Gate {
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func open() {
        isOpen = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    func pass() async {
        if isOpen { return }
        await withCheckedContinuation { waiters.append($0) }
    }
}

/// Entries in the order in which they were added.
actor Journal<Entry: Sendable> {
    private(set) var entries: [Entry] = []

    func note(_ entry: Entry) { entries.append(entry) }
}

/// The server process behind a connection.
struct OwnProcess: Statement {
    static let sql = "SELECT pg_backend_pid()"
    static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}

struct Terminate: Statement {
    static let sql = "SELECT pg_terminate_backend($1, 10000)"
    let process: Int32
    func bind(_ parameters: inout Parameters) { parameters.append(process) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Counts the sessions of this database whose running statement contains a text.
struct CountRunning: Statement {
    static let sql = """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active' AND query LIKE '%' || $1 || '%'
        """
    let text: String
    func bind(_ parameters: inout Parameters) { parameters.append(text) }
    static func decode(_ row: inout RowReader) throws -> Int64 { try row.read() }
}

/// Sleeps long enough to be noticed, and to fail a test that should have cancelled it.
struct SleepLong: Statement {
    static let sql = "SELECT FROM pg_sleep(300)"
}

struct One: Statement {
    static let sql = "SELECT 1"
    static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}
