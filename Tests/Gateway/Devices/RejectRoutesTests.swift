import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// The unreadable messages of a device, shown to its owner as text that moves and hides nothing.
@Suite struct RejectRoutesTests {
    private let rejects = "/api/v1/devices/pond-1/rejects"

    private func reject(
        _ gateway: GatewayUnderTest, reason: String = "unknownParameter", subject: String = "po4",
        payload: String = #"{"po4":0.03}"#, topic: String = "aqua/v1/pond-1/readings", ago: Int = 0
    ) async throws {
        let hex = payload.utf8.map { "0\(String($0, radix: 16))".suffix(2) }.joined()
        try await gateway.database.sql(
            """
            INSERT INTO device_reject
            SELECT slot, device_id, (now() AT TIME ZONE 'UTC')::date, '\(reason)', '\(subject)', 3, now() - \(ago) * interval '1 min',
                now(), '\(topic)', 'no parameter is called ''\(subject)''', '\\x\(hex)'
            FROM device
            """)
    }

    /// Links a device in the past, so that its rejects came later.
    private func device(_ gateway: GatewayUnderTest, of person: GatewayUnderTest.Person) async throws {
        try await gateway.device("pond-1", of: person)
        try await gateway.database.sql("UPDATE ownership SET linked_at = now() - interval '1 day'")
    }

    /// A receiver without a fix on a device that stays where it is troubles nobody, though it is listed.
    @Test func aBadPositionIsAFaultOfWhatMovesAlone() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await device(gateway, of: anna)
            try await reject(gateway, reason: "badPosition", subject: "position", payload: "")
            #expect(try await gateway.request(.GET, rejects, anna).json?[0]?["reason"]?.string == "badPosition")
            let still = try await gateway.request(.GET, "/api/v1/devices/pond-1", anna)
            #expect(still.json?["unreadable"] == .null, "\(still.text)")
            try await gateway.database.sql("UPDATE ownership SET moves = true")
            let moving = try await gateway.request(.GET, "/api/v1/devices/pond-1", anna)
            #expect(moving.json?["unreadable"]?["reason"]?.string == "badPosition", "\(moving.text)")
        }
    }

    @Test func theOwnerSeesWhatCouldNotBeRead() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await device(gateway, of: anna)
            #expect(try await gateway.request(.GET, rejects, anna).text == "[]")
            let before = try await gateway.request(.GET, "/api/v1/devices/pond-1", anna)
            #expect(before.json?["unreadable"] == .null)
            try await reject(gateway, ago: 5)
            let listed = try await gateway.request(.GET, rejects, anna)
            #expect(listed.json?[0]?["reason"]?.string == "unknownParameter")
            #expect(listed.json?[0]?["subject"]?.string == "po4")
            #expect(listed.json?[0]?["messages"] == .integer(3))
            #expect(listed.json?[0]?["sample"]?.string == #"{"po4":0.03}"#)
            #expect(listed.json?[0]?["topic"]?.string == "aqua/v1/pond-1/readings")
            #expect(listed.json?[0]?["detail"]?.string == "no parameter is called 'po4'")

            let told = try await gateway.request(.GET, "/api/v1/devices/pond-1", anna)
            #expect(told.json?["unreadable"]?["subject"]?.string == "po4")
            #expect(told.json?["unreadable"]?["since"] == listed.json?[0]?["firstAt"])
            try await reject(gateway, reason: "malformed", subject: "")
            for reason in ["probeFault", "otherProbe", "secondProbe"] {
                try await reject(gateway, reason: reason, subject: "ph")
            }
            let later = try await gateway.request(.GET, "/api/v1/devices/pond-1", anna)
            #expect(
                later.json?["unreadable"]?["reason"]?.string == "malformed", "the latest that is not told otherwise")
            try await gateway.database.sql(
                "UPDATE device_reject SET last_at = now() - interval '25 hours', day = day - 1")
            #expect(try await gateway.request(.GET, "/api/v1/devices/pond-1", anna).json?["unreadable"] == .null)
        }
    }

    /// The holder of the device's key controls these words.
    @Test func foreignTextIsHarmless() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await device(gateway, of: anna)
            let payload = "a\u{202E}b\u{200B}c\u{1B}[2J\u{0}\r\nd<b>\u{E0041}" + String(repeating: "x", count: 150)
            let topic = "aqua/v1/pond-1/\u{202E}read\u{200B}ings"
            try await reject(gateway, subject: "p\u{202E}o", payload: payload, topic: topic)
            let listed = try await gateway.request(.GET, rejects, anna)
            let sample = try #require(listed.json?[0]?["sample"]?.string)
            #expect(sample.hasPrefix("abc[2J  d<b>xxx"))
            #expect(listed.json?[0]?["subject"]?.string == "po")
            #expect(listed.json?[0]?["topic"]?.string == "aqua/v1/pond-1/readings")
            #expect(listed.json?[0]?["detail"]?.string == "no parameter is called 'po'")
            let told = try await gateway.request(.GET, "/api/v1/devices/pond-1", anna)
            #expect(told.json?["unreadable"]?["subject"]?.string == "po")
        }
    }

    @Test func nobodyElseSeesThem() async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, ben) = (try await gateway.person(), try await gateway.person("ben@example.com"))
            let eve = try await gateway.person("eve@example.com")
            try await device(gateway, of: anna)
            #expect(try await gateway.accept(gateway.invite(to: "pond-1", by: anna), ben).status == 201)
            try await reject(gateway)
            #expect(try await gateway.request(.GET, rejects, ben).text == "[]")
            #expect(try await gateway.request(.GET, "/api/v1/devices/pond-1", ben).json?["unreadable"] == .null)
            #expect(try await gateway.request(.GET, rejects, eve).status == 404)
            let token = try await gateway.personalToken(anna, scope: "read")
            #expect(try await gateway.request(.GET, rejects, token: token).json?[0] != nil)
        }
    }
}
