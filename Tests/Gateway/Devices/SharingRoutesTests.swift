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
            #expect(watchers.json?[0]?["email"]?.string == "ben@example.com" && watchers.json?[1] == nil)
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

    /// The path is a part of the request, though the body is the same.
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
