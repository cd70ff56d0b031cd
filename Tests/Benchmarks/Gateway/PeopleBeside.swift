import Foundation
import TestSupport

/// People who look at their water while the pipeline is busy.
struct PeopleBeside: Sendable {
    let rate: Int
    private let requests: GatewayRequests<PeopleRequest>

    /// The number of the fleet's owners who look.
    private static let people = 1_000
    static let settings = ["AQUA_TRUSTED_PROXIES": "127.0.0.1/32", "AQUA_PUBLIC_URL": "http://localhost"]

    /// Starts the Gateway.
    /// - Returns: `nil` for no requests a second.
    static func start(_ rate: Int, devices: Int, _ system: TestSystem) async throws -> PeopleBeside? {
        guard rate > 0 else { return nil }
        let people = try await GatewayPeople.ofLoad(min(Self.people, devices), system.database)
        try system.start("aqua-gateway")
        let origin = try await system.process("aqua-gateway").servesPeople()
        return PeopleBeside(rate: rate, requests: people.requests([.latest, .series], at: origin, rate: rate))
    }

    /// The waiting times of requests for last values and twelve hours, in turn.
    func look(seconds: Int, seed: UInt64) async throws -> SustainedFigures.People {
        let took = try await requests.run(seconds: seconds, seed: seed)
        return SustainedFigures.People(
            requestsPerSecond: rate, latestMs: took[.latest] ?? .empty, seriesMs: took[.series] ?? .empty)
    }
}
