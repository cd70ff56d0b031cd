import Instants
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// What everybody reads of a page whose address they have, and what ends it.
@Suite(.timeLimit(.minutes(5))) struct PublicPageTests {
    private static let device = "/api/v1/devices/pond-1/public"
    private static let wish: JSON = [
        "title": "Our <b>pond</b>", "parameters": ["temperature"], "days": 1, "limits": true,
    ]

    /// Ada's pond with a message a minute for ten minutes, the last of them a minute ago: 20 to 29 °C, and pH 7.
    private static func with(_ body: @Sendable @escaping (PersonScene) async throws -> Void) async throws {
        try await PersonScene.with { scene in
            try await scene.database.sql(
                """
                UPDATE ownership SET name = 'Secret name', latitude = 48.20849, longitude = 16.37208, readings_from = now() - interval '1 day',
                    moves = true;
                INSERT INTO track SELECT slot, device_id, now() - interval '2 minutes', 4712345, 1654321, 5 FROM device;
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature, ph)
                SELECT slot, 0, device_id, now() - (10 - n) * interval '1 minute', now(), 20 + n, 7 FROM device, generate_series(0, 9) AS n;
                UPDATE rollup_progress
                SET hours_since = hours_since - interval '1 day', hours_until = hours_until - interval '1 day'
                """)
            try await body(scene)
        }
    }

    /// The path at which the page of an answer is read.
    private static func path(_ reply: GatewayUnderTest.Reply) throws -> String {
        let address = try #require(reply.json?["page"]?["address"]?.string, "\(reply.text)")
        let secret = try #require(address.split(separator: "#").last)
        #expect(address.contains("/public#aqv_"), "the secret is in no log of pages: \(address)")
        return "/api/v1/public/\(secret)"
    }

    private static func publish(
        _ scene: PersonScene, _ wish: JSON = wish
    ) async throws -> (path: String, reply: GatewayUnderTest.Reply) {
        let reply = try await scene.gateway.request(.PUT, device, scene.ada, json: wish)
        #expect(reply.status == 200, "\(reply.text)")
        return (try path(reply), reply)
    }

    @Test func `everybody reads what was chosen and nothing else`() async throws {
        try await Self.with { scene in
            let off = try await scene.gateway.request(.GET, Self.device, scene.ada)
            #expect(off.text == #"{"page":null}"#, "off until chosen: \(off.text)")
            let (path, _) = try await Self.publish(scene)
            let read = try await scene.gateway.request(.GET, path)
            #expect(read.status == 200, "\(read.text)")
            #expect(read.headers.first(name: "Cache-Control") == "public, max-age=30")
            #expect(read.headers.first(name: "X-Robots-Tag") == "noindex")
            #expect(read.headers.first(name: "Set-Cookie") == nil)
            #expect(read.json?["title"]?.string == "Our <b>pond</b>")
            let values = try #require(read.json?["tanks"]?[0]?["values"]?.array)
            #expect(values.count == 1, "what was not chosen is not shown")
            #expect(values.first?["value"]?.number == 84.2 && values.first?["unit"]?.string == "F")
            #expect(values.first?["state"]?.string == "inRange", "no episode is open")
            #expect(values.first?["points"]?.array?.count == 10)
            for word in [
                "pond-1", "Secret name", scene.ada.email, "48.20849", "16.37208", "47.12345", "4712345", "Madrid",
                "\"es\"", "minimum",
                "maximum",
            ] {
                #expect(!read.text.contains(word), "\(word)")
            }
            let tag = try #require(read.headers.first(name: "ETag"))
            let known = try await scene.gateway.request(.GET, path, headers: ["If-None-Match": tag])
            #expect(known.status == 304 && known.body.isEmpty)
        }
    }

    @Test func `states are shown where that is chosen, and old ones never`() async throws {
        try await Self.with { scene in
            let hidden: JSON = ["title": "Pond", "parameters": ["temperature"], "days": 7]
            let (path, _) = try await Self.publish(scene, hidden)
            let read = try await scene.gateway.request(.GET, path)
            #expect(read.json?["tanks"]?[0]?["values"]?[0]?["state"] == .null, "\(read.text)")
            try await scene.database.sql(
                "UPDATE sample SET event_time = event_time - interval '20 minutes'")
            let old = try await Self.publish(
                scene, ["title": "Pond", "parameters": ["temperature"], "days": 7, "limits": true, "newAddress": true])
            let later = try await scene.gateway.request(.GET, old.path)
            #expect(later.json?["tanks"]?[0]?["values"]?[0]?["state"] == .null, "\(later.text)")
            #expect(later.json?["tanks"]?[0]?["values"]?[0]?["value"] != .null)
        }
    }

    @Test func `another address ends the former, and the page stays the same`() async throws {
        try await Self.with { scene in
            let (former, _) = try await Self.publish(scene)
            let (same, _) = try await Self.publish(scene)
            #expect(former == same, "a change keeps the address")
            let shown = try await scene.gateway.request(.GET, Self.device, scene.ada)
            #expect(try Self.path(shown) == former, "it is shown again")
            let moved = try await scene.gateway.request(
                .PUT, Self.device, scene.ada,
                json: ["title": "Pond", "parameters": ["ph"], "days": 30, "newAddress": true])
            let next = try Self.path(moved)
            #expect(next != former)
            #expect(try await scene.gateway.request(.GET, former).status == 404)
            #expect(try await scene.gateway.request(.GET, next).status == 200)
            #expect(
                try await scene.ask(
                    "SELECT string_agg(action, ' ' ORDER BY entry_id) FROM audit_entry WHERE action LIKE 'page%'")
                    == "page.publish page.publish page.publish")
        }
    }

    @Test func `what is withdrawn, given up, moved or closed is not found, like what never was`() async throws {
        for ending in [
            "withdraw", "UPDATE ownership SET unlinked_at = now()",
            "UPDATE ownership SET account_id = (SELECT account_id FROM account WHERE email LIKE 'bob%')",
            "close",
        ] {
            try await Self.with { scene in
                let (path, _) = try await Self.publish(scene)
                switch ending {
                case "withdraw":
                    let gone = try await scene.gateway.request(.DELETE, Self.device, scene.ada)
                    #expect(gone.status == 204)
                    #expect(try await scene.gateway.request(.DELETE, Self.device, scene.ada).status == 404)
                case "close":
                    try await scene.database.sql(
                        "SET aqua.account = '\(scene.ada.account)'; SELECT close_account(\(scene.ada.account))")
                default: try await scene.database.sql(ending)
                }
                let never = "/api/v1/public/aqv_" + String(repeating: "0", count: 49)
                let replies = [
                    try await scene.gateway.request(.GET, path), try await scene.gateway.request(.GET, never),
                    try await scene.gateway.request(.GET, "/api/v1/public/x"),
                ]
                for reply in replies {
                    #expect(reply.status == 404 && reply.code == "not-found", "\(ending): \(reply.text)")
                    #expect(reply.headers.first(name: "Cache-Control") == "no-store", "\(ending)")
                }
                #expect(try await scene.ask("SELECT count(*) FROM public_page") == "0", "\(ending)")
            }
        }
    }

    @Test func `only the owner publishes, with the password, and within bounds`() async throws {
        try await Self.with { scene in
            let stranger = try await scene.gateway.request(.PUT, Self.device, scene.bob, json: Self.wish)
            #expect(stranger.status == 404)
            try await scene.gateway.link("pond-1", to: scene.bob, role: "watcher")
            for method in [HTTPMethod.GET, .PUT, .DELETE] {
                let reply = try await scene.gateway.request(
                    method, Self.device, scene.bob, json: method == .PUT ? Self.wish : Optional<JSON>.none)
                #expect(reply.code == "owner-only", "\(method): \(reply.text)")
            }
            let token = try await scene.gateway.personalToken(scene.ada, scope: "write")
            let program = try await scene.gateway.request(.PUT, Self.device, token: token, json: Self.wish)
            #expect(program.code == "insufficient-scope")
            let wrong: [JSON] = [
                ["title": "", "parameters": ["ph"], "days": 1], ["title": "Pond", "parameters": [], "days": 1],
                ["title": "Pond", "parameters": ["ph", "ph"], "days": 1],
                ["title": "Pond", "parameters": ["ph"], "days": 2],
                ["title": .string(String(repeating: "x", count: 61)), "parameters": ["ph"], "days": 1],
                ["title": "Two\nlines", "parameters": ["ph"], "days": 1],
            ]
            for wish in wrong {
                let reply = try await scene.gateway.request(.PUT, Self.device, scene.ada, json: wish)
                #expect(reply.status == 422, "\(wish.text): \(reply.text)")
            }
            try await scene.gateway.age()
            let aged = try await scene.gateway.request(.PUT, Self.device, scene.ada, json: Self.wish)
            #expect(aged.code == "password-needed", "\(aged.text)")
            #expect(try await scene.ask("SELECT count(*) FROM public_page") == "0")
        }
    }

    @Test func `what a session published is taken back with it`() async throws {
        try await Self.with { scene in
            _ = try await Self.publish(scene)
            let session = try await scene.ask("SELECT made_in FROM public_page")
            try await scene.database.sql(
                "SET aqua.account = '\(scene.ada.account)'; SELECT undo_session(\(scene.ada.account), '\(session)')")
            #expect(try await scene.ask("SELECT count(*) FROM public_page") == "0")
        }
    }

    @Test func `a project shows some of its tanks, chosen by who acts for it`() async throws {
        try await ProjectScene.with { scene in
            let page = "\(scene.path)/public"
            func wish(_ device: String) -> JSON {
                [
                    "title": "The farm", "parameters": ["temperature"], "days": 7,
                    "tanks": [["device": .string(device), "title": "Pond by the gate"]],
                ]
            }
            for person in [scene.keeper, scene.viewer] {
                let reply = try await scene.gateway.request(.PUT, page, person, json: wish("pond-1"))
                #expect(reply.code == "administrators-only", "\(reply.text)")
            }
            #expect(try await scene.gateway.request(.PUT, page, scene.stranger, json: wish("pond-1")).status == 404)
            let made = try await scene.gateway.request(.PUT, page, scene.administrator, json: wish("pond-1"))
            let path = try Self.path(made)
            let read = try await scene.gateway.request(.GET, path)
            #expect(read.json?["title"]?.string == "The farm" && read.status == 200, "\(read.text)")
            #expect(read.json?["tanks"]?[0]?["title"]?.string == "Pond by the gate")
            #expect(!read.text.contains("Koi Farm") && !read.text.contains("pond-1"))
            let refused = try await scene.gateway.request(.PUT, page, scene.owner, json: wish("pond-9"))
            #expect(refused.status == 422, "\(refused.text)")
            let own = try await scene.gateway.request(
                .PUT, Self.device, scene.administrator,
                json: ["title": "Its own page", "parameters": ["ph"], "days": 1], headers: scene.acting)
            #expect(own.status == 200, "\(own.text)")
            let unlinked = try await scene.gateway.request(.DELETE, scene.device, scene.owner, headers: scene.acting)
            #expect(unlinked.status == 200, "\(unlinked.text)")
            #expect(try await scene.gateway.ask("SELECT count(*) FROM public_page") == "0", "nothing is left to show")
        }
    }

    /// Whoever reads acts as the owner for one transaction, which may change nothing.
    @Test func `no transaction that changes something is the owner's by an address`() async throws {
        try await Self.with { scene in
            let (path, _) = try await Self.publish(scene)
            let secret = try #require(path.split(separator: "/").last)
            await #expect(throws: (any Error).self) {
                try await scene.database.sql("SELECT enter_public_page(sha256('\(secret)'))")
            }
        }
    }
}
