import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor
@testable import Store

/// QARTOD's flags are stored with the roll-ups.
@Suite struct ReviewTests {
    private typealias Found = [StoredWater.Key: FlaggedValues]

    private static func flags(_ table: String, _ fixture: UpkeepFixture) async throws -> Found {
        var found: Found = [:]
        let rows =
            table == "sample_hour"
            ? try await fixture.store.owner.execute(ReadHourFlags())
            : try await fixture.store.owner.execute(ReadDayFlags())
        for row in rows {
            for (parameter, flagged) in zip(Parameter.allCases, row.flagged) {
                guard let flagged else { continue }
                let key = StoredWater.Key(device: row.device, start: row.start, parameter: parameter)
                found[key] = FlaggedValues(rawValue: flagged)
            }
        }
        return found
    }

    /// The flags of all values of every tested day, without a screen.
    private static func expected(
        _ water: [Sample.Key: Readings], _ fixture: UpkeepFixture
    ) async throws -> (hours: Found, days: Found) {
        var (hours, days): (Found, Found) = ([:], [:])
        let progress = try await fixture.progress()
        for device in fixture.store.devices {
            let mine = water.filter { $0.key.slot == device.slot && $0.key.device == device.device }
                .sorted { $0.key.eventTime < $1.key.eventTime }
            var day = fixture.start - .seconds(86_400)
            while day + .seconds(38 * 3_600) <= progress[device.slot]! {
                for parameter in Parameter.allCases {
                    var review = DayReview(of: day, parameter.qualityThresholds)
                    for (key, readings) in mine where DayReview.window(of: day).contains(key.eventTime) {
                        if let value = readings[parameter] { review.add(value, at: key.eventTime) }
                    }
                    for (hour, flagged) in review.found {
                        let start = day + .seconds(3_600 * hour)
                        hours[StoredWater.Key(device: device, start: start, parameter: parameter)] = flagged
                        days[
                            StoredWater.Key(device: device, start: day, parameter: parameter),
                            default: .notEvaluated
                        ].add(flagged)
                    }
                }
                day = day + .seconds(86_400)
            }
        }
        return (hours, days)
    }

    /// Three days of water, calm except for glitches and a probe that is frozen at times.
    private static func water(_ fixture: UpkeepFixture, _ random: inout SeededGenerator) -> [Sample] {
        var samples: [Sample] = []
        for device in fixture.store.devices.indices {
            var values: [Parameter: Float] = [.temperature: 21, .ph: 7.5, .nitrate: 20, .dissolvedOxygen: 8]
            var time = fixture.start + .seconds(60)
            var frozen = time
            while time < .now - .seconds(3_600) {
                if Int.random(in: 0..<150, using: &random) == 0 {
                    frozen = time + .seconds(3_600 * Int.random(in: 5...13, using: &random))
                }
                if time > frozen {
                    values[.temperature]? += Float(Int.random(in: -2...2, using: &random)) / 16
                    values[.dissolvedOxygen]? += Float(Int.random(in: -2...2, using: &random)) / 10
                }
                var told = values
                if Int.random(in: 0..<60, using: &random) == 0 {
                    let parameter = values.keys.sorted { $0.rawValue < $1.rawValue }.randomElement(using: &random)!
                    let height: Float = [1, 5, 40].randomElement(using: &random) ?? 1
                    told[parameter]? += height * Float.random(in: -1...1, using: &random)
                }
                // A jump in every twentieth sample, so that even a short series has findings.
                if samples.count.isMultiple(of: 20) { told[.ph]? += 3 }
                if Bool.random(using: &random) { told[.nitrate] = nil }
                samples.append(fixture.sample(device, at: time, told))
                time = time + .seconds(Int.random(in: 300...2_400, using: &random))
            }
        }
        return samples
    }

