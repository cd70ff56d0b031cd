import Foundation

/// The PostgreSQL server of a `TestCluster`, or several servers that replicate one another.
package struct DatabaseServer: Sendable {
    package let programs: String
    /// The directory of the server's socket, or the addresses of several servers, one of which accepts writes.
    let hosts: [String]
    package let port: Int
    package let secrets: String
    private let templates = Templates()
    private let sessions = SuperuserSessions()
    /// The limit of concurrent tests: on two cores, more would only wait for one another.
    private let gate = Gate(4)

    private let servers: Servers

    init(_ servers: Servers) throws {
        programs = try servers.setting("POSTGRES_BIN")
        hosts = [try servers.setting("DATABASE_SOCKETS")]
        port = try servers.port("DATABASE_PORT")
        secrets = try servers.setting("SECRETS")
        self.servers = servers
    }

    /// Servers started elsewhere, with the secrets of `servers`.
    init(_ servers: Servers, at addresses: [String], port: Int) throws {
        programs = try servers.setting("POSTGRES_BIN")
        hosts = addresses
        self.port = port
        secrets = try servers.setting("SECRETS")
        self.servers = servers
    }

    package var socketDirectory: String { hosts[0] }

    /// Whether there are several servers: a session may then be connected to one that no longer accepts writes.
    private var isReplicated: Bool { hosts.count > 1 }

    /// Makes a database for `body` alone and drops it afterwards. The database is a copy of a template that `migrate`
    /// fills once for all tests that name the same template.
    /// - Parameter migrate: Runs once, and closes its connections before it returns.
    package func withDatabase<Result: Sendable>(
        template: String = "store", migrate: @Sendable @escaping (TestDatabase) async throws -> Void,
        _ body: (TestDatabase) async throws -> Result
    ) async throws -> Result {
        try await gate.pass {
            let template = try await templates.named(template) { name in
                try await create(name)
                let database = TestDatabase(server: self, name: name)
                try await migrate(database)
                return name
            }
            return try await use(copyOf: template, body)
        }
    }

    /// Makes an empty database for `body` and drops it afterwards.
    package func withDatabase<Result: Sendable>(
        _ body: (TestDatabase) async throws -> Result
    ) async throws -> Result {
        try await gate.pass { try await use(copyOf: "template1", body) }
    }

    private func use<Result>(
        copyOf template: String, _ body: (TestDatabase) async throws -> Result
    ) async throws -> Result {
        let database = try await addDatabase(template: template)
        do {
            let result = try await body(database)
            sessions.close(database.name)
            try await withoutOtherUsers("DROP DATABASE \(database.name) WITH (FORCE)")
            return result
        } catch {
            sessions.close(database.name)
            _ = try? await sql("DROP DATABASE \(database.name) WITH (FORCE)")
            throw error
        }
    }

    /// Makes a database for the lifetime of the server.
    package func addDatabase(template: String = "template1") async throws -> TestDatabase {
        let name = "\(TestDatabase.prefix)\(UUID().uuidString.prefix(8).lowercased())"
        try await create(name, template: template)
        return TestDatabase(server: self, name: name)
    }

    /// The database that every server has, for tests that add nothing to it.
    package var maintenance: TestDatabase { TestDatabase(server: self, name: Self.maintenanceDatabase) }
    private static let maintenanceDatabase = "postgres"

    /// Stops `now()` for sessions that begin later, so that a test of intervals does not depend on how long its own
    /// steps take. Column defaults, triggers and functions with a search path of their own keep the real clock.
    fileprivate func freezeClock(of database: TestDatabase) async throws {
        try await database.sql(
            """
            CREATE SCHEMA frozen;
            CREATE TABLE frozen.clock AS SELECT pg_catalog.now() AS at;
            CREATE FUNCTION frozen.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM frozen.clock';
            GRANT USAGE ON SCHEMA frozen TO PUBLIC;
            GRANT SELECT ON frozen.clock TO PUBLIC;
            ALTER DATABASE \(database.name) SET search_path = frozen, pg_catalog, public
            """)
        sessions.close(database.name)
    }

    private func create(_ name: String, template: String = "template1") async throws {
        try await withoutOtherUsers(
            // Files are copied as they are, with the caches of the catalogue that the first session of a database would make.
            "CREATE DATABASE \(name) OWNER \(TestDatabase.Role.owner.rawValue) TEMPLATE \(template) STRATEGY file_copy")
        // A copy does not inherit these rights from its template.
        try await sql("REVOKE ALL ON DATABASE \(name) FROM PUBLIC")
        try await sql(
            "GRANT CONNECT ON DATABASE \(name) TO aqua_ingestor, aqua_rules, aqua_notifier, aqua_gateway, aqua_enroller"
        )
        if isReplicated { try await untilStandbysKnow() }
    }

    /// Waits until the standbys have replayed the changes so far: psql tries no other host if one does not know the
    /// database.
    private func untilStandbysKnow() async throws {
        let position = try await sql("SELECT pg_current_wal_lsn()")
        try await awaitFact("the standbys") {
            let behind = try await sql(
                "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn < '\(position)'")
            return behind == "0" ? true : nil
        }
    }

    /// Runs a statement that needs a database without sessions. The server waits 5 s for sessions to end.
    private func withoutOtherUsers(_ statement: String) async throws {
        for _ in 0..<10 {
            do {
                try await sql(statement)
                return
            } catch  where "\(error)".contains("is being accessed by other users") {}
        }
        try await sql(statement)
    }

    func halt() async throws {
        try await servers.halt(.database) { await isReady }
    }

    func resume() async throws {
        try await servers.resume(.database) { await isReady }
    }

    private var isReady: Bool {
        get async {
            let run = try? await ProcessUnderTest.run(
                "\(programs)/pg_isready", ["--quiet", "--host=\(socketDirectory)", "--port=\(port)"])
            return run != nil
        }
    }

    /// Runs statements: the superuser's simple ones in a session that is kept, all others through psql.
    @discardableResult
    func sql(
        _ statements: String, as role: TestDatabase.Role = .superuser, in database: String = maintenanceDatabase
    ) async throws -> String {
        // A template must have no connections while it is copied.
        let maySessionsStay = database == Self.maintenanceDatabase || database.hasPrefix(TestDatabase.prefix)
        if role == .superuser, maySessionsStay, !isReplicated, let single = SuperuserSessions.statements(of: statements)
        {
            return try await sessions.run(
                single, in: database,
                [
                    "host": socketDirectory, "port": "\(port)", "user": role.rawValue, "password": try password(role),
                ])
        }
        return try await ProcessUnderTest.run(
            "\(programs)/psql",
            [
                "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1",
                "--host=\(hosts.joined(separator: ","))", "--port=\(port)", "--username=\(role.rawValue)",
                "--dbname=dbname=\(database)\(isReplicated ? Self.choice : "")",
            ], environment: ["PGPASSWORD": try password(role)], input: statements)
    }

    /// Connects only to the server that accepts writes, and gives up a silent server quickly.
    private static let choice = " target_session_attrs=read-write connect_timeout=2 tcp_user_timeout=5000"

    /// Runs statements on one of several servers, whether it is the primary or a standby.
    @discardableResult
    package func sql(_ statements: String, onlyAt address: String, in database: TestDatabase) async throws -> String {
        try await ProcessUnderTest.run(
            "\(programs)/psql",
            [
                "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1", "--host=\(address)",
                "--port=\(port)", "--username=\(TestDatabase.Role.superuser.rawValue)",
                "--dbname=dbname=\(database.name) connect_timeout=2 tcp_user_timeout=5000",
            ], environment: ["PGPASSWORD": try password(.superuser)], input: statements)
    }

    func passwordFile(_ role: TestDatabase.Role) -> String { "\(secrets)/database-\(role.rawValue)" }

    func password(_ role: TestDatabase.Role) throws -> String {
        try String(contentsOfFile: passwordFile(role), encoding: .utf8).trimmingCharacters(in: .newlines)
    }
}

