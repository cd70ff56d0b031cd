import NIOHTTP1
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Back-tests of limits over HTTP.
@Suite(.timeLimit(.minutes(10))) struct BackTestRoutesTests {
    private static let path = "/api/v1/devices/tank-1/parameters/temperature/back-test"

    /// Anna's tank: for five days a value every minute, 20 °C, and each noon for an hour 24.5, 25.5, 26.5, 27.5 and
    /// 28.5 °C.
    private static func with(
        _ adjust: GatewayUnderTest.Adjustment = { _ in },
        _ body: @Sendable @escaping (GatewayUnderTest, GatewayUnderTest.Person) async throws -> Void
    ) async throws {
        try await GatewayUnderTest.with(adjust) { gateway in
            let anna = try await gateway.person("anna@example.com")
            try await gateway.link("tank-1", to: anna)
            try await gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, now() - interval '5 days' + n * interval '1 minute', now(),
                    CASE WHEN n % 1440 BETWEEN 700 AND 759 THEN 24.5 + n / 1440 ELSE 20 END
                FROM device, generate_series(0, 5 * 1440 - 1) AS n
                """)
            try await body(gateway, anna)
        }
    }

    @Test func eachLimitTellsItsAlarms() async throws {
        try await Self.with { gateway, anna in
            let reply = try await gateway.request(.GET, Self.path + "?maximum=24,25.04,26,30,none", anna)
            #expect(reply.status == 200, "\(reply.text)")
            let json = try #require(reply.json)
            #expect(json["unit"]?.string == "C" && json["readings"]?.integer == 7_200)
            #expect(json["tooNew"]?.bool == false)
            let results = try #require(json["results"]?.array)
            #expect(results.map { $0["maximum"]?.number } == [24, 25, 26, 30, nil])
            #expect(results.map { $0["minimum"]?.number } == [12, 12, 12, 12, 12])
            #expect(results.map { $0["alarms"]?.integer } == [5, 4, 3, 0, 0])
            // Each lasts an hour, with a reminder after half an hour.
            #expect(results.map { $0["reminders"]?.integer } == [5, 4, 3, 0, 0])
            let times = try #require(results[2]["times"]?.array)
            #expect(times.map { $0["value"]?.number } == [26.5, 27.5, 28.5])
            #expect(times.allSatisfy { $0["side"]?.string == "high" })
            let told = try #require(times[0]["time"]?.string)
            #expect(
                try await gateway.ask("SELECT temperature FROM sample WHERE event_time = '\(told)'") == "26.5")
        }
    }

    /// 86,400 readings by ten limits.
    @Test func aMonthIsReadInPiecesAndTriedAtOnce() async throws {
        // A busy machine takes longer than people would wait.
        let patient = GatewayUnderTest.adjusting { $0.settings.patience = .seconds(600) }
        try await GatewayUnderTest.with(patient) { gateway in
            let anna = try await gateway.person("anna@example.com")
            try await gateway.link("tank-1", to: anna)
            // For an hour of each day the temperature is the day's number.
            try await gateway.database.sql(
                """
                SELECT make_sample_partitions((now() AT TIME ZONE 'UTC')::date - 31, (now() AT TIME ZONE 'UTC')::date + 1);
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, now() - n * interval '30 seconds', now(),
                    CASE WHEN n % 2880 < 120 THEN 1 + n / 2880 ELSE 0 END
                FROM device, generate_series(0, 30 * 2880 - 1) AS n
                """)
            let limits = (1...10).map { "\($0 + 12)" }.joined(separator: ",")
            let reply = try await gateway.request(.GET, Self.path + "?minimum=none&maximum=\(limits)", anna)
            #expect(reply.status == 200, "\(reply.text)")
            let readings = try #require(reply.json?["readings"]?.integer)
            #expect((86_000...86_400).contains(readings))
            let alarms = try #require(reply.json?["results"]?.array).map { $0["alarms"]?.integer }
            #expect(alarms == (13...22).map { Int64(max(0, 30 - $0)) })
        }
    }

    @Test func withoutLimitsThoseThatHoldAreTried() async throws {
        try await Self.with { gateway, anna in
            try await gateway.database.sql(
                "UPDATE setting SET unit = 'F', maximum = 260; UPDATE account SET throttle_seconds = 600")
            let json = try #require(try await gateway.request(.GET, Self.path + "?times=1", anna).json)
            #expect(json["unit"]?.string == "F" && json["results"]?.array?.count == 1)
            #expect(json["results"]?[0]?["maximum"]?.number == 78.8)
            #expect(json["results"]?[0]?["alarms"]?.integer == 3)
            // The person's own interval gives five in each hour.
            #expect(json["results"]?[0]?["reminders"]?.integer == 15)
            #expect(json["results"]?[0]?["times"]?.array?.map { $0["value"]?.number } == [83.3])
            let tried = try #require(try await gateway.request(.GET, Self.path + "?maximum=80&days=2", anna).json)
            #expect(tried["results"]?[0]?["maximum"]?.number == 80.1)
            #expect(tried["results"]?[0]?["alarms"]?.integer == 2)
            // Allows for the time that has passed since the readings were made.
            let readings = try #require(tried["readings"]?.integer)
            #expect((2_760..<2_880).contains(readings))
        }
    }

    @Test func theOperatorsIntervalCountsWhereThePersonHasNone() async throws {
        let adjust = GatewayUnderTest.adjusting { $0.policy.throttle = .seconds(1_200) }
        try await Self.with(adjust) { gateway, anna in
            let json = try #require(try await gateway.request(.GET, Self.path + "?maximum=28", anna).json)
            #expect(json["results"]?[0]?["alarms"]?.integer == 1)
            #expect(json["results"]?[0]?["reminders"]?.integer == 2)
        }
    }

    @Test func onlyWhatIsThePersonsAndIsDecidedCounts() async throws {
        try await Self.with { gateway, anna in
            // Three of the noons are from before the device was Anna's, and one was never evaluated.
            try await gateway.database.sql(
                """
                UPDATE ownership SET readings_from = now() - interval '2 days';
                UPDATE sample SET flags = 2 WHERE temperature = 28.5
                """)
            let json = try #require(try await gateway.request(.GET, Self.path, anna).json)
            let readings = try #require(json["readings"]?.integer)
            #expect((2_700..<2_820).contains(readings))
            #expect(json["results"]?[0]?["alarms"]?.integer == 1)
            let bob = try await gateway.person("bob@example.com")
            #expect(try await gateway.request(.GET, Self.path, bob).status == 404)
            #expect(try await gateway.request(.GET, Self.path).status == 401)
            try await gateway.database.sql("UPDATE ownership SET unlinked_at = now()")
            #expect(try await gateway.request(.GET, Self.path, anna).status == 404)
        }
    }

    @Test func aFewHoursAreTooNew() async throws {
        try await Self.with { gateway, anna in
            try await gateway.database.sql("DELETE FROM sample WHERE event_time < now() - interval '23 hours'")
            #expect(try await gateway.request(.GET, Self.path, anna).json?["tooNew"]?.bool == true)
            try await gateway.database.sql("DELETE FROM sample")
            let json = try #require(try await gateway.request(.GET, Self.path, anna).json)
            #expect(json["tooNew"]?.bool == true && json["since"] == .null && json["readings"]?.integer == 0)
        }
    }

    @Test(arguments: [
        ("maximum=", "maximum"), ("maximum=1e1", "maximum"), ("maximum=20,", "maximum"), ("minimum=-", "minimum"),
        ("minimum=2.", "minimum"), ("minimum=" + Array(repeating: "1", count: 26).joined(separator: ","), "minimum"),
        ("minimum=12,13&maximum=24,25", "maximum"), ("minimum=24", "minimum"), ("maximum=12", "maximum"),
        ("maximum=40.1", "maximum"), ("minimum=-99", "minimum"), ("days=31", "days"), ("times=101", "times"),
    ]) func whatMakesNoSenseIsRefused(_ query: String, _ input: String) async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            try await gateway.link("tank-1", to: anna)
            let reply = try await gateway.request(.GET, Self.path + "?" + query, anna)
            #expect(reply.status == 422, "\(reply.text)")
            #expect(reply.json?["errors"]?[0]?["parameter"]?.string == input)
        }
    }

    @Test func whereNoneMayRunTheClientIsToldToWait() async throws {
        let adjust = GatewayUnderTest.adjusting { $0.settings.backTests.running = 0 }
        try await Self.with(adjust) { gateway, anna in
            let reply = try await gateway.request(.GET, Self.path, anna)
            #expect(reply.status == 429 && reply[header: "Retry-After"] == "1")
        }
    }
}
