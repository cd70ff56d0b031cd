import Instants
import NIOHTTP1
import Routes
import Store
import TestSupport
import Testing

@testable import Gateway

/// What is deleted, approved, listed and reported through the API: Anna owns pond-1, Ben watches it, Eve is a stranger.
@Suite struct CorrectionRoutesTests {
    private static let device = "/api/v1/devices/pond-1"

    /// The beginning of the hour so many hours ago.
    private static func hour(_ ago: Int) -> Timestamp {
        WallClock.system.now().roundedDown(to: .seconds(3_600)) - .seconds(3_600 * ago)
    }

    /// A message each minute of the four hours before the one two hours ago, at 20 °C and pH 7.
    private static func with(_ body: @Sendable @escaping (JournalScene) async throws -> Void) async throws {
        try await JournalScene.with { scene in
            try await scene.gateway.database.sql(
                """
                SELECT make_sample_partitions((now() AT TIME ZONE 'UTC')::date - 8, (now() AT TIME ZONE 'UTC')::date + 3);
                UPDATE ownership SET readings_from = now() - interval '5 days';
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature, ph)
                SELECT slot, 0, device_id, '\(hour(2))'::timestamptz - n * interval '1 minute',
                    '\(hour(2))'::timestamptz - n * interval '1 minute' + CASE n WHEN 7 THEN interval '1 hour' ELSE interval '1 s' END, 20, 7
                FROM device, generate_series(1, 240) AS n WHERE hardware_id = 'pond-1'
                """)
            try await body(scene)
        }
    }

    private static func wish(_ more: [JSON.Member], parameters: [String] = ["ph"]) -> JSON {
        .object(
            [
                .init("from", .string(hour(4).iso8601)), .init("until", .string(hour(3).iso8601)),
                .init("parameters", .array(parameters.map(JSON.string))),
            ] + more)
    }

    private static func post(
        _ scene: JournalScene, _ path: String, _ person: JournalScene.Person, _ json: JSON
    ) async throws -> JournalScene.Reply {
        try await scene.gateway.request(.POST, device + path, person, json: json)
    }

    private static func delete(
        _ scene: JournalScene, _ person: JournalScene.Person, _ more: JSON.Member..., parameters: [String] = ["ph"]
    ) async throws -> JournalScene.Reply {
        try await post(scene, "/deletions", person, wish(more, parameters: parameters))
    }

    @Test func aDryRunCountsAndTheSameNumberDeletes() async throws {
        try await Self.with { scene in
            let looked = try await Self.delete(scene, scene.anna, .init("dryRun", .bool(true)))
            #expect(looked.text == #"{"deleted":false,"messages":60,"readings":60}"#, "\(looked.text)")
            #expect(try await Self.delete(scene, scene.anna).status == 422, "the number is missing")
            #expect(try await Self.delete(scene, scene.anna, .init("readings", 59)).code == "readings-changed")
            let done = try await Self.delete(scene, scene.anna, .init("readings", 60))
            #expect(done.text == #"{"deleted":true,"messages":60,"readings":60}"#, "\(done.text)")
            let list = try await scene.get(Self.device + "/deletions", scene.ben)
            #expect(list.json?["items"]?[0]?["readings"] == .integer(60), "\(list.text)")
            #expect(list.json?["items"]?[0]?["by"]?["isMe"] == .bool(false))
            let series = try await scene.get(
                Self.device + "/parameters/ph/series?from=\(Self.hour(4).iso8601)&until=\(Self.hour(3).iso8601)",
                scene.anna)
            #expect(series.json?["statistics"]?["count"] == .integer(0))
            let whole = try await Self.delete(scene, scene.anna, .init("readings", 60), parameters: [])
            #expect(whole.json?["messages"] == .integer(60))
            let table = try await scene.get(
                Self.device + "/readings.csv?from=\(Self.hour(4).iso8601)&until=\(Self.hour(3).iso8601)", scene.anna)
            #expect(table.text.split(separator: "\r\n").count == 1, "what is empty is no message")
        }
    }

    @Test func onlyTheOwnerWithTheirPasswordDeletes() async throws {
        try await Self.with { scene in
            let dry = JSON.Member("dryRun", .bool(true))
            #expect(try await Self.delete(scene, scene.ben, dry).code == "owner-only")
            #expect(try await Self.delete(scene, scene.eve, dry).status == 404)
            #expect(try await scene.get(Self.device + "/deletions", scene.eve).status == 404)
            try await scene.gateway.age()
            #expect(try await Self.delete(scene, scene.anna, .init("readings", 60)).code == "password-needed")
            #expect(try await scene.gateway.ask("SELECT count(ph) FROM sample") == "240")
        }
    }

