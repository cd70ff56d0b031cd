import NIOHTTP1
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// The lines that are entered in a device: without its key, and the same for a device that there is and one that there is not.
@Suite struct FirmwareRoutesTests {
    private static let authority = "-----BEGIN CERTIFICATE-----\nAQ==\n-----END CERTIFICATE-----\n"

    private static func path(_ firmware: String, _ device: String = "pond-1") -> String {
        "/api/v1/enrolment/setup/\(firmware)?device=\(device)"
    }

    /// An enroller that was heard.
    private func hear(_ gateway: GatewayUnderTest, host: String = "s{slot}.mqtt.example.org") async throws {
        try await gateway.hearEnroller(host: host, authority: Self.authority)
    }

    @Test func nothingIsShownBeforeTheBrokerHasAName() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            #expect(try await gateway.request(.GET, Self.path("esphome"), anna).status == 404)
            try await hear(gateway)
            #expect(try await gateway.request(.GET, Self.path("esphome"), anna).status == 200)
            #expect(try await gateway.request(.GET, Self.path("esphome")).status == 401)
        }
    }

    @Test(arguments: Firmware.allCases) func theKeysPlaceIsLeft(_ firmware: Firmware) async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await hear(gateway)
            let shown = try await gateway.request(.GET, Self.path(firmware.rawValue), anna)
            let text = try #require(shown.json?["text"]?.string)
            let slot = Slot(of: try #require(Device.HardwareID("pond-1")))
            for word in ["{{password}}", "pond-1", "s\(slot.rawValue).mqtt.example.org", "8883"] {
                #expect(text.contains(word), "\(word)")
            }
            #expect(shown.json?["title"]?.string == firmware.title)
            #expect(shown.json?["authority"]?.string == Self.authority)
        }
    }

    @Test func aFirmwareOrAnIDThatIsNoneIsRefused() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await hear(gateway)
            for path in [Self.path("windows"), Self.path("esphome", "a%0Ab"), Self.path("esphome", "")] {
                let status = try await gateway.request(.GET, path, anna).status
                #expect([400, 404, 422].contains(status), "\(path)")
            }
        }
    }
}

extension GatewayUnderTest {
    fileprivate func hearEnroller(host: String, authority: String) async throws {
        try await database.sql(
            """
            INSERT INTO enroller_state (heard_at, allowed, a_day, host, port, tls, authority)
            VALUES (now(), 'projects', 1000, '\(host)', 8883, true, '\(authority)')
            """)
    }
}
