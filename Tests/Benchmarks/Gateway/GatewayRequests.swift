import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization
import TestSupport

/// Requests at a fixed rate, whether or not earlier ones have been answered.
struct GatewayRequests: Sendable {
    let base: String
    let people: GatewayPeople
    let rate: Int
    /// By turns.
    var kinds: [Kind] = [.latest, .series]

    enum Kind: Sendable {
        case latest, series
        /// The last values of all of a person's devices.
        case overview
    }

    /// - Returns: The times of each kind; none of a kind that was not asked for.
    func run(
        seconds: Int, seed: UInt64
    ) async throws -> (
        latest: Distribution, series: Distribution, overview: Distribution
    ) {
        var generator = SeededGenerator(seed: seed)
        let taken = Times()
        let start = ContinuousClock.now + .milliseconds(100)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<rate * seconds {
                let due = start + .seconds(1) * number / rate
                let person = Int.random(in: 0..<people.tokens.count, using: &generator)
                let kind = kinds[number % kinds.count]
                try await Task.sleep(until: due, clock: .continuous)
                group.addTask {
                    try await ask(kind, person)
                    // Counts from the time when the request was due, so that a stall counts for all who waited.
                    let took = ContinuousClock.now - due
                    taken.add(took, kind)
                }
            }
            try await group.waitForAll()
        }
        return taken.distributions
    }

    private final class Times: Sendable {
        private let times = Mutex<[Kind: [Duration]]>([:])

        func add(_ took: Duration, _ kind: Kind) { times.withLock { $0[kind, default: []].append(took) } }

        var distributions: (latest: Distribution, series: Distribution, overview: Distribution) {
            let times = times.withLock { $0.mapValues { Distribution($0) } }
            let none = Distribution([Duration]())
            return (times[.latest] ?? none, times[.series] ?? none, times[.overview] ?? none)
        }
    }

    private func ask(_ kind: Kind, _ person: Int) async throws {
        let device = people.devices[person]
        let path =
            switch kind {
            case .latest: "/api/v1/devices/\(device)/readings/latest"
            case .series: "/api/v1/devices/\(device)/parameters/temperature/series?points=300"
            case .overview: "/api/v1/readings/latest"
            }
        var request = HTTPClientRequest(url: base + path)
        request.headers.add(name: "Authorization", value: "Bearer \(people.tokens[person])")
        request.headers.add(name: "X-Forwarded-For", value: Self.address(person))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 8 << 20)
        guard response.status == .ok else {
            throw TestSupportError("The Gateway answers \(response.status): \(String(buffer: body).prefix(300))")
        }
    }

    /// An address for each person, in a network of their own, as stated by the proxy.
    static func address(_ person: Int) -> String { "10.\(person / 65_536).\(person / 256 % 256).\(person % 256)" }
}
