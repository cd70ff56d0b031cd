import NIOHTTP1
import Postgres
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Tests by hand through the API: Anna owns pond-1, Ben watches it, Eve is a stranger.
@Suite struct HandTestRoutesTests {
    private static let id = "018f3c5e-7a2b-7c3d-8e4f-5a6b7c8d9e0f"

    @Test func aTestThatIsSentTwiceCountsOnce() async throws {
        try await HandScene.with { scene in
            let test = scene.test(["parameter": "ammonia", "choice": "0.5"], kit: "api-freshwater")
            let first = try await scene.put(Self.id, test, scene.anna)
            #expect(first.status == 201 && first[header: "ETag"] == "\"v1\"")
            let value = first.json?["values"]?[0]
            #expect(value?["finding"]?.string == "high", "0.375 and more is above the maximum of 0.25")
            #expect("\(first.text)".contains(#""lower":0.375,"upper":0.75,"choice":"0.5""#))
            #expect(first.json?["by"]?["isMe"] == .bool(true))
            let again = try await scene.put(Self.id, test, scene.anna)
            #expect(again.status == 200 && again.body == first.body)
            #expect(try await scene.gateway.ask("SELECT count(*) FROM hand_test") == "1")

            let other = scene.test(["parameter": "ammonia", "choice": "1"], kit: "api-freshwater")
            #expect(try await scene.put(Self.id, other, scene.anna).status == 412)
            let changed = try await scene.put(Self.id, other, scene.anna, ifMatch: "\"v1\"")
            #expect(changed.status == 200 && changed[header: "ETag"] == "\"v2\"")
            #expect(try await scene.put(Self.id, test, scene.anna, ifMatch: "\"v1\"").status == 412)
            #expect(try await scene.gateway.ask("SELECT judged_at IS NULL FROM hand_test") == "t", "told anew")
        }
    }

    /// A client that has waited too long sends the same once more, while the first still waits for the tank.
    @Test func aTestThatIsSentTwiceAtTheSameTimeCountsOnce() async throws {
        try await HandScene.with { scene in
            let database = scene.gateway.database
            let holder = try await scene.gateway.connect(.superuser)
            try await holder.executeScript(
                """
                SET idle_in_transaction_session_timeout = 0;
                BEGIN;
                SELECT take_turn(7133720, ownership_id) FROM ownership WHERE role = 'owner'
                """)
            let test = scene.test(["parameter": "ph", "value": 7.4])
            async let first = scene.put(Self.id, test, scene.anna)
            async let second = scene.put(Self.id, test, scene.anna)
            _ = try await awaitFact("both to wait") {
                try await database.sql(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                ) == "2" ? true : nil
            }
            try await holder.executeScript("COMMIT")
            let replies = try await [first, second].sorted { $0.status > $1.status }
            await holder.close()
            #expect(replies.map(\.status) == [201, 200] && replies[0].body == replies[1].body)
            #expect(try await database.sql("SELECT count(*) FROM hand_test") == "1")
        }
    }

    @Test func whoWatchesReadsAndWritesButChangesNothingOfOthers() async throws {
        try await HandScene.with { scene in
            let test = scene.test(["parameter": "ph", "value": 7.4])
            #expect(try await scene.put(Self.id, test, scene.anna).status == 201)
            let listed = try await scene.gateway.request(.GET, scene.tests, scene.ben)
            #expect(listed.json?["items"]?[0]?["by"]?["isMe"] == .bool(false))
            let other = scene.test(["parameter": "ph", "value": 7.5])
            #expect(try await scene.put(Self.id, other, scene.ben, ifMatch: "*").code == "owner-only")
            #expect(try await scene.delete(Self.id, scene.ben).code == "owner-only")

            let bens = "018f3c5e-7a2b-7c3d-8e4f-5a6b7c8d9e10"
            #expect(try await scene.put(bens, other, scene.ben).status == 201)
            #expect(try await scene.delete(bens, scene.anna).status == 204, "the owner may")
            #expect(try await scene.put(Self.id, test, scene.eve).status == 404)
            #expect(try await scene.delete(Self.id, scene.eve).status == 404)
            #expect(try await scene.gateway.request(.GET, scene.tests, scene.eve).status == 404)
        }
    }

