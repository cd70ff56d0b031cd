import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// The calibration log through the API: Anna owns pond-1, Ben watches it, Eve is a stranger.
@Suite struct CalibrationRoutesTests {
    private static let path = "/api/v1/devices/pond-1/parameters/ph/calibrations"
    private static func path(_ number: Int) -> String { "\(path)/\(JournalScene.id(number))" }

    private static func entry(
        _ kind: String = "calibrate", at: String = "2026-05-01T12:00:00Z", before: Double? = nil, after: Double? = nil,
        more: [JSON.Member] = []
    ) -> JSON {
        var point: [JSON.Member] = [.init("standard", 7)]
        if let before { point.append(.init("before", .number(before))) }
        if let after { point.append(.init("after", .number(after))) }
        return .object(
            [
                .init("kind", .string(kind)), .init("at", .string(at)), .init("points", .array([.object(point)])),
            ] + more)
    }

    @Test func whatIsSentTwiceCountsOnce() async throws {
        try await JournalScene.with { scene in
            let first = try await scene.put(Self.path(1), scene.anna, Self.entry(before: 7.25, after: 7))
            #expect(first.status == 201 && first[header: "ETag"] == "\"v1\"", "\(first.text)")
            #expect(first.text.contains(#""points":[{"standard":7.0,"before":7.25,"after":7.0,"millivolts":null}]"#))
            #expect(first.json?["deviation"] == .number(0.25) && first.json?["by"]?["isMe"] == .bool(true))
            let again = try await scene.put(Self.path(1), scene.anna, Self.entry(before: 7.25, after: 7))
            #expect(again.status == 200 && again.body == first.body)

            let other = Self.entry(before: 7.3, after: 7)
            #expect(try await scene.put(Self.path(1), scene.anna, other).status == 412)
            let changed = try await scene.put(Self.path(1), scene.anna, other, ifMatch: "\"v1\"")
            #expect(changed.status == 200 && changed[header: "ETag"] == "\"v2\"")
            #expect(try await scene.put(Self.path(1), scene.anna, other, ifMatch: "\"v1\"").status == 200, "the same")
            #expect(try await scene.put(Self.path(9), scene.anna, other, ifMatch: "*").status == 404)
        }
    }

    @Test func whoWatchesReadsAndAddsButChangesNothingOfOthers() async throws {
        try await JournalScene.with { scene in
            #expect(try await scene.put(Self.path(1), scene.anna, Self.entry()).status == 201)
            #expect(try await scene.put(Self.path(2), scene.ben, Self.entry("check", before: 7.1)).status == 201)
            let shown = try await scene.get(Self.path, scene.ben)
            let isMe = [0, 1].map { shown.json?["items"]?[$0]?["by"]?["isMe"] }
            #expect(Set(isMe) == [.bool(true), .bool(false)], "\(shown.text)")
            #expect(try await scene.delete(Self.path(1), scene.ben).code == "owner-only")
            let changed = try await scene.put(Self.path(1), scene.ben, Self.entry(before: 7.1), ifMatch: "*")
            #expect(changed.code == "owner-only")
            #expect(try await scene.delete(Self.path(2), scene.anna).status == 204, "the owner may")
            #expect(try await scene.delete(Self.path(2), scene.anna).status == 404)
            for path in [Self.path, "/api/v1/devices/pond-1/calibrations"] {
                #expect(try await scene.get(path, scene.eve).status == 404)
            }
            #expect(try await scene.put(Self.path(1), scene.eve, Self.entry()).status == 404)
            let elsewhere = "/api/v1/devices/pond-2/parameters/ph/calibrations/\(JournalScene.id(1))"
            #expect(try await scene.put(elsewhere, scene.eve, Self.entry()).status == 404, "Anna's id")
            let ofAnother = "/api/v1/devices/pond-1/parameters/orp/calibrations/\(JournalScene.id(1))"
            #expect(try await scene.delete(ofAnother, scene.anna).status == 404)
        }
    }

