import Foundation
import Synchronization
import TestSupport
import Testing

extension WholeSystems {
    /// A reading's whole way to open screens: from the broker through an Ingestor to every screen that shows its device.
    @Suite struct LivePathTests {
        private static let password = "four random words here"

        private static func person(
            _ name: String, _ origin: String, _ system: TestSystem
        ) async throws -> PeopleClient {
            let email = "\(name)@example.org"
            try await system.tool(["account", "add", email], input: password)
            return try await PeopleClient(origin: origin).signedIn(email, password: password)
        }

        @Test func fromTheBrokerToTheScreensOfWhomItConcerns() async throws {
            try await TestSystem.with { system in
                try system.startServices()
                try system.start("aqua-gateway")
                for program in TestSystem.services { try await system.process(program).untilReady() }
                let origin = try await system.process("aqua-gateway").servesPeople()
                let owner = try await Self.person("ada", origin, system)
                let watcher = try await Self.person("bob", origin, system)
                let stranger = try await Self.person("eve", origin, system)
                let tank = try await Tank(system, "tank-1", linkedBy: owner)
                let other = try await Tank(system, "tank-2", linkedBy: stranger)
                try await tank.share(by: owner, with: watcher)

                try await Screen.with(owner) { owners in
                    try await Screen.with(watcher) { watchers in
                        try await Screen.with(stranger) { strangers in
                            try await tank.publish(21.5)
                            for screen in [owners, watchers] { try await screen.reading(21.5) }
                            try await Self.observes(tank, owner, [owners, watchers])
                            // Publishes a value above both people's default limits.
                            try await tank.publish(39)
                            for screen in [owners, watchers] {
                                try await screen.event("an episode") { $0.name == "episode" && $0.state == "open" }
                            }
                            try await other.publish(20.5)
                            try await strangers.reading(20.5)
                            #expect(strangers.temperatures == [20.5])
                            #expect(strangers.all.allSatisfy { $0.device == nil || $0.device == other.device })
                            for screen in [owners, watchers] {
                                #expect(screen.all.allSatisfy { $0.device == nil || $0.device == tank.device })
                            }
                        }
                    }
                }
            }
        }

        /// A device publishes Observations under the id with which a program of SensorThings reads them.
        private static func observes(_ tank: Tank, _ owner: PeopleClient, _ screens: [Screen]) async throws {
            let (root, stream) = ("/sta/v1.1", "\(tank.device):temperature")
            let streams = try await owner.succeed("GET", "/Datastreams", below: root).text
            #expect(streams.contains(#""@iot.id":"\#(stream)""#), "\(streams)")
            try await tank.publish(21.75, toDatastream: stream)
            for screen in screens { try await screen.reading(21.75) }
            let values = try await owner.succeed("GET", "/Datastreams('\(stream)')/Observations", below: root).text
            #expect(values.contains(#""result":21.75"#), "\(values)")
        }

        @Test func whoComesBackHasMissedNothing() async throws {
            try await TestSystem.with { system in
                try system.startServices()
                try system.start("aqua-gateway")
                for program in TestSystem.services { try await system.process(program).untilReady() }
                let origin = try await system.process("aqua-gateway").servesPeople()
                let owner = try await Self.person("ada", origin, system)
                let watcher = try await Self.person("bob", origin, system)
                let tank = try await Tank(system, linkedBy: owner)
                try await tank.share(by: owner, with: watcher)

                for person in [owner, watcher] {
                    let position = Position()
                    try await Screen.with(person) { screen in
                        try await tank.publish(21.5)
                        try await screen.reading(21.5)
                        position.text = screen.position
                    }
                    let left = try #require(position.text)
                    let stored = try #require(Int(try await system.database.sql("SELECT count(*) FROM sample")))
                    let missed = (1...60).map { 22 + Double($0) / 100 }
                    // One part is stored before the stream reconnects, and the rest arrives while it begins.
                    try await tank.publish(Array(missed.prefix(40)))
                    try await system.fact("SELECT count(*) >= \(stored + 40) FROM sample")
                    async let rest: Void = tank.publish(Array(missed.suffix(20)))
                    try await Screen.with(person, after: left) { screen in
                        try await awaitFact("everything that was missed") {
                            Set(missed).isSubset(of: screen.temperatures) ? true : nil
                        }
                        #expect(!screen.all.contains { $0.name == "resync" })
                    }
                    try await rest
                }
            }
        }
    }
}

/// The position at which a screen was closed.
private final class Position: Sendable {
    private let value = Mutex<String?>(nil)
    var text: String? {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
