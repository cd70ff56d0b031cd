import Instants
import NIOHTTP1
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Where a device was, through the API: Anna owns pond-1, Ben watches it since an hour ago, Eve is a stranger.
@Suite(.timeLimit(.minutes(5))) struct TrackRoutesTests {
    private static let device = "/api/v1/devices/pond-1"
    private static let track = device + "/track"

    /// A message each minute of the last two hours, whose temperature is its age in minutes, and a position every tenth.
    private static func with(_ body: @Sendable @escaping (JournalScene) async throws -> Void) async throws {
        try await JournalScene.with { scene in
            try await scene.gateway.database.sql(
                """
                UPDATE ownership SET linked_at = now() - interval '2 days', moves = role = 'owner',
                    readings_from = now() - CASE role WHEN 'owner' THEN interval '1 day' ELSE interval '65 minutes' END;
                UPDATE setting SET unit = 'F', valid_from = now() - interval '1 day' WHERE parameter = 0;
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, date_trunc('second', now()) - n * interval '1 minute', now(), CASE WHEN n <> 50 THEN n / 4.0 END
                FROM device, generate_series(1, 120) AS n WHERE hardware_id = 'pond-1';
                UPDATE sample SET ph = 7 WHERE temperature IS NULL;
                INSERT INTO track
                SELECT slot, device_id, date_trunc('second', now()) - n * interval '1 minute', 4820000 + n, 1637000 - n, NULLIF(n, 10)
                FROM device, generate_series(10, 120, 10) AS n WHERE hardware_id = 'pond-1'
                """)
            try await body(scene)
        }
    }

    private func change(
        _ scene: JournalScene, _ json: JSON, as person: JournalScene.Person
    ) async throws -> JournalScene.Reply {
        let tag = try await scene.get(Self.device, person)[header: "ETag"]
        return try await scene.gateway.request(
            .PATCH, Self.device, person, json: json, headers: ["If-Match": try #require(tag)])
    }

    @Test func onlyItsOwnerSaysThatADeviceMoves() async throws {
        try await Self.with { scene in
            #expect(try await scene.get(Self.device, scene.ben).json?["moves"]?.bool == true)
            let last = try #require(try await scene.get(Self.device, scene.ben).json?["lastPosition"])
            #expect(
                last["latitude"]?.number == 48.2001 && last["longitude"]?.number == 16.3699 && last["accuracy"] == .null
            )
            for moves in [true, false] {
                let refused = try await change(scene, ["moves": .bool(moves)], as: scene.ben)
                #expect(refused.status == 403 && refused.text.contains("owner-only"))
            }
            let off = try await change(scene, ["moves": false], as: scene.anna)
            #expect(off.json?["moves"]?.bool == false && off.json?["lastPosition"] == .null)
            #expect(try await change(scene, ["name": "Koi"], as: scene.ben).status == 200)
            #expect(try await change(scene, ["name": "Koi"], as: scene.anna).json?["moves"]?.bool == false)
            #expect(try await scene.get(Self.device, scene.ben).json?["moves"]?.bool == false)
            #expect(try await change(scene, ["moves": true], as: scene.anna).json?["moves"]?.bool == true)
        }
    }

    @Test func aTrackHasTheValuesThatHeldThere() async throws {
        try await Self.with { scene in
            let all = try #require(try await scene.get(Self.track, scene.anna).json)
            #expect(
                all["parameter"]?.string == "temperature" && all["unit"]?.string == "F" && all["total"]?.integer == 12)
            let points = try #require(all["points"]?.array)
            #expect(points.count == 12)
            #expect(
                points[0]["position"]?["latitude"]?.number == 48.2012
                    && points[0]["position"]?["accuracy"]?.integer == 120)
            #expect(points[0]["value"]?.number == 86, "30 °C")
            #expect(points[11]["position"]?["accuracy"] == .null && points[11]["value"]?.number == 36.5)
            #expect(points[7]["value"]?.number == 54.95, "where that message has none, the one before")
            let ph = try #require(try await scene.get(Self.track + "?parameter=ph", scene.anna).json?["points"]?.array)
            #expect(ph.map { $0["value"]?.number } == Array(repeating: nil, count: 7) + [7, nil, nil, nil, nil])
            let few = try #require(try await scene.get(Self.track + "?points=5", scene.anna).json)
            #expect(few["total"]?.integer == 12)
            let latitudes = few["points"]?.array?.map { $0["position"]?["latitude"]?.number ?? 0 }
            #expect(latitudes == [48.2012, 48.2009, 48.2006, 48.2003, 48.2001], "evenly, and the last in any case")
        }
    }

    @Test func othersSeeWhatIsTheirs() async throws {
        try await Self.with { scene in
            let bens = try await scene.get(Self.track, scene.ben)
            #expect(bens.json?["points"]?.array?.count == 6)
            #expect(try await scene.get(Self.track + ".geojson", scene.ben).json?["features"]?.array?.count == 6)
            for path in [Self.track, Self.track + ".geojson"] {
                #expect(try await scene.get(path, scene.eve).status == 404)
            }
            #expect(try await scene.gateway.request(.DELETE, Self.track, scene.eve).status == 404)
            #expect(try await scene.gateway.request(.DELETE, Self.track, scene.ben).code == "owner-only")
            #expect(try await scene.get(Self.track, scene.anna).json?["total"]?.integer == 12)
        }
    }

    @Test func aPeriodHasAnEnd() async throws {
        try await Self.with { scene in
            let long = try await scene.get(
                Self.track + "?from=2020-01-01T00:00:00Z&until=2020-03-01T00:00:00Z", scene.anna)
            #expect(long.status == 422 && long.text.contains("track-too-long"))
            #expect(try await scene.get(Self.track + "?points=2001", scene.anna).status == 422)
            #expect(try await scene.get(Self.track + "?parameter=po4", scene.anna).status == 422)
        }
    }

    @Test func geoJSONHasLongitudeFirst() async throws {
        try await Self.with { scene in
            let reply = try await scene.get(Self.track + ".geojson", scene.anna)
            #expect(reply[header: "Content-Type"] == "application/geo+json")
            #expect(reply[header: "Content-Disposition"] == "attachment; filename=\"pond-1-track.geojson\"")
            let json = try #require(reply.json)
            #expect(json["type"]?.string == "FeatureCollection" && json["units"]?["temperature"]?.string == "F")
            let first = try #require(json["features"]?[0])
            #expect(first["type"]?.string == "Feature" && first["geometry"]?["type"]?.string == "Point")
            #expect(first["geometry"]?["coordinates"]?.array?.map { $0.number } == [16.3688, 48.2012])
            #expect(
                first["properties"]?["temperature"]?.number == 86 && first["properties"]?["accuracy"]?.integer == 120)
            #expect(json["features"]?[7]?["properties"]?["temperature"] == nil, "of that message alone")
            #expect(json["features"]?.array?.count == 12)
            let none = try await scene.get(Self.track + ".geojson?until=2020-01-01T00:00:00Z", scene.anna)
            #expect(none.json?["features"] == [])
        }
    }

    @Test func tablesHavePlacesWhereThereAreAny() async throws {
        try await Self.with { scene in
            let path = Self.device + "/readings.csv"
            let lines = try await scene.get(path, scene.anna).text.split(separator: "\r\n")
            #expect(lines[0].hasSuffix(",approved,work,latitude,longitude") && lines.count == 121)
            #expect(lines[1].hasSuffix(",48.2012,16.3688") && lines[10].hasSuffix(",48.2012,16.3688"))
            #expect(lines[11].hasSuffix(",48.2011,16.3689") && lines[120].hasSuffix(",48.2001,16.3699"))
            let late = WallClock.system.now() - .seconds(5 * 60)
            let tail = try await scene.get(path + "?from=\(late.iso8601)", scene.anna).text.split(separator: "\r\n")
            #expect(tail[0].hasSuffix(",approved,work"), "no position is of that time itself")
            try await scene.gateway.database.sql(
                "UPDATE track SET at = at - interval '3 hours' WHERE latitude <> 4820120")
            let gap = try await scene.get(path, scene.anna).text.split(separator: "\r\n")
            #expect(gap[1].hasSuffix(",48.2012,16.3688") && gap[120].hasSuffix(",,"), "two hours later nobody knows")
            try await scene.gateway.database.sql("DELETE FROM track")
            #expect(try await scene.get(path, scene.anna).text.split(separator: "\r\n")[0].hasSuffix(",approved,work"))
        }
    }

    @Test func whatIsDeletedIsGoneForEverybody() async throws {
        try await Self.with { scene in
            let deleted = try await scene.gateway.request(.DELETE, Self.track, scene.anna)
            #expect(deleted.status == 204)
            for person in [scene.anna, scene.ben] {
                #expect(try await scene.get(Self.track, person).json?["points"] == [])
                #expect(try await scene.get(Self.device, person).json?["lastPosition"] == .null)
            }
            #expect(try await scene.gateway.ask("SELECT count(*) FROM sample") == "120")
        }
    }
}