    @Test func whatCannotBeIsRefusedAndWhatIsFarIsAskedAbout() async throws {
        try await HandScene.with { scene in
            func put(_ value: JSON, _ more: [JSON.Member] = []) async throws -> GatewayUnderTest.Reply {
                try await scene.put(Self.id, scene.test(value, more: more), scene.anna)
            }
            let impossible = try await put(["parameter": "ph", "value": 74])
            #expect(impossible.status == 422 && impossible.text.contains(#""code":"impossible-value""#))
            #expect(impossible.text.contains(#""pointer":"/values/0/value""#))
            #expect(try await put(["parameter": "ph", "choice": "7.4"]).text.contains("not-a-step-of-the-kit"))
            #expect(try await put(["parameter": "ph", "value": 7, "unit": "C"]).text.contains("not-a-choice"))
            #expect(try await put(["parameter": "ph"]).text.contains("not-a-hand-value"))
            #expect(try await put(["parameter": "ph", "value": 7.4]).status == 201)

            let second = "018f3c5e-7a2b-7c3d-8e4f-5a6b7c8d9e11"
            let slip = scene.test(["parameter": "ph", "value": 4.7])
            let asked = try await scene.put(second, slip, scene.anna)
            #expect(asked.status == 409 && asked.code == "please-confirm")
            #expect(asked.json?["values"]?[0]?["parameter"]?.string == "ph")
            let sure = scene.test(["parameter": "ph", "value": 4.7], more: [.init("confirmed", true)])
            #expect(try await scene.put(second, sure, scene.anna).status == 201)
        }
    }

    @Test(arguments: ["1989-12-31T23:59:59Z", "2999-01-01T00:00:00Z"])
    func timesThatCannotBeAreRefused(at: String) async throws {
        try await HandScene.with { scene in
            let test: JSON = ["at": .string(at), "values": [["parameter": "ph", "value": 7.4]]]
            let refused = try await scene.put(Self.id, test, scene.anna)
            #expect(refused.status == 422 && refused.text.contains("not-a-time-of-a-test"))
        }
    }

    @Test func theLastValuesSayWhatIsExpectedNext() async throws {
        try await HandScene.with { scene in
            _ = try await scene.put(Self.id, scene.test(["parameter": "ph", "value": 7.4]), scene.anna)
            let latest = try await scene.gateway.request(.GET, "\(scene.tests)/latest", scene.ben)
            let ph = latest.json?["items"]?[1]
            #expect(ph?["parameter"]?.string == "ph" && ph?["last"]?["value"]?["finding"] != nil)
            #expect(ph?["before"] == .null && latest.json?["nextDueAt"] == .null)
            #expect(latest.text.contains(#""expected":{"least":5.9,"greatest":8.9}"#))

            let path = "/api/v1/devices/pond-1/parameters/ph/by-hand?from=2025-01-01T00:00:00Z"
            let series = try await scene.gateway.request(.GET, path, scene.anna)
            #expect(series.text.contains(#""statistics":{"count":1,"mean":7.4,"minimum":7.4,"maximum":7.4}"#))
            let readings = try await scene.gateway.request(.GET, "/api/v1/devices/pond-1/readings/latest", scene.anna)
            #expect(readings.text == "[]", "a value by hand never makes a parameter live")
        }
    }

    /// A value that leaves a test leaves the one before it the newest, of which the others may have heard that it is over.
    @Test func whatLeavesATestHasTheOneBeforeJudgedAnew() async throws {
        try await HandScene.with { scene in
            let database = scene.gateway.database
            let judged = "UPDATE hand_test SET judged_at = now()"
            let waiting = """
                SELECT string_agg(extract(hour FROM at AT TIME ZONE 'UTC')::text, ' ' ORDER BY at) FROM hand_test
                WHERE judged_at IS NULL
                """
            let ph: JSON = ["parameter": "ph", "value": 7.4]
            let ammonia: JSON = ["parameter": "ammonia", "value": 0.1]
            func test(_ hour: Int, _ values: [JSON]) -> JSON {
                ["at": .string("2025-05-01T\(hour):00:00Z"), "values": .array(values)]
            }
            func id(_ number: Int) -> String { "018f3c5e-7a2b-7c3d-8e4f-5a6b7c8d9e0\(number)" }
            for (number, values) in [[ph], [ammonia], [ph, ammonia]].enumerated() {
                #expect(try await scene.put(id(number), test(10 + number, values), scene.anna).status == 201)
            }
            _ = try await database.sql(judged)
            let changed = try await scene.put(id(2), test(12, [ammonia]), scene.anna, ifMatch: "*")
            #expect(changed.status == 200)
            #expect(try await database.sql(waiting) == "10 12", "the pH of ten is the newest")

            _ = try await database.sql(judged)
            #expect(try await scene.put(id(2), test(10, [ammonia]), scene.anna, ifMatch: "*").status == 200)
            #expect(try await database.sql(waiting) == "10 11", "it is of an earlier time now")

            _ = try await database.sql(judged)
            #expect(try await scene.delete(id(1), scene.anna).status == 204)
            #expect(try await database.sql(waiting) == "10")
        }
    }

