/// A private PostgreSQL and a private Mosquitto for tests, made by `deploy/servers`. The set-up is that of production,
/// except that nothing waits for the disk unless asked for. The servers end with this process, even when it crashes.
package struct TestCluster: Sendable {
    package let database: DatabaseServer
    package let broker: TestBroker
    let servers: Servers

    /// The directory with all data of the servers.
    package var directory: String { servers.directory }

    /// The cluster shared by all tests of this process. Tests that stop a server, or run an Ingestor, need a cluster of
    /// their own.
    package static var shared: TestCluster { get async throws { try await starting.value } }
    private static let starting = Task { try TestCluster(await start(.none)) }

    package enum Server: String, Sendable { case database, broker }

    /// The durability of a commit.
    package enum Durability: Sendable {
        /// Nothing waits for the disk.
        case none
        /// A commit waits for the disk, as in production.
        case full
    }

    /// Starts a cluster for `body` alone, and stops it when `body` returns.
    package static func with<Result>(
        _ durability: Durability = .none, _ body: (TestCluster) async throws -> Result
    ) async throws -> Result {
        let servers = try await start(durability)
        return try await servers.stopping { try await body(TestCluster(servers)) }
    }

    /// Starts a broker for `body`, beside database servers at these addresses. `body` starts those itself, with the
    /// secrets in `database`.
    package static func with<Result>(
        databaseAt addresses: [String], port: Int, _ body: (TestCluster) async throws -> Result
    ) async throws -> Result {
        let servers = try await Servers.start(["--broker-alone"])
        return try await servers.stopping {
            try await body(TestCluster(servers, DatabaseServer(servers, at: addresses, port: port)))
        }
    }

    private static func start(_ durability: Durability) async throws -> Servers {
        switch durability {
        case .none: try await Servers.start(["--fast"])
        // On some machines `/tmp` is in memory, where waiting for the disk costs nothing.
        case .full: try await Servers.start(["--commit-times"], in: "/var/tmp")
        }
    }

    private init(_ servers: Servers) throws { try self.init(servers, DatabaseServer(servers)) }

    private init(_ servers: Servers, _ database: DatabaseServer) throws {
        self.servers = servers
        self.database = database
        broker = try TestBroker(servers)
    }

    /// Stops a server in order; its data stay.
    package func halt(_ server: Server) async throws {
        switch server {
        case .database: try await database.halt()
        case .broker: try await broker.halt()
        }
    }

    /// Starts a stopped server again, on the same port.
    package func resume(_ server: Server) async throws {
        switch server {
        case .database: try await database.resume()
        case .broker: try await broker.resume()
        }
    }
}
