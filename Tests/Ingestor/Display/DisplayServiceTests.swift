import Foundation
import Instants
import MQTT
import MQTTFleet
import Postgres
import Routes
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Devices that show what their owners see, with the real broker, database and Ingestor.
@Suite(.timeLimit(.minutes(10))) struct DisplayServiceTests {
    /// A tank of Ann's, which Bob watches.
    fileprivate struct Scene: Sendable {
        let fixture: ServiceFixture
        let ann: Account.ID
        let bob: Account.ID

        static func with(
            devices: [String] = ["tank-1"], _ body: @escaping @Sendable (Scene) async throws -> Void
        ) async throws {
            try await ServiceFixture.with(devices: devices) { fixture in
                func account(_ name: String) async throws -> Account.ID {
                    let add = AddAccount(
                        email: "\(name)@example.org", passwordHash: "scrypt$test", locale: "en", timeZone: "UTC")
                    return try #require(try await fixture.store.owner.execute(add).first)
                }
                let scene = Scene(fixture: fixture, ann: try await account("ann"), bob: try await account("bob"))
                for device in fixture.store.devices {
                    try await fixture.store.owner.perform(
                        LinkDevice(device: device, account: scene.ann, name: "Pond", defaults: .ofManual))
                }
                try await scene.sql(
                    """
                    INSERT INTO ownership (slot, device_id, account_id, role, name)
                        SELECT slot, device_id, \(scene.bob.rawValue), 'watcher', 'Bob''s word for it' FROM device
                    """)
                try await body(scene)
            }
        }

        func sql(_ statement: String) async throws { try await fixture.database.sql(statement) }

        /// Lets the devices show what Ann sees, or nothing.
        func show(_ shows: Bool = true) async throws {
            try await sql(
                "UPDATE ownership SET shows_on_device = \(shows), version = version + 1 WHERE account_id = \(ann.rawValue)"
            )
        }

        func trouble(_ number: Int, of person: Account.ID) async throws {
            try await sql(
                """
                INSERT INTO episode (
                    slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, worst, alert_id)
                SELECT slot, device_id, 0, \(person.rawValue), \(number), 'range', 'high', now(), now(), 31, \(number) FROM device;
                """)
        }

        /// A device that listens to what it shows.
        func device(_ name: String = "tank-1") async throws -> MQTTFleet.Client {
            let client = try await fixture.connect(name)
            try await fixture.fleet.subscribe(
                [MQTTSubscription("aqua/v1/\(name)/display", retainHandling: .sendAtSubscribe)], as: client)
            return client
        }

        func press(_ id: String, _ answer: String = "onIt", as client: MQTTFleet.Client) async throws {
            try await fixture.fleet.publish(
                .of(#"{"id":"\#(id)","answer":"\#(answer)"}"#, subject: "button"), as: client)
        }
    }

    /// The next display for which this holds; nil for one that was taken away.
    private static func shown(
        _ client: MQTTFleet.Client, where holds: (JSON?) -> Bool
    ) async throws -> JSON? {
        for await message in client.messages {
            let shown: JSON? = message.payload.isEmpty ? .none : try JSON(reading: message.payload)
            if holds(shown) { return shown }
        }
        throw CancellationError()
    }

    @Test func whatTheOwnerSeesIsShownAndFollows() async throws {
        try await Scene.with { scene in
            try await scene.sql(
                "UPDATE setting SET unit = 'F' WHERE parameter = 0 AND account_id = \(scene.ann.rawValue)")
            let ingestor = try await scene.fixture.startIngestor()
            let tank = try await scene.device()
            try await scene.fixture.fleet.publish(.of(#"{"temperature":23.4}"#), as: tank)
            try await scene.fixture.awaitStored(1)
            try await scene.show()
            let first = try await Self.shown(tank) { $0?["values"]?["temperature"] != nil }
            #expect(first?["name"]?.string == "Pond" && first?["state"]?.string == "fine", "\(first?.text ?? "")")
            #expect(first?["values"]?["temperature"]?["value"]?.number == 74.1)
            #expect(first?["onIt"] == nil)
            // A reading, a decision, a name.
            try await scene.fixture.fleet.publish(.of(#"{"temperature":31}"#), as: tank)
            _ = try await Self.shown(tank) { $0?["values"]?["temperature"]?["value"]?.number == 87.8 }
            try await scene.trouble(1, of: scene.bob)
            try await scene.trouble(2, of: scene.ann)
            _ = try await Self.shown(tank) { $0?["state"]?.string == "high" }
            try await scene.sql(
                "UPDATE episode SET closed_at = now(), closed_because = 'recovered' WHERE account_id = \(scene.ann.rawValue)"
            )
            _ = try await Self.shown(tank) { $0?["state"]?.string == "fine" }
            try await scene.sql(
                "UPDATE ownership SET name = 'Koi', version = version + 1 WHERE account_id = \(scene.ann.rawValue)")
            _ = try await Self.shown(tank) { $0?["name"]?.string == "Koi" }
            try await scene.show(false)
            _ = try await Self.shown(tank) { $0 == nil }
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    /// Though nothing follows it, and nothing else changes.
    @Test func aValueThatWasDeletedIsShownNoLonger() async throws {
        try await Scene.with { scene in
            let ingestor = try await scene.fixture.startIngestor()
            let tank = try await scene.device()
            try await scene.fixture.fleet.publish(.of(#"{"temperature":31,"ph":7}"#), as: tank)
            try await scene.fixture.awaitStored(1)
            try await scene.show()
            _ = try await Self.shown(tank) { $0?["values"]?["temperature"] != nil }
            let outcome = try await scene.fixture.database.sql(
                """
                SELECT (delete_readings(slot, device_id, NULL, now() - interval '1 hour', now() + interval '1 minute', 1, 1, NULL)).outcome
                FROM device
                """)
            #expect(outcome == "deleted")
            let left = try await Self.shown(tank) { $0 != nil && $0?["values"]?["temperature"] == nil }
            #expect(left?["values"]?["ph"]?["value"]?.number == 7, "\(left?.text ?? "")")
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    /// Whether what the broker keeps is right again once an Ingestor works.
    @Test func aRestartRebuildsWhatIsShownAndClearsWhatNobodyWants() async throws {
        try await Scene.with(devices: ["tank-1", "tank-2"]) { scene in
            try await scene.show()
            let first = try await scene.fixture.startIngestor()
            let (tank, other) = (try await scene.device(), try await scene.device("tank-2"))
            _ = try await Self.shown(tank) { $0 != nil }
            _ = try await Self.shown(other) { $0 != nil }
            #expect(await first.stop() == .exit(0))
            // Meanwhile the broker forgets the one, and the other is unlinked.
            try await scene.fixture.fleet.publish(
                DisplayTopic.message(for: "tank-1", []), as: try await scene.fixture.connectAsIngestor())
            _ = try await Self.shown(tank) { $0 == nil }
            try await scene.sql(
                "UPDATE ownership SET unlinked_at = now() WHERE device_id = \(scene.fixture.store.devices[1].device.rawValue)"
            )
            let second = try await scene.fixture.startIngestor()
            _ = try await Self.shown(tank) { $0?["name"]?.string == "Pond" }
            _ = try await Self.shown(other) { $0 == nil }
            #expect(await second.stop() == .exit(0))
        }
    }

    @Test func theButtonAnswersForTheOwnerAndOthersSeeIt() async throws {
        try await Scene.with { scene in
            try await scene.show()
            let ingestor = try await scene.fixture.startIngestor()
            let tank = try await scene.device()
            _ = try await Self.shown(tank) { $0 != nil }
            try await scene.trouble(1, of: scene.bob)
            try await scene.trouble(2, of: scene.ann)
            try await scene.press("a-1", as: tank)
            let answered = try await Self.shown(tank) { $0?["onIt"] != nil }
            #expect(answered?["onIt"]?["name"]?.string == "ann")
            let answers = "SELECT count(*) FROM snooze WHERE answered_by = \(scene.ann.rawValue) AND ended_at IS NULL"
            #expect(try await scene.fixture.database.sql(answers) == "2", "Bob is not reminded either")
            // What is told again is answered by nobody yet.
            try await scene.sql(
                "UPDATE episode SET alert_id = alert_id + 10, opened_at = now() WHERE account_id = \(scene.ann.rawValue)"
            )
            _ = try await Self.shown(tank) { $0?["onIt"] == nil }
            // The same press again, as a broker repeats it, does nothing; another one does.
            try await scene.sql(
                "UPDATE snooze SET ended_at = now(); UPDATE device_button SET pressed_at = now() - interval '1 min'")
            try await scene.press("a-1", as: tank)
            try await scene.fixture.fleet.publish(.of(#"{"ph":7}"#), as: tank)
            _ = try await Self.shown(tank) { $0?["values"]?["ph"] != nil }
            #expect(try await scene.fixture.database.sql(answers) == "0")
            try await scene.press("a-2", as: tank)
            _ = try await Self.shown(tank) { $0?["onIt"] != nil }
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    /// The sketch of `deploy/firmware`: its screen, its memory, and a long press.
    @Test func theSketchShowsWhatItsOwnerSeesAndAnswers() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let sketch = try await SketchTests.compile("host", into: directory)
            try await Scene.with { scene in
                try await scene.show()
                func start(_ port: Int) throws -> ProcessUnderTest {
                    try ProcessUnderTest.start(
                        sketch,
                        environment: [
                            "BROKER_HOST": "127.0.0.1", "BROKER_PORT": "\(port)", "DEVICE_ID": "tank-1",
                            "DEVICE_KEY": ServiceFixture.deviceKey, "FLASH": directory.path(percentEncoded: false),
                            "FIRST": "0", "READINGS": "1000000", "PRESS_AT": "too high",
                        ])
                }
                let ingestor = try await scene.fixture.startIngestor()
                let device = try start(scene.fixture.cluster.broker.port)
                try await device.line { $0.hasPrefix("shown Pond|temperature") && $0.contains("all fine") }
                try await scene.trouble(1, of: scene.ann)
                try await device.line { $0.contains("too high") }
                try await device.line { $0.contains("ann on it") }
                // The broker lives on without it.
                #expect(await ingestor.stop() == .exit(0))
                try await device.line { $0.contains("no service") }
                device.signal(SIGKILL)
                _ = await device.end
                // Without a broker it shows what it has kept.
                let alone = try start(Ports.free())
                try await alone.line { $0.hasPrefix("shown Pond|") && $0.contains("no connection") }
                alone.signal(SIGKILL)
                _ = await alone.end
            }
        }
    }

    /// Of several Ingestors one keeps all displays, and shows what the other has stored.
    @Test func whereIngestorsShareTheMessagesEachDeviceShowsItsOwn() async throws {
        let devices = (0..<4).map { "tank-\($0)" }
        try await Scene.with(devices: devices) { scene in
            try await scene.show()
            let environment = scene.fixture.environment().merging(["AQUA_MQTT_SHARE": "on"]) { $1 }
            let other = try await scene.fixture.startIngestor(environment)
            try await scene.fixture.withSharingIngestor(seatGrace: .seconds(60)) {
                try await scene.fixture.store.await("count(*) = 2 FROM ingest_seat WHERE session_open")
                for device in devices {
                    let tank = try await scene.device(device)
                    _ = try await Self.shown(tank) { $0 != nil }
                    for value in [21, 22] {
                        try await scene.fixture.fleet.publish(.of(device, #"{"temperature":\#(value)}"#), as: tank)
                        _ = try await Self.shown(tank) {
                            $0?["values"]?["temperature"]?["value"]?.number == Double(value)
                        }
                    }
                }
            }
            #expect(await other.stop() == .exit(0))
        }
    }
}