    @Test func whatCannotBeIsRefused() async throws {
        try await JournalScene.with { scene in
            func expect(_ entry: JSON, isRefusedWith fault: String) async throws {
                let reply = try await scene.put(Self.path(1), scene.anna, entry)
                #expect(reply.status == 422 && reply.text.contains(fault), "\(reply.text)")
            }
            try await expect(Self.entry(at: "1989-12-31T23:59:59Z"), isRefusedWith: "not-a-time-of-a-calibration")
            try await expect(Self.entry(at: "2999-01-01T00:00:00Z"), isRefusedWith: "not-a-time-of-a-calibration")
            try await expect(Self.entry("check"), isRefusedWith: #""pointer":"/points/0/before""#)
            try await expect(Self.entry("check", before: 7, after: 7), isRefusedWith: "check-changes-nothing")
            try await expect(Self.entry(before: 72), isRefusedWith: "not-a-calibration-value")
            try await expect(Self.entry(more: [.init("unit", "C")]), isRefusedWith: "not-a-choice")
            let at: JSON.Member = .init("at", "2026-05-01T12:00:00Z")
            func points(_ points: JSON) -> JSON { .object([.init("kind", "calibrate"), at, .init("points", points)]) }
            try await expect(points([["standard": 7], ["standard": 7]]), isRefusedWith: "repeated")
            try await expect(points([["before": 7]]), isRefusedWith: "not-a-calibration-point")
            let four: JSON = [["standard": 4], ["standard": 7], ["standard": 9], ["standard": 10]]
            try await expect(points(four), isRefusedWith: "too-many")
            try await expect(.object([.init("kind", "check"), at]), isRefusedWith: "too-few")
        }
    }

    @Test func driftAgeAndDateFollowOfTheLog() async throws {
        try await JournalScene.with { scene in
            for (number, day) in ["2026-01-01", "2026-01-31", "2026-03-02", "2026-04-01"].enumerated() {
                let entry = Self.entry(at: "\(day)T12:00:00Z", before: number == 0 ? nil : 7.1)
                #expect(try await scene.put(Self.path(number), scene.anna, entry).status == 201)
            }
            let log = try await scene.get(Self.path, scene.ben)
            #expect(log.text.contains(#""drift":{"perMonth":0.1,"direction":"higher","checks":3,"byHand":false}"#))
            #expect(log.json?["lastCalibratedAt"] == "2026-04-01T12:00:00Z" && log.json?["grade"] == "excellent")
            #expect(log.text.contains(#""due":{"at":"2026-05-01T12:00:00Z","reason":"usual"}"#))
            #expect(log.json?["reminderDays"] == .integer(150))
            let all = try await scene.get("/api/v1/devices/pond-1/calibrations", scene.ben)
            #expect(all.json?[0]?["parameter"] == "ph" && all.json?[0]?["items"] == nil && all.json?[1] == nil)

            let journal = try await scene.get("/api/v1/journal?kinds=calibrated", scene.anna)
            #expect(journal.text.contains(#""details":{"parameter":"ph","kind":"calibrate"}"#))
        }
    }

    /// Millivolts are what the sheet's check values have: 165 and -5 mV at 25 °C are 95.8 %. They say nothing of the electrode that comes next.
    @Test func anElectrodesMillivoltsAreItsOwn() async throws {
        try await JournalScene.with { scene in
            func buffers(_ four: Double, _ day: String) -> JSON {
                [
                    "kind": "calibrate", "at": .string("\(day)T12:00:00Z"),
                    "points": [
                        ["standard": 4, "millivolts": .number(four)], ["standard": 7, "millivolts": -5],
                    ],
                ]
            }
            #expect(try await scene.put(Self.path(1), scene.anna, buffers(165, "2026-01-01")).status == 201)
            let sound = try await scene.get(Self.path, scene.anna)
            #expect(
                sound.text.contains(#""electrode":{"slope":95.8,"offset":-5.0,"worn":false,"grade":"sound"}"#),
                "\(sound.text)")
            #expect(try await scene.put(Self.path(2), scene.anna, buffers(130, "2026-02-01")).status == 201)
            #expect(try await scene.get(Self.path, scene.anna).json?["electrode"]?["worn"] == .bool(true))
            let next: JSON = ["kind": "replace", "at": "2026-02-02T12:00:00Z"]
            #expect(try await scene.put(Self.path(3), scene.anna, next).status == 201)
            #expect(try await scene.get(Self.path, scene.anna).json?["electrode"] == .null)
            let ofTemperature = "/api/v1/devices/pond-1/parameters/temperature/calibrations/\(JournalScene.id(4))"
            let refused = try await scene.put(ofTemperature, scene.anna, buffers(165, "2026-01-01"))
            #expect(refused.text.contains("millivolts-of-ph-alone"))
        }
    }

    @Test func aValueByHandBesideTheProbeIsACheck() async throws {
        try await JournalScene.with { scene in
            try await scene.gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                SELECT slot, 0, device_id, now() - interval '2 hours', now(), 7.9 FROM device WHERE hardware_id = 'pond-1';
                INSERT INTO hand_test (slot, device_id, tank_id, test_id, account_id, at)
                SELECT slot, device_id, tank_id, '\(JournalScene.id(1))'::uuid, account_id, now() - interval '2 hours 9 minutes' FROM ownership
                WHERE account_id = \(scene.anna.account)
                UNION ALL
                SELECT slot, device_id, tank_id, '\(JournalScene.id(2))'::uuid, account_id, now() - interval '2 hours 11 minutes' FROM ownership
                WHERE account_id = \(scene.anna.account);
                UPDATE ownership SET readings_from = now() - interval '1 day';
                INSERT INTO hand_value (slot, parameter, device_id, tank_id, test_id, at, value, read, unit)
                SELECT slot, 1, device_id, tank_id, test_id, at, 7.4, 7.4, 'pH' FROM hand_test
                """)
            let log = try await scene.get(Self.path, scene.anna)
            #expect(log.json?["handChecks"]?[0]?["test"]?.string == JournalScene.id(1), "\(log.text)")
            #expect(log.json?["handChecks"]?[0]?["deviation"] == .number(0.5))
            #expect(log.json?["handChecks"]?[1] == nil, "eleven minutes are too many")
            #expect(log.json?["items"]?[0] == nil, "nothing is copied")
            try await scene.gateway.database.sql(
                """
                INSERT INTO water_work (slot, device_id, tank_id, work_id, kind, begins_at, until, asked)
                SELECT slot, device_id, tank_id, '\(JournalScene.id(3))', 'cleaning', at - interval '1 minute', at + interval '1 minute', ''
                FROM hand_test WHERE test_id = '\(JournalScene.id(1))'
                """)
            #expect(try await scene.get(Self.path, scene.anna).json?["handChecks"]?[0] == nil)
        }
    }

    @Test func whatIsCorrectedStandsBesideWhatWasRead() async throws {
        try await JournalScene.with { scene in
            try await scene.gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                SELECT slot, 0, device_id, now() - interval '1 hour', now(), 8 FROM device WHERE hardware_id = 'pond-1';
                UPDATE ownership SET readings_from = now() - interval '1 day';
                INSERT INTO calibration (slot, tank_id, device_id, calibration_id, parameter, account_id, kind, at, unit, standards, befores,
                    afters, millivolts)
                SELECT slot, tank_id, device_id, '\(JournalScene.id(1))', 1, account_id, 'check', now() - interval '2 hours', 'pH', '{7}',
                    '{7.5}', '{NULL}', '{NULL}'
                FROM ownership WHERE account_id = \(scene.anna.account)
                """)
            let series = "/api/v1/devices/pond-1/parameters/ph/series"
            let plain = try await scene.get(series, scene.anna)
            #expect(plain.json?["points"]?[0]?["mean"] == .number(8), "\(plain.text)")
            #expect(plain.json?["points"]?[0]?["corrected"] == .null)
            let corrected = try await scene.get("\(series)?corrected=true", scene.ben)
            #expect(corrected.json?["points"]?[0]?["corrected"] == .number(7.5), "\(corrected.text)")
            #expect(corrected.json?["points"]?[0]?["mean"] == plain.json?["points"]?[0]?["mean"])
            #expect(corrected.json?["statistics"] == plain.json?["statistics"])

            let table = "/api/v1/devices/pond-1/readings.csv"
            let usual = try await scene.get(table, scene.anna)
            #expect(usual.text.contains(",work\r\n"))
            let lines = try await scene.get("\(table)?corrected=true", scene.anna).text.split(separator: "\r\n")
            #expect(lines.count == 2 && lines[0].hasSuffix(",work,ph_corrected") && lines[1].hasSuffix(",,7.5"))
        }
    }