    /// Whatever arrives in whatever order, with upkeep in between: in the end the roll-ups hold the flags of all
    /// values.
    @Test(arguments: [UInt64(1), 2, 3]) func rollUpsHoldWhatIsFoundOfAllValues(_ seed: UInt64) async throws {
        try await UpkeepFixture.with(devices: ["tank-1", "tank-2"]) { fixture in
            try await fixture.store.withWriter { writer in
                var random = SeededGenerator(seed: seed)
                let samples = Self.water(fixture, &random)
                var stored: [Sample.Key: Readings] = [:]
                // Some samples arrive late and in random order, when hours and days of the others have been tested.
                let late = samples.indices.filter { _ in Int.random(in: 0..<6, using: &random) == 0 }
                let early = Set(samples.indices).subtracting(late).sorted()
                let parts = [early, late.shuffled(using: &random)]
                for part in parts {
                    for start in stride(from: 0, to: part.count, by: 150) {
                        let batch = part[start..<min(start + 150, part.count)].map { samples[$0] }
                        for sample in batch { stored[sample.key] = sample.readings }
                        _ = try await writer.write(
                            BatchTransaction(samples: batch, statuses: [], rejects: []), carefully: true)
                        for _ in 0..<Int.random(in: 0...20, using: &random) {
                            try await fixture.step(RollUpStep.Reason.allCases.randomElement(using: &random) ?? .late)
                            if Bool.random(using: &random) { try await fixture.review() }
                        }
                    }
                    try await fixture.rollUp()
                    let expected = try await Self.expected(stored, fixture)
                    #expect(expected.hours.count > 10 && expected.days.count > 2)
                    #expect(try await Self.flags("sample_hour", fixture) == expected.hours)
                    #expect(try await Self.flags("sample_day", fixture) == expected.days)
                }
                let findings = Set(try await Self.flags("sample_hour", fixture).values.map(\.finding))
                #expect(findings.count >= 2, "\(findings)")
                #expect(try await fixture.store.count("count(*) FROM quality_due") == 0)
            }
        }
    }