    @Test func anAlertSaysThatItsReadingsAreGone() async throws {
        try await Self.with { scene in
            try await scene.gateway.database.sql(
                """
                INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, closed_at,
                    closed_because, worst)
                SELECT slot, device_id, p, account_id, p + 1, 'range', 'high', '\(Self.hour(4))', '\(Self.hour(4))', now(), 'recovered', 9
                FROM ownership, generate_series(0, 1) p WHERE account_id = \(scene.anna.account);
                INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, uid, episode_id, kind, purpose, side, value, worst,
                    limit_value, opened_at, event_time, decided_at, state)
                SELECT slot, device_id, parameter, account_id, episode_id, gen_random_uuid(), episode_id, 'range', 'alarm', 'high', 9, 9, 8,
                    opened_at, opened_at, opened_at, 'delivered'
                FROM episode
                """)
            let before = try await scene.get("/api/v1/alerts", scene.anna)
            #expect(before.json?["items"]?.array?.map { $0["readingsDeletedAt"] } == [.null, .null], "\(before.text)")
            #expect(try await Self.delete(scene, scene.anna, .init("readings", 60)).status == 200)
            let after = try await scene.get("/api/v1/alerts", scene.anna)
            for alert in after.json?["items"]?.array ?? [] {
                #expect((alert["readingsDeletedAt"] == .null) == (alert["parameter"] == "temperature"), "\(alert)")
                #expect(alert["value"] == .number(9), "what was told stays told")
            }
        }
    }

    @Test func anApprovedPeriodShowsAndKeepsItsReadings() async throws {
        try await Self.with { scene in
            let body: JSON = [
                "from": .string(Self.hour(4).iso8601), "until": .string(Self.hour(3).iso8601), "note": "Compared.",
            ]
            #expect(try await Self.post(scene, "/approvals", scene.ben, body).code == "owner-only")
            #expect(try await Self.post(scene, "/approvals", scene.eve, body).status == 404)
            let made = try await Self.post(scene, "/approvals", scene.anna, body)
            #expect(made.status == 201 && made.json?["withdrawn"] == .null, "\(made.text)")
            let again = try await Self.post(scene, "/approvals", scene.anna, body)
            #expect(again.json?["id"] == made.json?["id"])
            #expect(try await Self.delete(scene, scene.anna, .init("readings", 60)).code == "period-approved")
            let table = try await scene.get(
                Self.device + "/readings.csv?from=\(Self.hour(5).iso8601)&until=\(Self.hour(3).iso8601)", scene.ben)
            let lines = table.text.split(separator: "\r\n").dropFirst()
            #expect(lines.count == 120 && lines.filter { $0.hasSuffix(",1,") }.count == 60, "\(lines.last ?? "")")

            let withdraw = "/approvals/\(made.json?["id"]?.string ?? "")/withdraw"
            let reason: JSON = ["reason": "It had slipped."]
            #expect(try await Self.post(scene, withdraw, scene.ben, reason).code == "owner-only")
            #expect(try await Self.post(scene, withdraw, scene.eve, reason).status == 404)
            let withdrawn = try await Self.post(scene, withdraw, scene.anna, reason)
            #expect(withdrawn.json?["withdrawn"]?["reason"] == "It had slipped.", "\(withdrawn.text)")
            let list = try await scene.get(Self.device + "/approvals", scene.ben)
            #expect(list.json?["items"]?.array?.count == 1, "it stays as history")
            #expect(try await Self.delete(scene, scene.anna, .init("readings", 60)).status == 200)
        }
    }

    @Test func anApprovalIsOfWholeHoursThatAreOver() async throws {
        try await Self.with { scene in
            func refused(_ from: Timestamp, _ until: Timestamp, _ fault: String) async throws {
                let body: JSON = ["from": .string(from.iso8601), "until": .string(until.iso8601)]
                let reply = try await Self.post(scene, "/approvals", scene.anna, body)
                #expect(reply.status == 422 && reply.text.contains(fault), "\(fault): \(reply.text)")
            }
            try await refused(Self.hour(4) + .seconds(60), Self.hour(3), "not-whole-hours")
            try await refused(Self.hour(4), Self.hour(-2), "period-not-over")
            try await refused(Self.hour(3), Self.hour(4), "period-empty")
            try await refused(Self.hour(4) - .seconds(400 * 86_400), Self.hour(4), "approval-too-long")
            try await refused(Self.hour(10 * 24), Self.hour(9 * 24), "before-the-tank")
        }
    }

