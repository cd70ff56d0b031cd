import AsyncHTTPClient
import Logging
import NIOCore
import NIOHTTP1
import ServiceKit
import ServiceLifecycle
import Testing

@Suite struct HealthServerTests {
    /// Runs a server on a free port for as long as the body takes.
    private func withServer(
        health: Health = Health(), metrics: MetricsRegistry = MetricsRegistry(), log: CapturedLog = CapturedLog(),
        _ body: @Sendable (HostAndPort) async throws -> Void
    ) async throws {
        let (addresses, continuation) = AsyncStream.makeStream(of: HostAndPort.self)
        let server = HealthServer(
            address: HostAndPort(host: "127.0.0.1", port: 0), health: health, metrics: metrics, logger: log.logger(),
            onListening: { continuation.yield($0) })
        let group = ServiceGroup(configuration: .init(services: [server], logger: log.logger(level: .critical)))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var iterator = addresses.makeAsyncIterator()
            let address = try #require(await iterator.next())
            try await body(address)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private func get(
        _ address: HostAndPort, _ path: String
    ) async throws -> (status: UInt, type: String?, body: String) {
        let response = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: "http://\(address)\(path)"), timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 1 << 20)
        return (response.status.code, response.headers.first(name: "content-type"), String(buffer: body))
    }

    @Test func servesMetrics() async throws {
        let metrics = exampleRegistry()
        try await withServer(metrics: metrics) { address in
            let answer = try await get(address, "/metrics")
            #expect(answer.status == 200)
            #expect(answer.type == "text/plain; version=0.0.4; charset=utf-8")
            #expect(try Exposition(answer.body).value("aqua_messages_total") == 3)
        }
    }

    @Test func readinessFollowsTheChecks() async throws {
        let health = Health()
        let broker = health.readinessFlag("broker")
        health.addReadiness("database") { true }
        try await withServer(health: health) { address in
            var answer = try await get(address, "/health/ready")
            #expect(answer.status == 503)
            #expect(answer.type == "application/json")
            #expect(answer.body == #"{"status":"not ready","failing":["broker"]}"# + "\n")
            broker.set(true)
            answer = try await get(address, "/health/ready")
            #expect(answer.status == 200)
            #expect(answer.body == #"{"status":"ready"}"# + "\n")
        }
    }

    @Test func livenessFollowsTheHeartbeats() async throws {
        let clock = InstantClock()
        let health = Health(clock: clock)
        let heartbeat = health.heartbeat("reader", within: .seconds(10))
        try await withServer(health: health) { address in
            #expect(try await get(address, "/health/live").body == #"{"status":"live"}"# + "\n")
            clock.advance(by: .seconds(11))
            let answer = try await get(address, "/health/live")
            #expect(answer.status == 503)
            #expect(answer.body == #"{"status":"not live","failing":["reader"]}"# + "\n")
            heartbeat.beat()
            #expect(try await get(address, "/health/live").status == 200)
        }
    }

    @Test func aHealthCheckIsToldWhetherTheServiceIsReady() async throws {
        let health = Health()
        let broker = health.readinessFlag("broker")
        try await withServer(health: health) { address in
            let everywhere = HostAndPort(host: "0.0.0.0", port: address.port)
            #expect(
                await HealthProbe.fault(at: everywhere, timeout: .seconds(60))
                    == #"\#(address) answers 503: {"status":"not ready","failing":["broker"]}"# + "\n")
            broker.set(true)
            #expect(await HealthProbe.fault(at: everywhere, timeout: .seconds(60)) == nil)
        }
    }

    @Test func aHealthCheckOfNothingFails() async {
        await #expect(processExitsWith: .exitCode(1)) {
            await ServiceMain.run(
                "aqua-test", arguments: ["health"], environment: ["AQUA_LISTEN": "127.0.0.1:1"],
                read: { _ in }, build: { _, _ in [] })
        }
        await #expect(processExitsWith: .exitCode(78)) {
            await ServiceMain.run(
                "aqua-test", arguments: ["health"], environment: [:], read: { _ in }, build: { _, _ in [] })
        }
    }

    @Test func otherPathsAreNotFound() async throws {
        try await withServer { address in
            let answer = try await get(address, "/")
            #expect(answer.status == 404)
        }
    }

    @Test func tellsItsAddressOnce() async throws {
        let log = CapturedLog()
        try await withServer(log: log) { address in
            let told = try log.objects().map { $0["address"] as? String }
            #expect(told == ["\(address)"])
        }
        #expect(log.text.count == 1)
    }

    @Test func namesABusyPortAndItsVariable() async throws {
        try await withServer { address in
            let second = HealthServer(
                address: address, health: Health(), metrics: MetricsRegistry(), logger: CapturedLog().logger())
            let error = await #expect(throws: ServiceKitError.self) { try await second.run() }
            #expect(error?.code == .addressInUse)
            #expect(error?.description.contains("port \(address.port) on 127.0.0.1 is taken") == true)
            #expect(error?.description.contains("AQUA_LISTEN") == true)
        }
    }

    @Test func namesAnAddressThatIsNotOurs() async throws {
        let server = HealthServer(
            address: HostAndPort(host: "192.0.2.1", port: 9), health: Health(), metrics: MetricsRegistry(),
            logger: CapturedLog().logger())
        let error = await #expect(throws: ServiceKitError.self) { try await server.run() }
        #expect(error?.code == .cannotListen)
        #expect(error?.description.contains("192.0.2.1:9") == true)
    }
}