    /// A day waits until its whole window is rolled up; a spike that a late value explains loses its flag.
    @Test func aDayIsJudgedWhenItIsKnownAndOnceMoreWhenSomethingCame() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let day = fixture.start
            let values: [Float] = [20, 20, 21, 20]
            let samples = values.enumerated().map {
                fixture.sample(0, at: day + .seconds(5 * 3_600 + 900 * $0.offset), [.temperature: $0.element])
            }
            try await fixture.store.owner.perform(InsertNewSamples(samples))
            for _ in 0..<37 { try await fixture.step(.ended) }
            #expect(try await fixture.store.count("count(*) FROM quality_due") == 0)
            #expect(try await fixture.review() == 0)
            // No day becomes due when a late reading arrives before that, either.
            let early = fixture.sample(0, at: day + .seconds(5 * 3_600 + 3_500), [.temperature: 20])
            try await fixture.store.owner.perform(InsertNewSamples([early]))
            try await fixture.store.owner.perform(MarkHoursDue(DueHour.among([early], began: .now)))
            try await fixture.step(.late)
            #expect(try await fixture.store.count("count(*) FROM quality_due") == 0)
            try await fixture.step(.ended)
            #expect(try await fixture.store.count("count(*) FROM quality_due") == 1)
            #expect(try await fixture.review() == 1)
            let found = "coalesce(temperature_flagged, -1) FROM sample_"
            #expect(try await fixture.store.count(found + "hour") == 1 << 3 | 1)
            #expect(try await fixture.store.count(found + "day") == 1 << 3 | 1)
            let late = fixture.sample(0, at: day + .seconds(5 * 3_600 + 2_000), [.temperature: 20.8])
            try await fixture.store.owner.perform(InsertNewSamples([late]))
            try await fixture.store.owner.perform(MarkHoursDue(DueHour.among([late], began: .now)))
            try await fixture.step(.late)
            #expect(try await fixture.review() == 1)
            #expect(try await fixture.store.count(found + "hour") == -1)
            #expect(try await fixture.store.count(found + "day") == -1)
        }
    }

    /// Values flagged as frozen are tested again after a late value, although their hours raise no suspicion any more.
    @Test func whatALateValueExplainsIsFlaggedNoLonger() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let samples = (0..<60).map { (index: Int) -> Sample in
                let moves = !(20..<48).contains(index)
                return fixture.sample(
                    0, at: fixture.start + .seconds(900 * index),
                    [.temperature: 21 + (moves ? Float(index % 2) / 10 : 0)])
            }
            try await fixture.store.owner.perform(InsertNewSamples(samples))
            try await fixture.rollUp()
            #expect(try await fixture.store.count("count(temperature_flagged) FROM sample_hour") == 8)
            let late = fixture.sample(0, at: fixture.start + .seconds(900 * 34 + 60), [.temperature: 21.2])
            try await fixture.store.owner.perform(InsertNewSamples([late]))
            try await fixture.store.owner.perform(MarkHoursDue(DueHour.among([late], began: .now)))
            try await fixture.rollUp()
            #expect(try await fixture.store.count("count(temperature_flagged) FROM sample_hour") == 0)
            #expect(try await fixture.store.count("count(temperature_flagged) FROM sample_day") == 0)
        }
    }

    /// Hours rolled up before there were flags, or waiting for them, are told apart from good ones.
    @Test func aPersonSeesWhatWasFound() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let hour = RollUpSchedule.hour
            let count = Int((Timestamp.now - fixture.start) / .seconds(1_800)) - 2
            let samples = (0..<count).map { (index: Int) -> Sample in
                let value: Float = index == 60 || index == count - 10 ? 27 : 20 + Float(index % 2) / 10
                return fixture.sample(0, at: fixture.start + .seconds(1_800 * index), [.temperature: value])
            }
            try await fixture.store.owner.perform(InsertNewSamples(samples))
            for reason in RollUpStep.Reason.allCases { while try await fixture.step(reason) {} }
            try await SeriesComparison.with(fixture) { person in
                let period = fixture.start..<fixture.start + hour * 48
                let waiting = try await person.series(of: 0, .temperature, in: period, points: 2_000, mostRows: 60)
                #expect(waiting.resolution == .hour && waiting.points.count == 48)
                #expect(waiting.points.allSatisfy { $0.quality == .notEvaluated && $0.greatest.time == $0.time })
                while try await fixture.review() > 0 {}
                let series = try await person.series(of: 0, .temperature, in: period, points: 2_000, mostRows: 60)
                #expect(series.points.count == 48)
                #expect(series.points.allSatisfy { $0.greatest.time == $0.time }, "of hours")
                #expect(series.points.map(\.quality) == (0..<48).map { $0 == 30 ? .fail : .pass })
                #expect(series.points[30].finding == .spike && series.points[30].flaggedCount == 1)
                let days = try await person.series(of: 0, .temperature, in: period, points: 2_000, mostRows: 2)
                #expect(days.resolution == .day && days.points.map(\.quality) == [.pass, .fail])
                #expect(days.points[1].finding == .spike && days.points[1].flaggedCount == 1)
                let all = try await person.series(
                    of: 0, .temperature, in: fixture.start ..< .now, points: 2_000, mostRows: 200)
                #expect(
                    all.resolution == .hour && all.points.filter { $0.quality == .fail }.count == 1, "not to this hour")
                try await fixture.store.database.sql(
                    "UPDATE rollup_progress SET judged_since = '\(fixture.start + hour * 24)'")
                let before = try await person.series(of: 0, .temperature, in: period, points: 2_000, mostRows: 60)
                #expect(before.points.prefix(24).allSatisfy { $0.quality == .notEvaluated })
                #expect(before.points.dropFirst(24).map(\.quality) == series.points.dropFirst(24).map(\.quality))
            }
        }
    }

    /// Nonsense all day long costs only its own device: such days are tested one a transaction, together with the
    /// others, and not at all beyond a bound.
    @Test func whoSendsNonsenseKeepsNobodyWaiting() async throws {
        try await UpkeepFixture.with { fixture in
            let samples = fixture.store.devices.indices.flatMap { device in
                (0..<100).map { (index: Int) -> Sample in
                    let value: Float = device == 1 ? 20 + Float(index % 2) / 10 : Float(index % 2 * 30)
                    return fixture.sample(device, at: fixture.start + .seconds(600 * index), [.temperature: value])
                }
            }
            try await fixture.store.owner.perform(InsertNewSamples(samples))
            for reason in RollUpStep.Reason.allCases { while try await fixture.step(reason) {} }
            try await fixture.store.database.sql(
                """
                DELETE FROM quality_due WHERE day <> '\(fixture.start)';
                UPDATE quality_due SET since = now() + device_id * interval '1 second'
                """)
            var limits = ReviewStep.Limits()
            limits.messages = 1
            let turns = [
                try await fixture.review(limits), try await fixture.review(limits), try await fixture.review(limits),
            ]
            #expect(turns == [1, 2, 0], "the calm one comes with the second of the others")
            let flagged = try await Self.flags("sample_hour", fixture)
            #expect(Set(flagged.keys.map(\.device)).count == 2)
            // Beyond the bound nothing is tested; earlier flags stay.
            (limits.messages, limits.messagesOfDay) = (1_000, 50)
            try await fixture.store.database.sql(
                "UPDATE sample_hour SET temperature_flagged = NULL WHERE device_id = 3")
            try await fixture.store.database.sql("UPDATE sample_day SET temperature_flagged = NULL WHERE device_id = 3")
            try await fixture.store.database.sql(
                "INSERT INTO quality_due SELECT slot, device_id, '\(fixture.start)' FROM device")
            #expect(try await fixture.review(limits) == 3)
            let third = fixture.store.devices[2]
            let unknown = try await Self.flags("sample_hour", fixture)
            var expected = flagged
            for key in flagged.keys where key.device == third { expected[key] = .notEvaluated }
            #expect(unknown == expected)
            let day = try await Self.flags("sample_day", fixture)
            #expect(day.count == 2 && day.allSatisfy { ($0.key.device == third) == ($0.value == .notEvaluated) })
        }
    }

    /// A day is no longer tested if messages of its window may be gone, or after a week, and its flags stay.
    @Test(arguments: [
        "SELECT drop_samples()", "UPDATE quality_due SET since = now() - interval '169 hours'",
    ]) func aDayThatCannotBeJudgedIsGivenUp(_ change: String) async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let samples = (0..<100).map {
                fixture.sample(0, at: fixture.start + .seconds(600 * $0), [.temperature: Float($0 % 2 * 30)])
            }
            try await fixture.store.owner.perform(InsertNewSamples(samples))
            for reason in RollUpStep.Reason.allCases { while try await fixture.step(reason) {} }
            try await fixture.store.database.sql(
                """
                DELETE FROM quality_due WHERE day <> '\(fixture.start)';
                UPDATE sample_hour SET temperature_flagged = 21 WHERE starts_at = '\(fixture.start)';
                CREATE FUNCTION drop_samples() RETURNS void LANGUAGE plpgsql AS $$
                DECLARE old text;
                BEGIN
                    FOR old IN SELECT relname FROM pg_class
                        WHERE relispartition AND relkind = 'r' AND relname >= 'sample_0'
                            AND relname < 'sample_' || to_char('\(fixture.start)'::timestamptz AT TIME ZONE 'UTC', 'YYYYMMDD')
                    LOOP EXECUTE format('DROP TABLE %I', old); END LOOP;
                END $$
                """, as: .owner)
            try await fixture.store.database.sql(change, as: .owner)
            #expect(try await fixture.review() == 1)
            #expect(try await fixture.store.count("count(*) FROM quality_due") == 0)
            let hours = try await Self.flags("sample_hour", fixture)
            #expect(hours.count == 17 && hours.values.filter { $0 == .notEvaluated }.count == 16)
            #expect(hours.first { $0.key.start == fixture.start }?.value.rawValue == 21)
            #expect(try await Self.flags("sample_day", fixture).values.allSatisfy { $0 == .notEvaluated })
        }
    }

    /// Another owner's values are never compared with the owner's.
    @Test func aDayIsJudgedByItsOwnersValuesAlone() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let linked = fixture.start + .seconds(12 * 3_600 + 600)
            let samples = (0..<144).map { (index: Int) -> Sample in
                let time = fixture.start + .seconds(600 * index)
                return fixture.sample(0, at: time, [.temperature: (time < linked ? 26 : 12) + Float(index % 2) / 10])
            }
            try await fixture.store.owner.perform(InsertNewSamples(samples))
            let key = fixture.store.devices[0]
            for (name, from, until) in [("anna", fixture.start, "'\(linked)'"), ("ben", linked, "NULL")] {
                let person = AddAccount(
                    email: "\(name)@example.org", passwordHash: "scrypt$test", locale: "en", timeZone: "UTC")
                let account = try #require(try await fixture.store.owner.execute(person).first)
                try await fixture.store.database.sql(
                    """
                    INSERT INTO ownership (slot, device_id, account_id, role, name, linked_at, unlinked_at)
                    VALUES (\(key.slot.rawValue), \(key.device.rawValue), \(account.rawValue), 'owner', 'Pond', '\(from)', \(until))
                    """, as: .owner)
            }
            try await fixture.rollUp()
            #expect(try await Self.flags("sample_hour", fixture).isEmpty)
            // Within one owner's time it is a jump.
            try await fixture.store.database.sql(
                """
                DELETE FROM ownership;
                INSERT INTO quality_due SELECT slot, device_id, '\(fixture.start)' FROM device
                """, as: .owner)
            #expect(try await fixture.review() == 1)
            #expect(try await Self.flags("sample_hour", fixture).values.map(\.finding).contains(.rate))
        }
    }

    /// When a whole slot's hour is rolled up again, only days of devices with new readings are tested again.
    @Test func onlyWhatChangedIsLookedAtAgain() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let key = fixture.store.devices[0]
            try await fixture.store.database.sql(
                """
                INSERT INTO device (slot, hardware_id, claim_code_hash) VALUES (\(key.slot.rawValue), 'tank-2', sha256(''));
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                    SELECT slot, 0, device_id, '\(fixture.start + .seconds(60))', now(), 7 FROM device
                """, as: .owner)
            try await fixture.rollUp()
            #expect(try await fixture.store.count("count(*) FROM sample_day") == 2)
            let late = fixture.sample(0, at: fixture.start + .seconds(120))
            try await fixture.store.owner.perform(InsertNewSamples([late]))
            try await fixture.store.owner.perform(
                MarkHoursDue([DueHour(slot: key.slot, device: nil, start: fixture.start)]))
            while try await fixture.step(.late) {}
            #expect(
                try await fixture.store.database.sql("SELECT DISTINCT device_id FROM quality_due")
                    == "\(key.device.rawValue)")
        }
    }

    /// Only one Ingestor works on the roll-ups at a time.
    @Test func daysAreJudgedByOneAtATime() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let key = fixture.store.devices[0]
            try await fixture.store.database.sql(
                "INSERT INTO quality_due VALUES (\(key.slot.rawValue), \(key.device.rawValue), '\(fixture.start)')")
            let other = try await PostgresConnection.connect(
                StoreFixture.configuration(fixture.store.database, .ingestor))
            try await other.executeScript("BEGIN; SELECT pg_advisory_xact_lock(7133703)")
            #expect(try await fixture.review() == 0)
            try await other.executeScript("COMMIT")
            #expect(try await fixture.review() == 1)
            await other.close()
        }
    }

    @Test(arguments: [
        (0, [-1, 0]), (9, [-1, 0]), (10, [-1, 0, 1]), (13, [-1, 0, 1]), (14, [0, 1]), (23, [0, 1]),
    ]) func anHourBearsOnTheDaysAround(_ hour: Int, _ days: [Int]) {
        let day = Timestamp.noon - .seconds(12 * 3_600)
        #expect(JudgedDays.around(day + .seconds(3_600 * hour)) == days.map { day + .seconds(86_400 * $0) })
        let completed = JudgedDays.completed(by: day + .seconds(3_600 * hour))
        #expect(completed == (hour == 13 ? [day - .seconds(86_400)] : []))
        #expect(
            JudgedDays.end(rolledUpUntil: day + .seconds(3_600 * (hour + 1)))
                == (hour >= 13 ? day : day - .seconds(86_400)))
    }
}
