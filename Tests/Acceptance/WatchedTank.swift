import Foundation
import Secrets
import Synchronization
import TestSupport
import Testing

/// A person whose tank is too warm, with a receiver that accepts only messages signed with its secret.
final class WatchedTank: Sendable {
    static let device = "tank-1"
    private static let email = "kim@example.org"

    private struct State {
        var secret: String
        var password: String
        var measured = 0
    }

    private let system: TestSystem
    private let state: Mutex<State>

    init(_ system: TestSystem) async throws {
        self.system = system
        let secret = try await system.addPerson(Self.email)
        let password = try await system.addDevice(Self.device, of: Self.email, name: "Big tank")
        state = Mutex(State(secret: secret, password: password))
    }

    /// The secret that the receiver uses.
    var secret: String {
        get { state.withLock(\.secret) }
        set { state.withLock { $0.secret = newValue } }
    }
    /// The password that the firmware uses.
    var password: String {
        get { state.withLock(\.password) }
        set { state.withLock { $0.password = newValue } }
    }
    /// The number of readings that the broker has acknowledged.
    var measured: Int { state.withLock(\.measured) }
    func countMeasured() { state.withLock { $0.measured += 1 } }

    func publish(_ temperature: Double, password: String) async throws {
        let time = Date().timeIntervalSince1970
        try await system.cluster.broker.publish(
            [#"{"time":\#(time),"temperature":\#(temperature)}"#], as: Self.device, password: password,
            to: "aqua/v1/\(Self.device)/readings")
        countMeasured()
    }

    /// Publishes a reading out of range and waits for a correctly signed alert.
    /// - Parameter former: A second secret that is accepted, too.
    func expectAlert(alsoSignedWith former: String? = nil) async throws {
        let before = system.sink.received.count
        try await publish(39, password: password)
        let request = try #require(try await system.sink.requests(before + 1).last)
        for text in [secret, former].compactMap(\.self) {
            let verdict = try #require(WebhookSecret(text)).verify(
                id: request.header("webhook-id"), timestamp: request.header("webhook-timestamp"),
                signatures: request.header("webhook-signature"), body: request.body,
                now: Int64(Date().timeIntervalSince1970))
            #expect(verdict == .valid)
        }
    }
}

/// A device whose water stays in range, and which publishes all the time.
final class SteadyProbe: Sendable {
    static let device = "steady-1"
    private let system: TestSystem
    private let password: String
    private let isStopped = Atomic(false)

    init(_ system: TestSystem) async throws {
        self.system = system
        password = try await system.addUnownedDevice(Self.device)
    }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// - Returns: The number of acknowledged readings, once it is stopped.
    func measure() async throws -> Int {
        var measured = 0
        while !isStopped.load(ordering: .relaxed) {
            let time = Date().timeIntervalSince1970
            try await system.cluster.broker.publish(
                [#"{"time":\#(time),"ph":7.1}"#], as: Self.device, password: password,
                to: "aqua/v1/\(Self.device)/readings")
            measured += 1
        }
        return measured
    }
}
