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

    enum Kind: Sendable {
        case latest, series
    }

    func run(seconds: Int, seed: UInt64) async throws -> (latest: Distribution, series: Distribution) {
        var generator = SeededGenerator(seed: seed)
        let taken = Times()
        let start = ContinuousClock.now + .milliseconds(100)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<rate * seconds {
                let due = start + .seconds(1) * number / rate
                let person = Int.random(in: 0..<people.tokens.count, using: &generator)
                let kind = number.isMultiple(of: 2) ? Kind.latest : .series
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
        private let times = Mutex<(latest: [Duration], series: [Duration])>(([], []))

        func add(_ took: Duration, _ kind: Kind) {
            times.withLock { if kind == .latest { $0.latest.append(took) } else { $0.series.append(took) } }
        }

        var distributions: (latest: Distribution, series: Distribution) {
            times.withLock { (Distribution($0.latest), Distribution($0.series)) }
        }
    }

    private func ask(_ kind: Kind, _ person: Int) async throws {
        let device = people.devices[person]
        let path =
            switch kind {
            case .latest: "/api/v1/devices/\(device)/readings/latest"
            case .series: "/api/v1/devices/\(device)/parameters/temperature/series?points=300"
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
