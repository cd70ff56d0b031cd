import NIOHTTP1
import Routes
import Secrets
import TestSupport
import Testing

@testable import Gateway

@Suite struct SharingRoutesTests {
    private let device = "/api/v1/devices/pond-1"

    @Test func anInvitationWorksOnceAndTellsOnlyTheDevicesName() async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, ben) = (try await gateway.person(), try await gateway.person("ben@example.com"))
            let eve = try await gateway.person("eve@example.com")
            try await gateway.device("pond-1", of: anna)
            let made = try await gateway.request(.POST, "\(device)/invitations", anna)
            let token = try #require(made.json?["token"]?.string)
            #expect(made.json?["link"]?.string == "https://water.example/join#\(token)")

            let look = try await gateway.request(
                .POST, "/api/v1/invitations/look", json: ["token": .string(token)])
            #expect(look.status == 200 && look.json?["deviceName"]?.string == "Pond")
            #expect(look.json?["state"]?.string == "open")
            #expect(!look.text.contains("anna") && !look.text.contains("pond-1"))

            #expect(try await gateway.accept(token, anna).code == "device-already-yours")
            let accepted = try await gateway.accept(token, ben)
            #expect(accepted.status == 201 && accepted.json?["role"]?.string == "watcher")
            #expect(try await gateway.accept(token, ben).code == "already-watching")
            #expect(try await gateway.accept(token, eve).code == "invitation-used")
            let other = String(token.dropLast()) + (token.hasSuffix("0") ? "1" : "0")
            #expect(try await gateway.accept(other, eve).status == 422, "its checksum is wrong")
            #expect(!"\(gateway.log.lines)".contains(token))

            let watchers = try await gateway.request(.GET, "\(device)/watchers", anna)
            #expect(watchers.json?[0]?["name"]?.string == "ben" && watchers.json?[1] == nil)
            let listed = try await gateway.request(.GET, "\(device)/invitations", anna)
            #expect(listed.json?[0]?["state"]?.string == "used" && !listed.text.contains(token))
        }
    }

    @Test func anInvitationCanBeTakenBack() async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, ben) = (try await gateway.person(), try await gateway.person("ben@example.com"))
            try await gateway.device("pond-1", of: anna)
            let token = try await gateway.invite(to: "pond-1", by: anna)
            let id = try #require(
                try await gateway.request(.GET, "\(device)/invitations", anna).json?[0]?["id"]?.string)
            #expect(try await gateway.request(.DELETE, "\(device)/invitations/\(id)", anna).status == 204)
            #expect(try await gateway.request(.DELETE, "\(device)/invitations/\(id)", anna).status == 404)
            #expect(try await gateway.accept(token, ben).code == "invitation-unknown")
        }
    }

    /// A person invited to an alarm sees what led to it, if the owner permits, and gets no alerts about the time before
    /// they joined.
    @Test func anInvitationMayShowWhatWasSinceTheAlarmBegan() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await gateway.device("pond-1", of: anna)
            try await gateway.database.sql(
                """
                UPDATE setting SET maximum = 240 WHERE parameter = 0;
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, time, time, CASE WHEN n > 30 THEN 21 ELSE 27 END
                FROM device, generate_series(1, 60) AS n, LATERAL (SELECT now() - n * interval '1 minute' AS time) AS t;
                INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at)
                SELECT slot, device_id, 0, account_id, 1, 'range', 'high', now() - interval '30 minutes 30 s', now()
                FROM ownership;
                INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, side, opened_at,
                    event_time, received_at, state, value, limit_value)
                SELECT slot, device_id, 0, account_id, 1, 1, 'range', 'alarm', 'high', opened_at, opened_at, opened_at,
                    'delivered', 27, 24 FROM episode
                """)
            func seen(_ person: GatewayUnderTest.Person) async throws -> [Int?] {
                let path = "\(device)/parameters/temperature"
                let series = try await gateway.request(.GET, "\(path)/series", person)
                let table = try await gateway.request(.GET, "\(device)/readings.csv", person)
                let latest = try await gateway.request(.GET, "/api/v1/readings/latest", person)
                let why = try await gateway.request(.GET, "\(path)/why", person)
                return [
                    series.json?["points"]?.array?.count, table.text.split(separator: "\r\n").count - 1,
                    latest.json?.array?.count, why.json?["readings"]?.integer.map { Int($0) },
                ]
            }
            let ben = try await gateway.person("ben@example.com")
            let token = try await gateway.invite(to: "pond-1", by: anna, readings: "sinceAlarm")
            let listed = try await gateway.request(.GET, "\(device)/invitations", anna)
            #expect(listed.json?[0]?["readings"]?.string == "sinceAlarm")
            #expect(try await gateway.accept(token, ben).status == 201)
            let bens = try await seen(ben)
            #expect(bens == [30, 30, 1, 30])
            // Measured before he joined, and received after.
            try await gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, now() - interval '40 s', now(), 27 FROM device
                """)
            let why = try await gateway.request(.GET, "\(device)/parameters/temperature/why", ben)
            let came = try #require(why.json?["steps"]?.array?.filter { $0["readings"] != 0 })
            #expect(came.reduce(0) { $0 + ($1["readings"]?.integer ?? 0) } == 31)
            #expect(came.allSatisfy { $0["what"]?.string == "unlimited" })
            #expect(try await gateway.request(.GET, "/api/v1/alerts", ben).json?["items"] == [])
            let eve = try await gateway.person("eve@example.com")
            #expect(try await gateway.accept(gateway.invite(to: "pond-1", by: anna), eve).status == 201)
            #expect(try await seen(eve) == [0, 0, 0, 0])
            #expect(try await seen(anna)[0] == 61)
            let asked = try await gateway.request(
                .POST, "\(device)/invitations", anna, json: ["readings": "everything"])
            #expect(asked.status == 422)
        }
    }

    /// The path is a part of the request, even if the body is the same.
    @Test func aKeyOfOneDeviceIsNotOneOfAnother() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            for device in ["pond-1", "pond-2"] { try await gateway.device(device, of: anna) }
            func invite(_ device: String) async throws -> GatewayUnderTest.Reply {
                try await gateway.request(
                    .POST, "/api/v1/devices/\(device)/invitations", anna, headers: ["Idempotency-Key": "k"])
            }
            let first = try await invite("pond-1")
            #expect(first.status == 201)
            #expect(try await invite("pond-2").code == "idempotency-key-reused")
            #expect(try await invite("pond-1").body == first.body)
        }
    }

    @Test func invitationsCannotBeGuessed() async throws {
        try await GatewayUnderTest.with { gateway in
            func look() async throws -> GatewayUnderTest.Reply {
                try await gateway.request(
                    .POST, "/api/v1/invitations/look", json: ["token": .string(WatchInvitation.generate().text)])
            }
            for _ in 1...20 { #expect(try await look().code == "invitation-unknown") }
            let refused = try await look()
            #expect(refused.status == 429 && refused[header: "Retry-After"] != nil)
        }
    }

    @Test func anExpiredInvitationSaysSo() async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, ben) = (try await gateway.person(), try await gateway.person("ben@example.com"))
            try await gateway.device("pond-1", of: anna)
            let token = try await gateway.invite(to: "pond-1", by: anna)
            try await gateway.database.sql(
                "UPDATE device_invitation SET created_at = now() - interval '8 days', expires_at = now() - interval '1 s'"
            )
            let refused = try await gateway.accept(token, ben)
            #expect(refused.status == 410 && refused.code == "invitation-expired")
        }
    }

    @Test func watchersLeaveAndAreRemovedAndGoWithTheOwner() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await gateway.device("pond-1", of: anna)
            var watchers: [GatewayUnderTest.Person] = []
            for name in ["ben", "eve", "kim"] {
                watchers.append(try await gateway.person("\(name)@example.com"))
                let token = try await gateway.invite(to: "pond-1", by: anna)
                #expect(try await gateway.accept(token, watchers.last!).status == 201)
            }
            let left = try await gateway.request(.DELETE, device, watchers[0])
            #expect(left.status == 200 && left.json?["claimCode"] == .null)
            let id = try #require(
                try await gateway.request(.GET, "\(device)/watchers", anna).json?[0]?["id"]?.string)
            #expect(try await gateway.request(.DELETE, "\(device)/watchers/\(id)", anna).status == 204)
            #expect(try await gateway.request(.GET, device, watchers[1]).status == 404)
            #expect(try await gateway.request(.GET, device, watchers[2]).status == 200)
            #expect(try await gateway.request(.GET, device, anna).status == 200)
            #expect(try await gateway.request(.DELETE, device, anna).status == 200)
            #expect(try await gateway.request(.GET, device, watchers[2]).status == 404)
        }
    }
}
