import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Places without a device: who makes them, where they are, and what stands at them.
@Suite(.timeLimit(.minutes(5))) struct SiteRouteTests {
    private typealias Person = GatewayUnderTest.Person
    private static let devices = "/api/v1/devices"

    /// Anna has a pond, and Ben another.
    private static func with(
        _ body:
            @Sendable @escaping (GatewayUnderTest, GatewayUnderTest.Person, GatewayUnderTest.Person) async throws ->
            Void
    ) async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            let ben = try await gateway.person("ben@example.com")
            try await gateway.link("pond-1", to: anna)
            try await gateway.link("pond-9", to: ben)
            try await body(gateway, anna, ben)
        }
    }

    /// A site of a person's, and its path.
    private static func make(
        _ gateway: GatewayUnderTest, _ person: Person, _ json: JSON = ["name": "Weir"], headers: HTTPHeaders = [:]
    ) async throws -> (id: String, path: String) {
        let made = try await gateway.request(.POST, "/api/v1/sites", person, json: json, headers: headers)
        #expect(made.status == 201, "\(made.text)")
        let id = try #require(made.json?["id"]?.string)
        #expect(made[header: "Location"] == "\(devices)/\(id)")
        return (id, "\(devices)/\(id)")
    }

    private static func change(
        _ gateway: GatewayUnderTest, _ path: String, _ person: Person, _ json: JSON
    ) async throws -> GatewayUnderTest.Reply {
        let tag = try await gateway.request(.GET, path, person)[header: "ETag"]
        return try await gateway.request(
            .PATCH, path, person, json: json, headers: ["If-Match": try #require(tag)])
    }

    private static func places(
        _ gateway: GatewayUnderTest, _ path: String, _ person: Person
    ) async throws -> [JSON] {
        let reply = try await gateway.request(.GET, "\(path)/places", person)
        #expect(reply.status == 200, "\(reply.text)")
        return reply.json?["items"]?.array ?? []
    }

    @Test func `a site is listed as a device is, without key, claim code and silence`() async throws {
        try await Self.with { gateway, anna, ben in
            let site = try await Self.make(gateway, anna)
            #expect(site.id.contains(/^site-[0-9a-hjkmnp-tv-z]{10}$/), "\(site.id)")
            let shown = try await gateway.request(.GET, site.path, anna)
            #expect(shown.json?["kind"]?.string == "site" && shown.json?["name"]?.string == "Weir", "\(shown.text)")
            #expect(shown.json?["online"] == .null && shown.json?["silentSince"] == .null)
            #expect(try await gateway.request(.GET, Self.devices, anna).json?["items"]?.array?.count == 2)
            #expect(
                try await gateway.request(.GET, "\(Self.devices)/pond-1", anna).json?["kind"]?.string == "device")
            #expect(try await gateway.request(.GET, site.path, ben).status == 404)
            #expect(
                try await gateway.ask(
                    "SELECT string_agg(d.kind, ' ') FROM silence_check c JOIN device d ON d.device_id = c.device_id")
                    == "device device", "nothing is expected of a site")
            #expect(
                try await gateway.ask(
                    "SELECT num_nonnulls(claim_code_hash, key_id, key_hash) FROM device WHERE kind = 'site'") == "0")
            let limits = try await gateway.request(.GET, "\(site.path)/parameters", anna)
            #expect(limits.status == 200 && limits.text.contains("temperature"), "\(limits.text)")
            let given = try await gateway.request(.DELETE, site.path, anna)
            #expect(given.status == 200 && given.json?["claimCode"] == .null, "\(given.text)")
            #expect(
                try await gateway.ask("SELECT count(*) FROM device WHERE kind = 'site' AND claim_code_hash IS NULL")
                    == "1", "nobody takes it up")
        }
    }

    @Test func `what only a device can do is refused with a reason`() async throws {
        try await Self.with { gateway, anna, _ in
            let site = try await Self.make(gateway, anna)
            for json: JSON in [["showsOnDevice": true], ["moves": true]] {
                let reply = try await Self.change(gateway, site.path, anna, json)
                #expect(reply.status == 409 && reply.code == "not-for-sites", "\(reply.text)")
            }
            let second = try await gateway.request(.PUT, "\(site.path)/second", anna, json: ["second": "pond-1"])
            #expect(second.status == 409 && second.code == "not-for-sites", "\(second.text)")
            let other = try await gateway.request(
                .PUT, "\(Self.devices)/pond-1/second", anna, json: ["second": .string(site.id)])
            #expect(other.status == 422 && other.text.contains("not-own-device"), "\(other.text)")
            let probes = try await gateway.request(.GET, "\(site.path)/probes", anna)
            let chosen = try await gateway.request(
                .PUT, "\(site.path)/probes/chosen", anna, json: ["id": "AA01"],
                headers: ["If-Match": try #require(probes[header: "ETag"])])
            #expect(chosen.status == 409 && chosen.code == "not-for-sites", "\(chosen.text)")
        }
    }

    @Test func `a test by hand is what is known of a site's water`() async throws {
        try await Self.with { gateway, anna, _ in
            let site = try await Self.make(gateway, anna)
            #expect(try await gateway.request(.GET, site.path, anna).json?["lastTest"] == .null)
            let test = "\(site.path)/tests/0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e"
            let put = try await gateway.request(
                .PUT, test, anna,
                json: ["at": "2026-05-01T12:00:00Z", "values": [["parameter": "ph", "value": 7.4]]])
            #expect(put.status == 201, "\(put.text)")
            let shown = try await gateway.request(.GET, site.path, anna)
            #expect(shown.json?["lastTest"]?["at"]?.string == "2026-05-01T12:00:00Z", "\(shown.text)")
            let value = shown.json?["lastTest"]?["values"]?[0]
            #expect(value?["parameter"]?.string == "ph" && value?["canonicalValue"]?.number == 7.4, "\(shown.text)")
            #expect(shown.json?["lastReadingAt"] == .null, "it is no reading")
        }
    }

    @Test func `another position ends the one before`() async throws {
        try await Self.with { gateway, anna, _ in
            let site = try await Self.make(
                gateway, anna,
                ["name": "Weir", "latitude": 48.2, "longitude": 16.3, "accuracy": 6, "source": "gps"])
            #expect(try await gateway.request(.GET, site.path, anna).json?["accuracy"]?.number == 6)
            let named = try await Self.change(gateway, site.path, anna, ["name": "Upper weir"])
            #expect(named.json?["source"]?.string == "gps", "the place stays: \(named.text)")
            #expect(try await Self.places(gateway, site.path, anna).count == 1)
            let moved = try await Self.change(gateway, site.path, anna, ["latitude": 48.3])
            #expect(moved.json?["accuracy"] == .null && moved.json?["source"] == .null, "not of this one")
            let gone = try await Self.change(gateway, site.path, anna, ["latitude": .null, "longitude": .null])
            #expect(gone.status == 200 && gone.json?["latitude"] == .null, "\(gone.text)")
            let places = try await Self.places(gateway, site.path, anna)
            #expect(places.map { $0["latitude"]?.number } == [nil, 48.3, 48.2])
            #expect(places.last?["accuracy"]?.number == 6 && places.last?["source"]?.string == "gps")
            let page = try await gateway.request(.GET, "\(site.path)/places?limit=2", anna)
            let next = try #require(page.json?["next"]?.string, "\(page.text)")
            let rest = try await gateway.request(.GET, "\(site.path)/places?limit=2&cursor=\(next)", anna)
            #expect(rest.json?["items"]?.array?.map { $0["latitude"]?.number } == [48.2], "\(rest.text)")
        }
    }

    @Test func `a position is whole, and nothing is said of none`() async throws {
        try await Self.with { gateway, anna, _ in
            for json: JSON in [
                ["name": "Weir", "latitude": 48.2], ["name": "Weir", "accuracy": 6],
                ["name": "Weir", "source": "map"],
                ["name": "Weir", "latitude": 91, "longitude": 0],
                ["name": "Weir", "latitude": 1, "longitude": 0, "accuracy": -1],
            ] {
                let reply = try await gateway.request(.POST, "/api/v1/sites", anna, json: json)
                #expect(reply.status == 422, "\(json): \(reply.text)")
            }
            #expect(try await gateway.ask("SELECT count(*) FROM device WHERE kind = 'site'") == "0")
            let typed = try await Self.change(gateway, "\(Self.devices)/pond-1", anna, ["source": "typed"])
            #expect(typed.status == 422, "\(typed.text)")
        }
    }

    @Test func `who shares a site sees where it is, and who shares a device does not`() async throws {
        try await Self.with { gateway, anna, ben in
            let here: JSON = ["latitude": 48.2, "longitude": 16.3]
            let site = try await Self.make(gateway, anna)
            for path in [site.path, "\(Self.devices)/pond-1"] {
                #expect(try await Self.change(gateway, path, anna, here).status == 200)
            }
            try await gateway.link(site.id, to: ben, role: "watcher")
            try await gateway.link("pond-1", to: ben, role: "watcher")
            #expect(try await gateway.request(.GET, site.path, ben).json?["latitude"]?.number == 48.2)
            #expect(try await Self.places(gateway, site.path, ben).count == 1)
            #expect(
                try await gateway.request(.GET, "\(Self.devices)/pond-1", ben).json?["latitude"] == .null)
            #expect(try await Self.places(gateway, "\(Self.devices)/pond-1", ben).isEmpty)
            let moved = try await Self.change(gateway, site.path, ben, ["latitude": 1, "longitude": 1])
            #expect(moved.status == 403 && moved.code == "owner-only", "\(moved.text)")
            let named = try await Self.change(gateway, site.path, ben, ["name": "Annas weir"])
            #expect(named.status == 200 && named.json?["latitude"]?.number == 48.2, "\(named.text)")
            #expect(
                try await gateway.ask("SELECT count(*) FROM ownership WHERE role = 'watcher' AND latitude IS NOT NULL")
                    == "0")
        }
    }

    @Test func `a device stands at one site of its owner's, for a time`() async throws {
        try await Self.with { gateway, anna, ben in
            let (weir, shore) = (
                try await Self.make(gateway, anna), try await Self.make(gateway, anna, ["name": "Shore"])
            )
            let bens = try await Self.make(gateway, ben)
            let path = "\(Self.devices)/pond-1"
            func stand(
                _ site: String, _ device: String, as person: Person
            ) async throws -> GatewayUnderTest.Reply {
                try await gateway.request(.PUT, "\(device)/site", person, json: ["site": .string(site)])
            }
            for site in [bens.id, "pond-1", "pond-9", "nowhere"] {
                let reply = try await stand(site, path, as: anna)
                #expect(reply.status == 422 && reply.text.contains("not-own-site"), "\(site): \(reply.text)")
            }
            let itself = try await stand(shore.id, weir.path, as: anna)
            #expect(itself.status == 409 && itself.code == "not-for-sites", "\(itself.text)")
            #expect(try await stand(weir.id, path, as: ben).status == 404)
            let stands = try await stand(weir.id, path, as: anna)
            #expect(stands.json?["site"]?["name"]?.string == "Weir", "\(stands.text)")
            #expect(try await stand(weir.id, path, as: anna).json == stands.json, "the same again changes nothing")
            #expect(try await stand(shore.id, path, as: anna).json?["site"]?["id"]?.string == shore.id)
            #expect(
                try await gateway.ask("SELECT count(*), count(until) FROM standing") == "2|1", "one is over")

            try await gateway.link("pond-1", to: ben, role: "watcher")
            let one = try await gateway.request(.GET, path, ben)
            #expect(one.json?["site"] == .null && !one.text.contains(shore.id), "\(one.text)")
            #expect(try await stand(bens.id, path, as: ben).status == 403)
            try await gateway.link(shore.id, to: ben, role: "watcher")
            #expect(try await gateway.request(.GET, path, ben).json?["site"]?["id"]?.string == shore.id)

            #expect(try await gateway.request(.DELETE, "\(path)/site", anna).status == 204)
            #expect(try await gateway.request(.DELETE, "\(path)/site", anna).status == 204)
            #expect(try await gateway.request(.GET, path, anna).json?["site"] == .null)
            #expect(
                try await gateway.ask(
                    "SELECT string_agg(changes ->> 'site', ' ' ORDER BY entry_id) FROM audit_entry WHERE changes ? 'site'"
                )
                    == #"[null, "Weir"] ["Weir", "Shore"] ["Shore", null]"#)
        }
    }

    @Test(arguments: [
        "UPDATE ownership SET unlinked_at = now() WHERE name = 'Koi' AND role = 'owner'",
        "UPDATE ownership SET unlinked_at = now() WHERE name = 'Weir'",
        "UPDATE ownership SET account_id = (SELECT max(account_id) FROM account) WHERE name = 'Weir'",
    ])
    func `what is given up stands nowhere`(_ ending: String) async throws {
        try await Self.with { gateway, anna, _ in
            let site = try await Self.make(gateway, anna)
            let stands = try await gateway.request(
                .PUT, "\(Self.devices)/pond-1/site", anna, json: ["site": .string(site.id)])
            #expect(stands.status == 200, "\(stands.text)")
            try await gateway.database.sql(ending)
            #expect(try await gateway.ask("SELECT count(*) FROM standing WHERE until IS NULL") == "0")
        }
    }

    @Test func `a project has sites, which its members see`() async throws {
        try await ProjectScene.with { scene in
            let gateway = scene.gateway
            let made = try await gateway.request(
                .POST, "/api/v1/sites", scene.owner,
                json: ["name": "Weir", "latitude": 48.2, "longitude": 16.3], headers: scene.acting)
            #expect(made.status == 201, "\(made.text)")
            let path = "\(Self.devices)/\(try #require(made.json?["id"]?.string))"
            let seen = try await gateway.request(.GET, path, scene.owner)
            #expect(seen.json?["role"]?.string == "watcher" && seen.json?["latitude"]?.number == 48.2, "\(seen.text)")
            #expect(seen.json?["project"]?["id"]?.string == scene.id)
        }
    }
}