/// The database of one test.
package struct TestDatabase: Sendable {
    package enum Role: String, CaseIterable, Sendable {
        case superuser = "postgres"
        case owner = "aqua_owner"
        case ingestor = "aqua_ingestor"
        case rules = "aqua_rules"
        case notifier = "aqua_notifier"
        case gateway = "aqua_gateway"
        case enroller = "aqua_enroller"
    }

    package let server: DatabaseServer
    package let name: String

    /// The prefix of the names of one-test databases.
    static let prefix = "test_"

    /// The libpq URL without the password: over the Unix socket, or listing the addresses of all servers.
    package func url(_ role: Role) -> String { url(role, at: server.hosts) }

    /// - Parameter hosts: The server's hosts, in another order.
    package func url(_ role: Role, at hosts: [String]) -> String {
        guard hosts.count == 1 else {
            let places = hosts.map { "\($0):\(server.port)" }.joined(separator: ",")
            return "postgresql://\(role.rawValue)@\(places)/\(name)"
        }
        let host = server.socketDirectory.replacing("/", with: "%2F")
        return "postgresql://\(role.rawValue)@/\(name)?host=\(host)&port=\(server.port)&connect_timeout=60"
    }

    package func passwordFile(_ role: Role) -> String { server.passwordFile(role) }

    package func password(_ role: Role) throws -> String { try server.password(role) }

    /// Runs statements, without using the code under test.
    /// - Returns: The rows, columns separated by `|`.
    /// - Throws: `TestSupportError` with the server's message.
    @discardableResult
    package func sql(_ statements: String, as role: Role = .superuser) async throws -> String {
        try await server.sql(statements, as: role, in: name)
    }

    /// Stops `now()` for sessions that begin later; see `DatabaseServer.freezeClock`.
    package func freezeClock() async throws {
        try await server.freezeClock(of: self)
    }
}