    @Test func testsAreATable() async throws {
        try await HandScene.with { scene in
            let test = scene.test(
                ["parameter": "ammonia", "choice": "0.5"], kit: "api-freshwater", more: [.init("note", "=1+1, \"x\"")])
            _ = try await scene.put(Self.id, test, scene.anna)
            let table = try await scene.gateway.request(.GET, "/api/v1/devices/pond-1/tests.csv", scene.anna)
            let lines = table.text.split(separator: "\r\n")
            #expect(lines.count == 2 && lines[0].hasPrefix("time,test,parameter,value,unit"))
            #expect(lines[1].contains("ammonia,0.5,ppm,0.5,ppm,0.375,0.75,0.5,api-freshwater,"))
            #expect(lines[1].hasSuffix(#""'=1+1, ""x""""#), "no formula")
        }
    }

    @Test func aTankHoldsNoMoreThanItsBound() async throws {
        try await HandScene.with { scene in
            _ = try await scene.gateway.database.sql("UPDATE growth_bound SET a_day = 1 WHERE held = 'hand_test'")
            let test = scene.test(["parameter": "ph", "value": 7.4])
            #expect(try await scene.put(Self.id, test, scene.anna).status == 201)
            let more = "018f3c5e-7a2b-7c3d-8e4f-5a6b7c8d9e12"
            #expect(try await scene.put(more, test, scene.ben).status == 429, "whoever of them writes it")
            #expect(try await scene.put(Self.id, test, scene.anna).status == 200)
            _ = try await scene.gateway.database.sql("UPDATE growth_bound SET in_all = 1 WHERE held = 'hand_test'")
            let full = try await scene.put(more, test, scene.ben)
            #expect(full.status == 409 && full.code == "no-room", "waiting makes no room")
        }
    }

    @Test func whatAWatcherWroteStaysWithoutTheName() async throws {
        try await HandScene.with { scene in
            _ = try await scene.put(Self.id, scene.test(["parameter": "ph", "value": 7.4]), scene.ben)
            _ = try await scene.gateway.database.sql("SELECT close_account(\(scene.ben.account))")
            let listed = try await scene.gateway.request(.GET, scene.tests, scene.anna)
            #expect(listed.json?["items"]?[0]?["by"] == .null)
        }
    }
}

private struct HandScene: Sendable {
    typealias Person = GatewayUnderTest.Person

    let gateway: GatewayUnderTest
    let anna: Person
    let ben: Person
    let eve: Person
    let tests = "/api/v1/devices/pond-1/tests"

    static func with(_ body: @Sendable @escaping (HandScene) async throws -> Void) async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            let ben = try await gateway.person("ben@example.com")
            let eve = try await gateway.person("eve@example.com")
            try await gateway.device("pond-1", of: anna)
            #expect(try await gateway.accept(gateway.invite(to: "pond-1", by: anna), ben).status == 201)
            try await body(HandScene(gateway: gateway, anna: anna, ben: ben, eve: eve))
        }
    }

    /// A test of one value, made a moment ago: always the same, however often it is asked for.
    func test(_ value: JSON, kit: String? = nil, more: [JSON.Member] = []) -> JSON {
        .object(
            [
                .init("at", "2025-05-01T12:00:00Z"), .init("values", [value]),
                .init("kit", kit.map { .string($0) } ?? .null),
            ] + more)
    }

    func put(
        _ id: String, _ test: JSON, _ person: Person, ifMatch: String? = nil
    ) async throws -> GatewayUnderTest.Reply {
        try await gateway.request(
            .PUT, "\(tests)/\(id)", person, json: test, headers: ifMatch.map { ["If-Match": $0] } ?? [:])
    }

    func delete(_ id: String, _ person: Person) async throws -> GatewayUnderTest.Reply {
        try await gateway.request(.DELETE, "\(tests)/\(id)", person)
    }
}
