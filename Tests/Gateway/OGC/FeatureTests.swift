import Foundation
import Instants
import NIOHTTP1
import Routes
import TestSupport
import Testing
import WaterQuality
import Words

@testable import Gateway

/// OGC API Features: what a person's GIS reads of their places.
@Suite(.timeLimit(.minutes(5))) struct FeatureTests {
    @Test func `a client finds its way from the root to a feature`() async throws {
        try await FeatureScene.with { scene in
            let root = try await scene.get("/")
            #expect(root.status == 200 && root[header: "Content-Type"] == "application/json", "\(root.text)")
            #expect(try await scene.get("").text == root.text, "with and without a slash")
            for relation in ["self", "alternate", "service-desc", "service-doc", "conformance", "data"] {
                let link = try #require(scene.link(relation, of: root.json), "\(relation): \(root.text)")
                #expect(link.hasPrefix("https://water.example/ogc/v1/"), "\(link)")
            }
            let conformance = try await scene.get("/conformance").json?["conformsTo"]?.array ?? []
            #expect(conformance.contains("http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core"))
            let collections = try await scene.get("/collections", as: scene.scene.ada).json
            #expect(
                collections?["collections"]?.array?.map { $0["id"] } == ["sites", "devices", "observations", "samples"])
            for collection in collections?["collections"]?.array ?? [] {
                let id = try #require(collection["id"]?.string)
                let alone = try await scene.get("/collections/\(id)", as: scene.scene.ada)
                #expect(alone.json == collection, "\(alone.text)")
                let items = try #require(scene.link("items", of: collection))
                #expect(items.hasSuffix("/ogc/v1/collections/\(id)/items"))
                for feature in try await scene.features(id, as: scene.scene.ada) {
                    let name = try #require(feature["id"]?.string)
                    let item = try await scene.get("/collections/\(id)/items/\(name)", as: scene.scene.ada)
                    #expect(item.status == 200 && item.json?["properties"] == feature["properties"], "\(item.text)")
                    #expect(item[header: "Content-Type"] == "application/geo+json")
                    #expect(scene.link("collection", of: item.json) == "https://water.example/ogc/v1/collections/\(id)")
                }
            }
        }
    }

    @Test func `features have their places, longitude first, and what was measured there`() async throws {
        try await FeatureScene.with { scene in
            let device = try #require(try await scene.features("devices", as: scene.scene.ada).first)
            #expect(device["id"] == "pond-1" && device["geometry"]?["type"] == "Point")
            #expect(device["geometry"]?["coordinates"]?.array?.map(\.number) == [16.37208, 48.20849])
            #expect(device["properties"]?["name"] == "Koi <b>" && device["properties"]?["role"] == "owner")
            let site = try #require(try await scene.features("sites", as: scene.scene.ada).first)
            #expect(site["id"] == "site-weir" && site["properties"]?["name"] == "Weir")
            let values = try await scene.features("observations", as: scene.scene.ada)
            #expect(values.map { $0["id"] } == ["pond-1.temperature", "site-weir.nitrate.hand"], "\(values)")
            let (probe, hand) = (values[0]["properties"], values[1]["properties"])
            #expect(probe?["value"]?.number == 29 && probe?["unit"] == "C", "canonical, though Ada reads Fahrenheit")
            #expect(probe?["method"] == "probe" && probe?["state"] == "inRange", "no episode is open")
            #expect(hand?["value"]?.number == 10 && hand?["method"] == "hand" && hand?["state"] == .null)
            #expect(hand?["time"] == "2026-05-03T12:00:00Z" && hand?["kind"] == "site")
            let samples = try await scene.features("samples", as: scene.scene.ada)
            #expect(samples.compactMap { $0["id"]?.string } == FeatureScene.samples.reversed(), "the newest first")
            let sample = samples.first?["properties"]
            #expect(sample?["nitrate"]?.number == 10 && sample?["nitrate_lower"]?.number == 7.5)
            #expect(sample?["ph"] == .null && sample?["note"] == "Clear & cold", "what was not measured is null")
            #expect(sample?.members?.contains { $0.name == "ph_lower" } == false)
        }
    }

    @Test func `a device that moves is where it was last`() async throws {
        try await FeatureScene.with { scene in
            try await scene.scene.database.sql(
                """
                UPDATE ownership SET moves = true WHERE name LIKE 'Koi%';
                INSERT INTO track SELECT slot, device_id, now() - interval '2 minutes', 4712345, 1654321, 5 FROM device WHERE kind = 'device'
                """)
            let device = try #require(try await scene.features("devices", as: scene.scene.ada).first)
            #expect(device["geometry"]?["coordinates"]?.array?.map(\.number) == [16.54321, 47.12345], "\(device.text)")
            #expect(device["properties"]?["locatedAt"]?.string != nil)
            #expect(try await scene.ids("devices", "bbox=16.5,47,16.6,47.2", as: scene.scene.ada) == ["pond-1"])
            #expect(try await scene.ids("devices", "bbox=16.3,48,16.4,48.3", as: scene.scene.ada) == [])
        }
    }

    @Test func `strangers are shown nothing, and what is not theirs is not found`() async throws {
        try await FeatureScene.with { scene in
            for layer in Layer.allCases {
                #expect(try await scene.features(layer.rawValue, as: scene.scene.bob) == [])
                let anonymous = try await scene.get("/collections/\(layer.rawValue)/items")
                #expect(anonymous.status == 401, "\(anonymous.text)")
                for id in ["pond-1", "site-weir", "pond-1.temperature", FeatureScene.samples[0], "nothing", "a.b.c.d"] {
                    let foreign = try await scene.get("/collections/\(layer.rawValue)/items/\(id)", as: scene.scene.bob)
                    #expect(foreign.status == 404 && foreign.code == "not-found", "\(layer) \(id): \(foreign.text)")
                }
            }
            #expect(try await scene.get("/collections").status == 401)
            #expect(try await scene.get("/collections/lakes", as: scene.scene.ada).status == 404)
            try await scene.gateway.link("pond-1", to: scene.scene.bob, role: "watcher")
            #expect(try await scene.ids("devices", as: scene.scene.bob) == ["pond-1"])
            try await scene.scene.database.sql("UPDATE ownership SET unlinked_at = now() WHERE role = 'watcher'")
            for layer in Layer.allCases { #expect(try await scene.features(layer.rawValue, as: scene.scene.bob) == []) }
        }
    }

    @Test func `a personal token that may read is enough, also as a password`() async throws {
        try await FeatureScene.with { scene in
            let path = OGCFeatures.base + "/collections/devices/items"
            let token = try await scene.gateway.personalToken(scene.scene.ada, scope: "read")
            #expect(try await scene.gateway.request(.GET, path, token: token).json?["numberReturned"] == 1)
            func basic(_ text: String) async throws -> GatewayUnderTest.Reply {
                let value = "Basic \(Data(text.utf8).base64EncodedString())"
                return try await scene.gateway.request(.GET, path, headers: ["Authorization": value])
            }
            #expect(try await basic("anybody:\(token)").json?["numberReturned"] == 1)
            for wrong in [
                "", ":", "ada:x", token, "ada:\(scene.scene.ada.token)", "ada:\(GatewayUnderTest.Person.password)",
            ] {
                let reply = try await basic(wrong)
                #expect(reply.status == 401, "\(wrong): \(reply.text)")
                let schemes = reply.headers["WWW-Authenticate"]
                #expect(
                    schemes.contains { $0.hasPrefix("Bearer") } && schemes.contains { $0.hasPrefix("Basic realm=") })
            }
            let session = try await scene.gateway.request(.GET, "/api/v1/devices")
            #expect(session.headers["WWW-Authenticate"] == ["Bearer"], "elsewhere nobody is asked for a password")
            let elsewhere = try await scene.gateway.request(
                .GET, "/api/v1/devices",
                headers: ["Authorization": "Basic \(Data("a:\(token)".utf8).base64EncodedString())"])
            #expect(elsewhere.status == 401, "nor taken at one")
            try await scene.scene.database.sql("UPDATE personal_token SET revoked_at = now()")
            #expect(try await basic("anybody:\(token)").status == 401)
        }
    }

    @Test func `a project's administrator sees what is the project's`() async throws {
        try await ProjectScene.with { scene in
            let path = OGCFeatures.base + "/collections/devices/items"
            let acting = try await scene.gateway.request(.GET, path, scene.administrator, headers: scene.acting)
            #expect(acting.json?["features"]?[0]?["id"] == "pond-1", "\(acting.text)")
            let keeper = try await scene.gateway.request(.GET, path, scene.keeper, headers: scene.acting)
            #expect(keeper.code == "administrators-only")
            let own = try await scene.gateway.request(.GET, path, scene.keeper)
            #expect(own.json?["features"]?[0]?["properties"]?["project"] == "Koi Farm", "\(own.text)")
        }
    }

    @Test func `what the standard does not know is refused with 400`() async throws {
        try await FeatureScene.with { scene in
            let items = "/collections/devices/items"
            for query in [
                "ooga=booga", "limit=unlimited", "limit=0", "limit=-1", "limit=1&limit=2", "bbox=1,2,3", "bbox=1,2,3,x",
                "bbox=0,50,10,40", "bbox=0,0,181,1", "bbox=1,2,3,4,5", "datetime=yesterday", "datetime=../..",
                "datetime=2026-05-02/2026-05-01", "f=xml", "cursor=x", "crs=EPSG:4326",
                "bbox-crs=http://www.opengis.net/def/crs/EPSG/0/4326",
            ] {
                let reply = try await scene.get(items, query, as: scene.scene.ada)
                #expect(reply.status == 400 && reply.code == "invalid-parameter", "\(query): \(reply.text)")
                #expect(reply.json?["errors"]?[0]?["in"] == "query", "\(reply.text)")
            }
            let never = ListHandSamples.Place(
                hardwareID: "", at: Timestamp(microseconds: .max - 1), id: ListHandSamples.Place.first.id)
            let cursor = "cursor=\(Cursor.text(never, of: Layer.samples.rawValue))"
            let forged = try await scene.get("/collections/samples/items", cursor, as: scene.scene.ada)
            #expect(forged.status == 400 && forged.code == "invalid-parameter", "no database has it: \(forged.text)")
            #expect(try await scene.get("/conformance", "x=1").status == 400)
            let page = try await scene.gateway.request(.GET, "/api/problems/invalid-parameter")
            #expect(page.status == 200)
            let crs = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
            let reply = try await scene.get(items, "crs=\(crs)&bbox-crs=\(crs)&limit=5000", as: scene.scene.ada)
            #expect(reply.status == 200 && reply[header: "Content-Crs"] == "<\(crs)>", "\(reply.text)")
            #expect(scene.link("self", of: reply.json)?.contains("limit=1000") == true, "the most")
            let post = try await scene.gateway.request(.POST, OGCFeatures.base + items, scene.scene.ada)
            #expect(post.status == 405)
        }
    }

    @Test func `datetime and bbox select alike in every collection`() async throws {
        try await FeatureScene.with { scene in
            let ada = scene.scene.ada
            #expect(try await scene.ids("samples", "datetime=2026-05-02", as: ada) == [FeatureScene.samples[0]])
            #expect(
                try await scene.ids("samples", "datetime=2026-05-03T12:00:00Z", as: ada) == [FeatureScene.samples[1]])
            #expect(
                try await scene.ids("samples", "datetime=2026-05-02T12:00:01Z/..", as: ada) == [FeatureScene.samples[1]]
            )
            #expect(try await scene.ids("samples", "datetime=../2026-05-01", as: ada) == [])
            #expect(
                try await scene.ids("observations", "datetime=2026-05-01/2026-05-09", as: ada) == [
                    "site-weir.nitrate.hand"
                ])
            #expect(try await scene.ids("devices", "datetime=../1999-12-31", as: ada) == [], "nobody had it then")
            #expect(try await scene.ids("sites", "bbox=15,49,16,50", as: ada) == ["site-weir"])
            #expect(try await scene.ids("sites", "bbox=15,49,-100,16,50,2000", as: ada) == ["site-weir"])
            for layer in Layer.allCases {
                #expect(try await scene.ids(layer.rawValue, "bbox=20,-10,30,10", as: ada) == [])
            }
            #expect(try await scene.ids("observations", "bbox=15,49,16,50", as: ada) == ["site-weir.nitrate.hand"])
            try await scene.scene.database.sql(
                "UPDATE ownership SET latitude = NULL, longitude = NULL WHERE name = 'Weir'")
            let nowhere = try await scene.features("sites", "bbox=20,-10,30,10", as: ada)
            #expect(nowhere.map { $0["geometry"] } == [.null], "what has no place is in every box")
        }
    }

    @Test func `pages of any size have each feature once`() async throws {
        try await FeatureScene.with { scene in
            try await scene.scene.database.sql(
                """
                INSERT INTO device (slot, hardware_id, claim_code_hash)
                SELECT n % 64, 'tank-' || n, sha256(n::text::bytea) FROM generate_series(1, 25) n;
                INSERT INTO ownership (slot, device_id, account_id, name, latitude, longitude)
                SELECT d.slot, d.device_id, \(scene.scene.ada.account), 'Tank', 10 * sin(d.device_id), 170 + 2 * (d.device_id % 10)
                    - CASE WHEN d.device_id % 10 > 5 THEN 360 ELSE 0 END
                FROM device d WHERE d.hardware_id LIKE 'tank-%';
                INSERT INTO hand_test (slot, device_id, tank_id, test_id, account_id, at)
                SELECT slot, device_id, tank_id, gen_random_uuid(), account_id, '2026-05-01Z'::timestamptz + (n / 2) * interval '1 day'
                FROM ownership, generate_series(1, 6) n WHERE name = 'Tank';
                INSERT INTO hand_value (slot, parameter, device_id, tank_id, test_id, at, value, read, unit)
                SELECT slot, p, device_id, tank_id, test_id, at, 7, 7, 'x' FROM hand_test, generate_series(1, 2) p
                ON CONFLICT DO NOTHING
                """)
            let pacific = try BoundingBox([172, -5, -176, 5])
            for layer in Layer.allCases {
                let all = try await scene.features(layer.rawValue, "limit=1000", as: scene.scene.ada)
                #expect(Set(all.compactMap { $0["id"]?.string }).count == all.count)
                let expected = all.filter { feature in
                    guard let place = feature["geometry"]?["coordinates"]?.array?.compactMap(\.number) else {
                        return true
                    }
                    return pacific.contains(latitude: place[1], longitude: place[0])
                }
                #expect(
                    layer == .sites || expected.count > 3 && expected.count < all.count, "\(layer) \(expected.count)")
                for limit in [2, 7] {
                    #expect(try await scene.features(layer.rawValue, "limit=\(limit)", as: scene.scene.ada) == all)
                    let box = "bbox=172,-5,-176,5&limit=\(limit)"
                    #expect(try await scene.features(layer.rawValue, box, as: scene.scene.ada) == expected, "\(layer)")
                }
            }
        }
    }

    @Test func `a browser gets pages without scripts, in the person's language`() async throws {
        try await FeatureScene.with { scene in
            let accept: HTTPHeaders = ["Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"]
            for path in [
                "", "/conformance", "/api", "/collections", "/collections/devices", "/collections/devices/items",
                "/collections/devices/items/pond-1", "/collections/samples/items", "/collections/observations/items",
            ] {
                let reply = try await scene.get(path, as: scene.scene.ada, headers: accept)
                #expect(reply.status == 200 && reply[header: "Content-Type"] == "text/html; charset=utf-8", "\(path)")
                let policy = try #require(reply[header: "Content-Security-Policy"])
                #expect(policy.contains("default-src 'none'") && policy.contains("style-src 'sha256-"))
                for forbidden in ["<script", "style=\"", "src=", "<form", "Koi <b>", "ogc."] {
                    #expect(!reply.text.contains(forbidden), "\(path): \(forbidden)")
                }
                #expect(
                    try await scene.get(path, "f=json", as: scene.scene.ada, headers: accept).json != nil, "\(path)")
            }
            let items = try await scene.get("/collections/devices/items", "f=html", as: scene.scene.ada)
            #expect(items.text.contains("Koi &lt;b&gt;") && items.text.contains("48.20849, 16.37208"))
            #expect(items[header: "Content-Language"] == "es" && items.text.contains("<html lang=\"es\">"))
            let paged = try await scene.get("/collections/samples/items", "f=html&limit=1", as: scene.scene.ada)
            #expect(paged.text.contains("rel=\"next\""))
            let nothing = try await scene.get("/nothing", as: scene.scene.ada, headers: accept)
            #expect(nothing.status == 404, "not the web app")
        }
    }

    @Test func `the document is of OpenAPI 3_0 and has every path`() async throws {
        try await FeatureScene.with { scene in
            let reply = try await scene.get("/api")
            #expect(reply[header: "Content-Type"] == FeatureDocument.mediaType)
            let document = try #require(reply.json)
            #expect(document["openapi"] == "3.0.3" && document["servers"] == [["url": "https://water.example/ogc/v1"]])
            let paths = document["paths"]?.members?.map(\.name) ?? []
            #expect(paths.contains("/") && paths.contains("/collections/samples/items/{featureId}"))
            #expect(!paths.contains { $0.contains("public") } && paths.count == 4 + 3 * Layer.allCases.count)
            let parameters = document["paths"]?["/collections/sites/items"]?["get"]?["parameters"]?.array ?? []
            let box = try #require(parameters.first { $0["name"] == "bbox" })
            #expect(box["schema"]?["minItems"] == 4 && box["schema"]?["maxItems"] == 6 && box["explode"] == false)
            #expect(!reply.text.contains("\"null\"") && !reply.text.contains("http://schemas"))
        }
    }

    @Test func `a token of an observation is read as it is written`() throws {
        for parameter in Parameter.allCases {
            for isByHand in [false, true] {
                let id = ObservationID(device: "Pond_1-a", parameter: parameter, isByHand: isByHand)
                #expect(ObservationID(id.text) == id)
            }
        }
        for wrong in ["", "a", "a.b", ".ph", "a.ph.", "a.ph.hands", "a.ph.hand.x", "a b.ph", "pond.1.ph"] {
            #expect(ObservationID(wrong) == nil, "\(wrong)")
        }
    }

    @Test(
        arguments: [
            (nil, [], FeatureForm.json), (nil, ["*/*"], .json), (nil, ["text/html"], .html),
            (nil, ["application/geo+json, text/html;q=0.5"], .json), (nil, ["text/html", "application/json"], .json),
            (.html, ["application/json"], .html), (.json, ["text/html"], .json),
        ] as [(FeatureForm?, [String], FeatureForm)])
    func `the form is what the address says, else what is accepted`(
        _ asked: FeatureForm?, _ accepted: [String], _ form: FeatureForm
    ) {
        #expect(FeatureForm(asked, accepting: accepted) == form)
    }

    @Test(arguments: Language.allCases) func `every collection has its words`(_ language: Language) {
        for layer in Layer.allCases {
            #expect(language.has("ogc.\(layer.rawValue)") && language.has("ogc.\(layer.rawValue)_text"))
        }
    }
}