    @Test func aReminderTakesThePlaceOfTheUsualMonth() async throws {
        try await JournalScene.with { scene in
            #expect(try await scene.put(Self.path(1), scene.anna, Self.entry()).status == 201)
            try await scene.gateway.database.sql(
                """
                INSERT INTO reminder (slot, tank_id, device_id, reminder_id, name, activity, every, step, at_time, zone, starts_on, since,
                    looked_at, planned_at, next_at)
                SELECT slot, tank_id, device_id, '\(JournalScene.id(5))', 'Probes', 'calibrate', 'day', 1, '08:00', 'UTC', '2026-01-01', now(),
                    now(), now(), '2998-01-01Z'
                FROM ownership WHERE account_id = \(scene.anna.account)
                """)
            let log = try await scene.get(Self.path, scene.ben)
            #expect(log.text.contains(#""due":{"at":"2998-01-01T00:00:00Z","reason":"reminder"}"#))
        }
    }

    @Test func whatAWatcherWroteStaysWithoutTheName() async throws {
        try await JournalScene.with { scene in
            #expect(try await scene.put(Self.path(1), scene.ben, Self.entry()).status == 201)
            _ = try await scene.gateway.database.sql("SELECT close_account(\(scene.ben.account))")
            #expect(try await scene.get(Self.path, scene.anna).json?["items"]?[0]?["by"] == .null)
        }
    }

    /// Whoever watches fills no log up for the others.
    @Test func aPersonWritesNoMoreInATankThanTheirBound() async throws {
        try await JournalScene.with { scene in
            try await scene.gateway.database.sql("UPDATE growth_bound SET a_day = 1 WHERE held = 'calibration'")
            #expect(try await scene.put(Self.path(1), scene.ben, Self.entry()).status == 201)
            #expect(try await scene.put(Self.path(2), scene.ben, Self.entry()).status == 429)
            #expect(try await scene.put(Self.path(3), scene.anna, Self.entry()).status == 201)
        }
    }
}
