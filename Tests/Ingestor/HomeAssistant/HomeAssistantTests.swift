import Foundation
import Instants
import MQTT
import MQTTFleet
import TestSupport
import Testing

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
