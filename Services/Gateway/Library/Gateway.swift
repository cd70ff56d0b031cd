import Backoff
import DatabaseHealth
import Logging
import Postgres
import PublicHTTP
package import Routes
package import ServiceKit
import ServiceLifecycle
import Store
import Words

/// Serves people, their applications and integrators over HTTP, for as long as the process lives.
///
/// All state is in the database: any number of gateways may run, and each may be killed at any time.
package struct Gateway: Service, CustomStringConvertible {
    private let services: GatewayServices
    private let server: PeopleServer
    private let live: LiveHub
    private let certificate: RenewableCertificate?
    private let heartbeat: Heartbeat
    private let connected: ReadinessFlag
    private let commits: CommitWatch
    private let brand: Brand

    /// - Parameters:
    ///   - api: The routes; tests pass others than all.
    ///   - onListening: Called with the address and its actual port, once people are answered.
    /// - Throws: `PostgresError` if the database's URL cannot be used.
    package init(
        _ configuration: GatewayConfiguration, _ facilities: Facilities, api: API<Caller> = GatewayAPI.make(),
        onListening: @escaping @Sendable (HostAndPort) async -> Void = { _ in }
    ) throws {
        let settings = configuration.settings
        var api = api
        api.title = configuration.brand.name
        brand = configuration.brand
        let database = try PostgresConfiguration(configuration.database, service: "aqua-gateway")
        commits = CommitWatch(database, facilities)
        let pool = Self.pool(database, settings, facilities)
        live = LiveHub(
            database, pool: pool, most: configuration.mostListeners, round: settings.liveRound,
            metrics: facilities.metrics,
            logger: facilities.logger)
        services = GatewayServices(configuration, facilities, pool, live)
        let standards = [OGCFeatures.api]
        let directory = Directory(
            api, standards: standards, pages: Resource.Page.all(api, standards),
            outside: CalendarFeedRoutes.outside + OpenIDRoutes.outside + SensorThingsRoutes.outside
                + TileRoutes.outside,
            app: configuration.app)
        let metrics = GatewayMetrics(facilities.metrics, routes: directory.ids)
        certificate = configuration.certificate
        let limits = ConnectionLimits(
            total: settings.mostConnections, perNetwork: settings.mostConnectionsPerNetwork,
            handshakes: certificate == nil ? nil : settings.handshakes)
        services.addGuesses(facilities.metrics)
        services.addTurns(facilities.metrics)
        metrics.addConnections(facilities.metrics, limit: settings.mostConnections, limits)
        facilities.metrics.observe(certificate)
        server = PeopleServer(
            address: configuration.address,
            handler: RequestHandler(
                directory: directory, services: services, admission: Admission(settings.rates, metrics),
                idempotency: Idempotency(keys: configuration.secretKeys),
                responses: Responses(configuration.origin, grace: settings.grace), proxies: configuration.proxies,
                metrics: metrics),
            limits: limits, certificate: certificate, onListening: onListening)
        heartbeat = facilities.health.heartbeat("database watch", within: .seconds(30))
        let connected = facilities.health.readinessFlag("database")
        self.connected = connected
        facilities.metrics.addSchemaVersion(Schema.version)
        facilities.metrics.addDatabaseConnection { connected.isReady }
        facilities.metrics.addDatabasePool(
            limit: settings.connections, open: { pool.openCount }, inUse: { pool.inUseCount },
            waiting: { pool.waitingCount })
    }

    package var description: String { "gateway" }

    package func run() async throws { try await Brand.$current.withValue(brand) { try await serve() } }

    private func serve() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await services.pool.run() }
            group.addTask { try await watchDatabase() }
            group.addTask { try await commits.run() }
            group.addTask { try await services.challenger.run() }
            group.addTask { try await live.run() }
            if let provider = services.provider { group.addTask { try await provider.run() } }
            if let certificate { group.addTask { try await watch(certificate) } }
            group.addTask {
                await awaitDatabase()
                try await server.run()
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private static func pool(
        _ database: PostgresConfiguration, _ settings: GatewaySettings, _ facilities: Facilities
    ) -> PostgresPool {
        let outage = OutageLog(subject: "database connections", logger: facilities.logger)
        var database = database
        // Plans are kept for long: people's queries are over tables that hardly change in size, and planning the query
        // for the last values takes twenty times as long as running it.
        database.planAge = .seconds(60)
        return PostgresPool(
            database, size: settings.connections, maximumWaiting: 256,
            onConnectFailure: { outage.failed(because: $0.explanation) }, onReconnect: outage.succeeded)
    }

    private func watch(_ certificate: RenewableCertificate) async throws {
        try await certificate.watch(services.settings.certificateRound, services.clock, services.logger)
    }

    /// Waits for a connection before listening, so that nobody who comes at the instant of a start is sent away; only
    /// for a while, because people without a database are told that the service is unavailable.
    private func awaitDatabase() async {
        _ = try? await withTimeout(.seconds(3)) { try await services.pool.withConnection { _ in } }
    }

    /// Watches whether the database answers, and requires a schema that this program works on.
    /// - Throws: `SchemaMismatch`, unless the database can still be migrated.
    private func watchDatabase() async throws {
        let schema = SchemaCheck()
        let outage = OutageLog(subject: "checking the schema", logger: services.logger)
        var isChecked = false
        try await every(.seconds(1), startsNow: true) {
            heartbeat.beat()
            do {
                let isKnown = isChecked
                try await withTimeout(.seconds(10)) {
                    try await services.pool.withConnection { connection in
                        guard isKnown else { return try await schema.require(on: connection) }
                        _ = try await connection.execute(ReadClock())
                    }
                }
                isChecked = true
                connected.set(true)
                outage.succeeded()
            } catch let error as SchemaMismatch {
                guard error.isRetriable else { throw error }
                outage.failed(error)
            } catch is CancellationError where Task.isCancelled {
                throw CancellationError()
            } catch {
                // The pool reports the outage; a restarted server may have another schema.
                isChecked = false
                connected.set(false)
            }
        }
    }
}
