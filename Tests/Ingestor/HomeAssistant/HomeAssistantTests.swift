import Foundation
import Instants
import MQTT
import MQTTFleet
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// A real Ingestor, and a second real broker, to which Home Assistant would listen.
@Suite struct HomeAssistantTests {
    private static let (user, password) = ("aquamonitor", "short")

    @Test func devicesAppearThereAndIngestionDoesNotDependOnIt() async throws {
        try await TestBroker.with { home in
            try await home.addHome(Self.user, password: Self.password)
            try await ServiceFixture.with { fixture in
                try await Paths.withTemporaryDirectory { directory in
                    let ingestor = try await fixture.startIngestor(Self.environment(fixture, home, directory))
                    try await ingestor.line { $0.contains("Telling Home Assistant") }
                    let tank = try await fixture.connect("tank-1")
                    let screen = try Self.listen(home)
                    try await Self.publishUntilShown("ph", screen, fixture, tank)
                    try await screen.line { $0.hasPrefix("homeassistant/device/aquamonitor_tank-1/config {") }

                    try await home.halt()
                    try await fixture.fleet.publish(.of(#"{"salinity":5}"#), as: tank)
                    try await fixture.store.await("EXISTS (SELECT FROM sample WHERE salinity = 5)")
                    try await home.resume()
                    let later = try Self.listen(home)
                    try await Self.publishUntilShown("nitrate", later, fixture, tank)
                    // The Ingestor keeps the newest values meanwhile, and Home Assistant finds them whenever it starts.
                    try await Self.listen(home).line { $0.contains("aquamonitor_tank-1_salinity") }
                    #expect(await ingestor.stop() == .exit(0))
                }
            }
        }
    }

    /// An Ingestor that loses the turn of displays forgets what it told; what the one before left, nobody wants.
    @Test func problemsAreToldByWhoeverHasTheTurn() async throws {
        try await TestBroker.with { home in
            try await home.addHome(Self.user, password: Self.password)
            try await ServiceFixture.with { fixture in
                try await Paths.withTemporaryDirectory { directory in
                    let ingestor = try await fixture.startIngestor(Self.environment(fixture, home, directory))
                    let tank = try await fixture.connect("tank-1")
                    let screen = try Self.listen(home)
                    try await Self.publishUntilShown("ph", screen, fixture, tank)
                    try await Self.show(fixture)
                    try await awaitFact("sensors of problems") { Self.announcements(on: screen) == 1 ? true : nil }
                    try await fixture.database.sql(
                        """
                        SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                        WHERE l.locktype = 'advisory' AND l.classid = 7133706 AND d.datname = current_database()
                        """
                    )
                    try await awaitFact("sensors that are announced anew") {
                        Self.announcements(on: screen) == 2 ? true : nil
                    }
                    let former = try await fixture.connectAsIngestor()
                    try await fixture.fleet.publish(DisplayTopic.message(for: "tank-2", [1]), as: former)
                    try await screen.line { $0.hasPrefix("\(Self.problems(of: "tank-2")) (null)") }
                    #expect(await ingestor.stop() == .exit(0))
                }
            }
        }
    }

    /// The device's own broker has forgotten it by then, and the Ingestor that knew is dead.
    @Test func whatIsOwedToHomeAssistantOutlivesTheProcess() async throws {
        try await TestBroker.with { home in
            try await home.addHome(Self.user, password: Self.password)
            try await ServiceFixture.with { fixture in
                try await Paths.withTemporaryDirectory { directory in
                    let environment = try Self.environment(fixture, home, directory)
                    let former = try await fixture.startIngestor(environment)
                    let screen = try Self.listen(home)
                    let tank = try await fixture.connect("tank-1")
                    try await Self.publishUntilShown("ph", screen, fixture, tank)
                    try await Self.show(fixture)
                    try await awaitFact("sensors of problems") { Self.announcements(on: screen) > 0 ? true : nil }
                    try await home.halt()
                    try await fixture.database.sql("UPDATE ownership SET shows_on_device = false")
                    try await fixture.store.await("EXISTS (SELECT FROM owed_removal WHERE hardware_id = 'tank-1')")
                    former.signal(SIGKILL)
                    _ = await former.end
                    try await home.resume()
                    let later = try Self.listen(home)
                    let next = try await fixture.startIngestor(environment)
                    try await later.line { $0.hasPrefix("\(Self.problems(of: "tank-1")) (null)") }
                    try await fixture.store.await("NOT EXISTS (SELECT FROM owed_removal)")
                    #expect(await next.stop() == .exit(0))
                }
            }
        }
    }

    @Test func whatIsOwedIsBounded() async throws {
        try await ServiceFixture.with { fixture in
            try await fixture.store.owner.perform(OweRemovals(of: (1...1_500).map { "tank-\($0)" }))
            try await fixture.store.owner.perform(OweRemovals(of: ["another", "tank-1"]))
            #expect(try await fixture.database.sql("SELECT count(*) FROM owed_removal") == "1000")
        }
    }

    /// How often sensors of problems were announced.
    private static func announcements(on screen: ProcessUnderTest) -> Int {
        screen.output.all.count { $0.hasPrefix("\(problems(of: "tank-1")) {") }
    }

    private static func problems(of device: String) -> String {
        "homeassistant/device/aquamonitor_\(device)_problems/config"
    }

    /// Lets the device show what an owner sees.
    private static func show(_ fixture: ServiceFixture) async throws {
        let add = AddAccount(
            email: "ann@example.org", passwordHash: "scrypt$test", locale: "en", timeZone: "UTC")
        let ann = try #require(try await fixture.store.owner.execute(add).first)
        let link = LinkDevice(device: fixture.store.devices[0], account: ann, name: "Pond", defaults: .ofManual)
        try await fixture.store.owner.perform(link)
        try await fixture.database.sql("UPDATE ownership SET shows_on_device = true")
    }

    private static func environment(
        _ fixture: ServiceFixture, _ home: TestBroker, _ directory: URL
    ) throws -> [String: String] {
        let file = directory.appending(path: "password").path(percentEncoded: false)
        try Data(password.utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        var environment = fixture.environment()
        environment["AQUA_HOME_ASSISTANT_URL"] = home.url
        environment["AQUA_HOME_ASSISTANT_USER"] = user
        environment["AQUA_HOME_ASSISTANT_PASSWORD_FILE"] = file
        return environment
    }

    private static func listen(_ home: TestBroker) throws -> ProcessUnderTest {
        try ProcessUnderTest.start(
            "/usr/bin/mosquitto_sub",
            [
                "-h", "127.0.0.1", "-p", "\(home.port)", "-u", user, "-P", password, "-v", "-t", "homeassistant/#",
                "-t",
                "aquamonitor/#",
            ])
    }

    /// Publishes until the listener has a value: it misses messages from before its subscription.
    private static func publishUntilShown(
        _ parameter: String, _ screen: ProcessUnderTest, _ fixture: ServiceFixture, _ tank: MQTTFleet.Client
    ) async throws {
        try await awaitFact("\(parameter) at Home Assistant") {
            try await fixture.fleet.publish(.of(#"{"\#(parameter)":\#(Double.random(in: 7...8))}"#), as: tank)
            return screen.output.all.contains { $0.hasPrefix("aquamonitor/tank-1/\(parameter) ") } ? true : nil
        }
    }
}
