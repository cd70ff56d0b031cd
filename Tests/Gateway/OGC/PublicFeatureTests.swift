import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// What everybody's GIS reads of a public page.
@Suite(.timeLimit(.minutes(5))) struct PublicFeatureTests {
    /// Ada publishes her pond; the path is that of its root.
    private static func with(_ body: @Sendable @escaping (FeatureScene, String) async throws -> Void) async throws {
        try await FeatureScene.with { scene in
            let wish: JSON = [
                "title": "Our <b>pond</b>", "parameters": ["temperature", "ph"], "days": 1, "limits": true,
            ]
            let made = try await scene.gateway.request(
                .PUT, "/api/v1/devices/pond-1/public", scene.scene.ada, json: wish)
            let address = try #require(made.json?["page"]?["address"]?.string, "\(made.text)")
            try await body(scene, "/public/\(try #require(address.split(separator: "#").last))")
        }
    }

    @Test func `the last values are features, and nothing else is told`() async throws {
        try await Self.with { scene, root in
            var texts = ""
            for path in ["", "/conformance", "/collections", "/collections/observations"] {
                let reply = try await scene.get(root + path)
                #expect(reply.status == 200, "\(path): \(reply.text)")
                #expect(
                    reply[header: "Cache-Control"] == "public, max-age=30" && reply[header: "X-Robots-Tag"] == "noindex"
                )
                texts += reply.text
            }
            let page = try await scene.get(root + "/collections/observations/items")
            let features = try #require(page.json?["features"]?.array, "\(page.text)")
            #expect(features.map { $0["id"] } == ["1.temperature"], "of pH there is no value")
            #expect(features.first?["geometry"] == .null, "a page does not say where the water is")
            let properties = features.first?["properties"]
            #expect(properties?["tank"] == "Our <b>pond</b>" && properties?["value"]?.number == 84.2)
            #expect(properties?["unit"] == "F" && properties?["state"] == "inRange", "as the page shows it")
            let item = try await scene.get(root + "/collections/observations/items/1.temperature")
            #expect(item.json?["properties"] == properties, "\(item.text)")
            let html = try await scene.get(root + "/collections/observations/items", "f=html")
            #expect(html.text.contains("Our &lt;b&gt;pond") && html[header: "X-Robots-Tag"] == "noindex")
            texts += page.text + item.text + html.text
            for word in ["pond-1", "Koi", "Weir", scene.scene.ada.email, "48.20849", "16.37208", "Madrid"] {
                #expect(!texts.contains(word), "\(word)")
            }
        }
    }

    @Test func `its document describes the page alone, from its own root on`() async throws {
        try await Self.with { scene, root in
            let document = try #require(try await scene.get(root + "/api").json)
            #expect(document["servers"] == [["url": .string("https://water.example/ogc/v1" + root)]])
            #expect(
                document["paths"]?.members?.map(\.name) == [
                    "/", "/conformance", "/api", "/collections", "/collections/observations",
                    "/collections/observations/items", "/collections/observations/items/{featureId}",
                ])
            #expect(!document.text.contains("\"name\":\"page\""))
        }
    }

    @Test func `queries select from it, and only from it`() async throws {
        try await Self.with { scene, root in
            let items = root + "/collections/observations/items"
            func count(_ query: String) async throws -> Int64? {
                let reply = try await scene.get(items, query)
                #expect(reply.status == 200, "\(query): \(reply.text)")
                return reply.json?["numberReturned"]?.integer
            }
            #expect(try await count("bbox=1,2,3,4") == 1, "what has no place is in every box")
            #expect(try await count("datetime=../2020-01-01") == 0)
            let all = try await count("limit=1")
            #expect(all == 1)
            for (query, status) in [("x=1", 400), ("cursor=x", 400), ("bbox=1", 400)] {
                #expect(try await scene.get(items, query).status == status, "\(query)")
            }
            for path in ["/collections/devices", "/collections/sites/items", "/collections/samples/items"] {
                #expect(try await scene.get(root + path).status == 404, "\(path)")
            }
            for id in ["2.temperature", "1.ph", "pond-1.temperature", "0"] {
                #expect(try await scene.get("\(items)/\(id)").status == 404, "\(id)")
            }
        }
    }

    @Test func `where there is no page there is nothing`() async throws {
        try await Self.with { scene, root in
            _ = try await scene.gateway.request(.DELETE, "/api/v1/devices/pond-1/public", scene.scene.ada)
            let never = "/public/aqv_" + String(repeating: "0", count: 49)
            for gone in [root, never, "/public/x"] {
                for path in ["", "/conformance", "/api", "/collections", "/collections/observations/items"] {
                    let reply = try await scene.get(gone + path)
                    #expect(reply.status == 404 && reply.code == "not-found", "\(gone)\(path): \(reply.text)")
                    #expect(reply[header: "Cache-Control"] == "no-store")
                }
            }
        }
    }
}
