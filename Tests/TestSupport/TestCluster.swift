/// A private PostgreSQL and a private Mosquitto for tests, as `deploy/servers` makes them: the same set-up as in operation,
/// except that nothing waits for the disk unless asked for. They end with this process, of whatever cause it ends.
package struct TestCluster: Sendable {
    package let database: DatabaseServer
    package let broker: TestBroker
    let servers: Servers

    /// Holds all that the servers keep.
    package var directory: String { servers.directory }

    /// One for all tests of this process. Tests that stop a server, or that run an Ingestor, want one of their own.
    package static var shared: TestCluster { get async throws { try await starting.value } }
    private static let starting = Task { try TestCluster(await start(.none)) }

    package enum Server: String, Sendable { case database, broker }

    /// What a commit means.
    package enum Durability: Sendable {
        /// Nothing waits for the disk.
        case none
        /// As in operation: what is committed is on the disk.
        case full
    }

    /// Starts one of its own, stopped when `body` returns.
    package static func with<Result>(
        _ durability: Durability = .none, _ body: (TestCluster) async throws -> Result
    ) async throws -> Result {
        let servers = try await start(durability)
        return try await servers.stopping { try await body(TestCluster(servers)) }
    }

    private static func start(_ durability: Durability) async throws -> Servers {
        switch durability {
        case .none: try await Servers.start(["--fast"])
        // `/tmp` is memory on some machines, where waiting for the disk costs nothing.
        case .full: try await Servers.start(in: "/var/tmp")
        }
    }

    private init(_ servers: Servers) throws {
        self.servers = servers
        database = try DatabaseServer(servers)
        broker = try TestBroker(servers)
    }

    /// Stops a server in its orderly way; its data stay.
    package func halt(_ server: Server) async throws {
        switch server {
        case .database: try await database.halt()
        case .broker: try await broker.halt()
        }
    }

    /// Starts it again, on the same port.
    package func resume(_ server: Server) async throws {
        switch server {
        case .database: try await database.resume()
        case .broker: try await broker.resume()
        }
    }
}
