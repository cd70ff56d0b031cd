import Testing
import WaterQuality

@testable import Ingestor

@Suite struct TopicTests {
    @Test func namesDeviceAndSubject() throws {
        let readings = try #require(Topic("aqua/v1/tank-1/readings"))
        #expect(readings.device.text == "tank-1")
        #expect(readings.subject == .readings)
        #expect(Topic("aqua/v1/A_z-09/status")?.subject == .status)
        #expect(Topic("aqua/v1/\(String(repeating: "a", count: 32))/status") != nil)
    }

    @Test(arguments: [
        "", "aqua/v1/", "aqua/v1/tank-1", "aqua/v1/tank-1/", "aqua/v1//readings", "aqua/v1/tank-1/readings/", "aqua/v1/tank-1/Readings",
        "aqua/v1/tank-1/ack", "aqua/v1/tank 1/readings", "aqua/v1/tänk/readings", "aqua/v2/tank-1/readings", "/aqua/v1/tank-1/readings",
        "aqua/v1/\(String(repeating: "a", count: 33))/readings", "aqua/v1/\u{301}tank/readings", "aqua/v1/a/b/readings",
    ])
    func anythingElseIsNone(_ text: String) {
        #expect(Topic(text) == nil)
    }

    /// An answer goes to the device that asked, where it cannot be taken for a reading, and nowhere a broker balks at.
    @Test(arguments: [
        ("aqua/v1/tank-1/ack", true), ("aqua/v1/tank-1/receipts/7", true), ("aqua/v1/tank-1/a/b/c/d", true),
        ("aqua/v1/tank-2/ack", false), ("aqua/v1/tank-11/ack", false), ("aqua/v1/tank-1", false), ("aqua/v1/tank/ack", false),
        ("$CONTROL/dynamic-security/v1", false), ("", false), ("aqua/v1/tank-1/+", false), ("aqua/v1/tank-1/#", false),
        ("aqua/v1/tank-1/a\u{0}", false), ("aqua/v1/tank-1/a\u{1}", false), ("aqua/v1/tank-1/\u{FFFE}", false),
        ("aqua/v1/tank-1/readings", false), ("aqua/v1/tank-1/status", false), ("aqua/v1/tank-1/../tank-2/ack", true),
        ("aqua/v1/tank-1/" + String(repeating: "/", count: 200), false),
        ("aqua/v1/tank-1/" + String(repeating: "a", count: 241), true),
        ("aqua/v1/tank-1/" + String(repeating: "a", count: 242), false),
    ])
    func receiptsGoToTheDevicesOwnTopics(_ topic: String, _ isAllowed: Bool) throws {
        let tank = try #require(Topic("aqua/v1/tank-1/readings"))
        #expect(tank.allowsReceipt(to: topic) == isAllowed, "\(topic)")
    }
}