    @Test func messagesAreListedAsTheyCame() async throws {
        try await Self.with { scene in
            let path = Self.device + "/messages"
            let first = try await scene.get(path + "?limit=100", scene.anna)
            #expect(first.json?["items"]?.array?.count == 100, "\(first.text)")
            #expect(first.json?["items"]?[0]?["time"]?.string == (Self.hour(2) - .seconds(60)).iso8601)
            #expect(first.json?["items"]?[0]?["values"]?[1]?["value"] == .number(7))
            var (seen, next) = (100, first.json?["next"]?.string)
            while let cursor = next {
                let page = try await scene.get(path + "?limit=100&cursor=\(cursor)", scene.anna)
                seen += page.json?["items"]?.array?.count ?? 0
                next = page.json?["next"]?.string
            }
            #expect(seen == 240, "each once")
            let late = try await scene.get(path + "?only=late", scene.anna)
            #expect(
                late.json?["items"]?.array?.count == 1 && late.json?["items"]?[0]?["delay"] == .integer(3_600),
                "\(late.text)")
            #expect(try await scene.get(path + "?only=history", scene.anna).json?["items"]?[0] == nil)
            #expect(try await scene.get(path + "?parameter=nitrate", scene.anna).json?["items"]?[0] == nil)
            let part = "?from=\(Self.hour(4).iso8601)&until=\(Self.hour(3).iso8601)&limit=200"
            #expect(try await scene.get(path + part, scene.anna).json?["items"]?.array?.count == 60)
            #expect(try await Self.delete(scene, scene.anna, .init("readings", 60)).status == 200)
            let deleted = try await scene.get(path + "?only=deleted&limit=200", scene.anna)
            #expect(deleted.json?["items"]?.array?.count == 60 && deleted.json?["items"]?[0]?["deleted"]?[0] == "ph")
            #expect(try await scene.get(path, scene.eve).status == 404)
        }
    }

    @Test func aReportHasAChecksumThatChangesWithWhatItSays() async throws {
        try await Self.with { scene in
            let path = Self.device + "/report?from=\(Self.hour(6).iso8601)&until=\(Self.hour(2).iso8601)"
            let first = try await scene.get(path, scene.anna)
            #expect(first.status == 200, "\(first.text)")
            let report = first.json?["report"]
            #expect(report?["hours"] == .integer(4) && report?["approvedHours"] == .integer(0))
            let ph = report?["parameters"]?.array?.first { $0["parameter"] == "ph" }
            #expect(ph?["count"] == .integer(240) && ph?["mean"] == .number(7) && ph?["least"] == .number(7))
            let sum = try #require(first.json?["checksum"]?.string)
            // As anybody computes it who has the answer.
            let start = try #require(first.text.firstRange(of: "{\"report\":")?.upperBound)
            let end = try #require(first.text.firstRange(of: ",\"checksum\":")?.lowerBound)
            let bytes = try await scene.gateway.ask(
                "SELECT encode(sha256(convert_to($report$\(first.text[start..<end])$report$, 'UTF8')), 'hex')")
            #expect(bytes == sum)
            let same = try await scene.get(path + "&checksum=\(sum)", scene.anna)
            #expect(same.json?["matches"] == .bool(true) && same.json?["checksum"]?.string == sum)

            let body: JSON = ["from": .string(Self.hour(6).iso8601), "until": .string(Self.hour(4).iso8601)]
            #expect(try await Self.post(scene, "/approvals", scene.anna, body).status == 201)
            let approved = try await scene.get(path + "&checksum=\(sum)", scene.anna)
            #expect(
                approved.json?["report"]?["approvedHours"] == .integer(2) && approved.json?["matches"] == .bool(false))
            #expect(try await Self.delete(scene, scene.anna, .init("readings", 60)).status == 200)
            let deleted = try await scene.get(path, scene.anna)
            #expect(deleted.json?["report"]?["deletions"]?.array?.count == 1)
            let rest = deleted.json?["report"]?["parameters"]?.array?.first { $0["parameter"] == "ph" }
            #expect(rest?["count"] == .integer(180), "\(deleted.text)")

            #expect(try await scene.get(path, scene.eve).status == 404)
            let odd = Self.device + "/report?from=\((Self.hour(6) + .seconds(1)).iso8601)&until=\(Self.hour(2).iso8601)"
            #expect(try await scene.get(odd, scene.anna).text.contains("not-whole-hours"))
            let open = Self.device + "/report?from=\(Self.hour(6).iso8601)&until=\(Self.hour(-1).iso8601)"
            #expect(try await scene.get(open, scene.anna).text.contains("period-not-over"))
        }
    }
}
