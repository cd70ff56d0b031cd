import Foundation
import MQTT
import MQTTFleet
import Synchronization
import TestSupport
import Testing

extension WholeSystems {
    /// One broker takes over from another while devices publish, by the steps of deploy/OPERATING.md: every message that
    /// either of them acknowledged is stored.
    @Suite struct HandOverTests {
        private static let devices = (1...4).map { "pond-\($0)" }
        /// The number of readings that each device hands over between two steps.
        private static let pace = 25

        @Test func whatBothBrokersAcknowledgedIsStored() async throws {
            try await TestSystem.with { system in
                try await TestBroker.with { new in
                    let old = system.cluster.broker
                    let fleet = DeviceFleet(home: old)
                    for device in Self.devices {
                        fleet.add(device, password: try await system.addUnownedDevice(device))
                    }

                    // 1. The new broker starts with all accounts, and with a session that keeps messages.
                    let accounts = try await system.tool(["broker", "refill", "--offline"])
                    try await new.halt()
                    try new.loseData(keepsAccounts: false)
                    try await new.prepare(accounts: accounts)
                    try await new.resume()

                    // 2. The Ingestor gets both addresses, the old broker first.
                    try system.start(
                        "aqua-ingestor", changes: ["AQUA_MQTT_URL": "\(old.servicesURL),\(new.servicesURL)"])
                    let ingestor = try system.process("aqua-ingestor")
                    try await Self.reads(old, times: 1, ingestor)

                    try await fleet.publishing {
                        try await fleet.handsOver(Self.pace)
                        // The old broker gets a backlog, which it keeps over its restart.
                        ingestor.signal(SIGSTOP)
                        try await fleet.handsOver(Self.pace)

                        // 3. The devices' host name leads to the new broker; connected devices stay.
                        fleet.move(to: new)
                        try await fleet.handsOver(Self.pace)
                        // 4. The old broker is closed to devices: it ends their connections, and starts again for the
                        //    services only.
                        try await old.halt()
                        try await old.prepare(servesDevices: false)
                        try await fleet.handsOver(Self.pace)
                        ingestor.signal(SIGCONT)
                        // Meanwhile the Ingestor reads the new broker, and then the old one to its end, because that comes
                        // first.
                        try await Self.reads(new, times: 1, ingestor)
                        try await old.resume(servesDevices: false)
                        try await Self.reads(old, times: 2, ingestor)
                        try await fleet.handsOver(Self.pace)
                        try await system.fact("SELECT count(*) >= \(3 * Self.pace * Self.devices.count) FROM sample")

                        // 5. The old broker is stopped.
                        try await old.halt()
                        try await Self.reads(new, times: 2, ingestor)
                        try await fleet.handsOver(Self.pace)
                    }
                    let total = fleet.acknowledged
                    try await system.fact("SELECT count(*) = \(total) FROM sample")
                    #expect(total >= 6 * Self.pace * Self.devices.count)
                    #expect(fleet.places == [old.tlsPort, new.tlsPort])
                }
            }
        }

        private static func reads(_ broker: TestBroker, times: Int, _ ingestor: ProcessUnderTest) async throws {
            try await awaitFact("the Ingestor at port \(broker.servicesPort), time \(times)") {
                let lines = ingestor.output.all.count {
                    $0.contains("Listening") && $0.contains(":\(broker.servicesPort)")
                }
                return lines >= times ? true : nil
            }
        }
    }
}

/// Devices with good firmware: each publishes one reading after the other, again until the broker has acknowledged it,
/// and reconnects to the address of its broker's name whenever its connection ends.
private final class DeviceFleet: Sendable {
    private struct State {
        var home: TestBroker
        var passwords: [String: String] = [:]
        var acknowledged: [String: Int] = [:]
        /// The ports at which readings were acknowledged.
        var places: Set<Int> = []
        var isStopping = false
    }

    private let state: Mutex<State>
    private let start = Int(Date().timeIntervalSince1970) - 86_400

    init(home: TestBroker) { state = Mutex(State(home: home)) }

    func add(_ device: String, password: String) { state.withLock { $0.passwords[device] = password } }
    func move(to broker: TestBroker) { state.withLock { $0.home = broker } }

    var acknowledged: Int { state.withLock { $0.acknowledged.values.reduce(0, +) } }
    var places: Set<Int> { state.withLock(\.places) }

    /// Returns when each device has handed over this many more readings.
    func handsOver(_ count: Int) async throws {
        let before = state.withLock(\.acknowledged)
        try await awaitFact("\(count) more readings of each device") { [self] in
            state.withLock { state in
                state.passwords.keys.allSatisfy { state.acknowledged[$0, default: 0] >= before[$0, default: 0] + count }
            } ? true : nil
        }
    }

    /// Lets all devices publish while `body` runs.
    func publishing(_ body: @Sendable @escaping () async throws -> Void) async throws {
        let passwords = state.withLock(\.passwords)
        try await MQTTFleet.with { fleet in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (device, password) in passwords {
                    group.addTask { try await self.run(device, password, fleet) }
                }
                group.addTask {
                    defer { self.state.withLock { $0.isStopping = true } }
                    try await body()
                }
                try await group.waitForAll()
            }
        }
    }

    private func run(_ device: String, _ password: String, _ fleet: MQTTFleet) async throws {
        while !state.withLock(\.isStopping) {
            let broker = state.withLock(\.home)
            let configuration = MQTTConfiguration(
                endpoint: MQTTEndpoint(host: "127.0.0.1", port: UInt16(broker.tlsPort), isSecure: true),
                clientID: device, credentials: MQTTCredentials(user: device, password: password),
                certificateAuthorityFile: broker.authorityFile)
            guard let client = try? await fleet.add(configuration) else { continue }
            while !state.withLock(\.isStopping), try await handOver(device, client, broker, fleet) {}
            try await fleet.remove(client, abruptly: true)
        }
    }

    /// - Returns: Whether the broker has acknowledged the next reading; false if it no longer serves devices.
    private func handOver(
        _ device: String, _ client: MQTTFleet.Client, _ broker: TestBroker, _ fleet: MQTTFleet
    ) async throws -> Bool {
        let number = state.withLock { $0.acknowledged[device, default: 0] }
        let message = MQTTMessage(
            topic: "aqua/v1/\(device)/readings", payload: Array(#"{"time":\#(start + number),"temperature":25}"#.utf8))
        let isAcknowledged = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await fleet.publish(message, as: client)
                return true
            }
            group.addTask {
                try await awaitFact("the answer, or the end of the broker's listener") {
                    Ports.isListening(broker.tlsPort) ? nil : true
                }
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
        if isAcknowledged {
            state.withLock { state in
                state.acknowledged[device, default: 0] += 1
                state.places.insert(broker.tlsPort)
            }
        }
        return isAcknowledged
    }
}
