import Instants
import Postgres
import Store
import Synchronization
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Values that change faster than a person accepts, from a batch to alerts. The default limits of temperature are 12
/// and 24, and the limit of change is three degrees in an hour.
struct RateTests {
    private static let policy = AlertPolicy(staleAfter: .seconds(86_400))
    private static let start = Timestamp.now.roundedDown(to: .seconds(60)) - .seconds(6 * 3_600)

    private static func minute(_ minute: Int) -> Timestamp { start + .seconds(60 * minute) }

    /// 18 degrees, from minute 10 on rising by a tenth each minute up to 22, and from minute 150 on falling again.
    private static func value(_ minute: Int) -> Float {
        Float(180 + max(0, min(40, minute - 10)) - max(0, min(40, minute - 150))) / 10
    }

    private func run(
        _ fixture: EngineFixture, minutes: Range<Int>, sizes: [Int] = [1], _ memories: [SharedMemory],
        value: (Int) -> Float = value
    ) async throws {
        try await fixture.decide(minutes, since: Self.start, sizes: sizes, memories, Self.policy, value: value)
    }

    private func told(_ fixture: EngineFixture) async throws -> String {
        try await fixture.sql(
            """
            SELECT string_agg(concat_ws(' ', kind, purpose,
                round(extract(epoch FROM event_time - '\(Self.start.iso8601)') / 60), round(change::numeric, 1),
                change_seconds / 60, round(value::numeric, 1), round(limit_value::numeric, 1)), ', ' ORDER BY alert_id)
            FROM alert
            """)
    }

    @Test(arguments: [[1], [7, 1, 30], [200]]) func itIsToldOnceEachWayHoweverReadingsAreBatched(
        sizes: [Int]
    ) async throws {
        try await EngineFixture.with { fixture in
            try await fixture.limitChange()
            try await run(fixture, minutes: 0..<200, sizes: sizes, [SharedMemory()])
            #expect(
                try await told(fixture) == "rate alarm 42 3.1 31 21.1 3.0, rate alarm 182 -3.1 31 18.9 3.0")
            #expect(
                try await fixture.sql(
                    "SELECT kind, parameter, side, closed_at IS NULL FROM episode ORDER BY episode_id")
                    == "rate|0||f\nrate|0||t")
            #expect(
                try await fixture.sql("SELECT reason, notification FROM transition ORDER BY transition_id")
                    == "opened|alerted\nrecovered|none\nopened|alerted")
            #expect(try await fixture.sql("SELECT kind, parameter FROM throttle") == "rate|0")
        }
    }

    /// The probe is moved from the air of the room into the water, which is no change of the water.
    @Test(arguments: [true, false]) func anotherProbeBeginsAnew(isChosen: Bool) async throws {
        try await EngineFixture.with { fixture in
            try await fixture.limitChange()
            let memory = SharedMemory()
            try await run(fixture, minutes: 0..<40, [memory]) { _ in 13 }
            if isChosen { try await fixture.chooseProbe(at: Self.minute(39)) }
            // An Ingestor may use the former probe for another minute.
            try await run(fixture, minutes: 40..<100, [memory]) { $0 < 41 ? 13 : 20 }
            #expect(try await told(fixture) == (isChosen ? "" : "rate alarm 42 7.0 1 20.0 3.0"))
            guard isChosen else { return }
            // Later changes of the water alert.
            try await run(fixture, minutes: 100..<110, [SharedMemory()]) { _ in 16 }
            #expect(try await told(fixture) == "rate alarm 101 -4.0 1 16.0 3.0")
        }
    }

    /// The episode of the limits ends with the next reading, and the limit of change stays.
    @Test func itIsToldAlthoughTheOtherLimitsWereTakenAwayMeanwhile() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.limitChange()
            try await run(fixture, minutes: 0..<20, [SharedMemory()]) { _ in 26 }
            #expect(try await fixture.sql("SELECT kind FROM episode WHERE closed_at IS NULL") == "range")
            _ = try await fixture.sql("UPDATE setting SET minimum = NULL, maximum = NULL WHERE parameter = 0")
            try await run(fixture, minutes: 20..<60, [SharedMemory()]) { $0 < 40 ? 26 : 20 }
            #expect(
                try await fixture.sql("SELECT count(*) FROM alert WHERE kind = 'rate' AND purpose = 'alarm'") == "1")
        }
    }

    /// The database's clock was ahead. Its mark suppresses nothing until then.
    @Test func aChoiceOfTheFutureIsVoid() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.limitChange()
            try await fixture.chooseProbe(at: .now + .seconds(3_600))
            try await run(fixture, minutes: 0..<60, [SharedMemory()])
            #expect(try await told(fixture) == "rate alarm 42 3.1 31 21.1 3.0")
        }
    }

    /// An engine that starts, or follows another engine, has no memory and reads it again.
    @Test func whichEngineDecidesDoesNotMatter() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.limitChange()
            try await run(fixture, minutes: 0..<40, [SharedMemory(), SharedMemory()])
            try await run(fixture, minutes: 40..<60, (0..<20).map { _ in SharedMemory() })
            #expect(try await told(fixture) == "rate alarm 42 3.1 31 21.1 3.0")
        }
    }

    /// A reconnected device sends its present readings before its stored ones. Readings after a newer one count for no
    /// engine, whether it has been running all the time or has just started.
    @Test(arguments: [true, false]) func whatComesAfterANewerReadingDoesNotCount(isKept: Bool) async throws {
        try await EngineFixture.with { fixture in
            try await fixture.limitChange()
            let memory = SharedMemory()
            func take(_ minutes: ClosedRange<Int>, _ value: Float, at received: Int) async throws {
                try await fixture.hand(
                    minutes.map { ([.temperature: value], Self.minute($0)) },
                    receivedAt: Self.minute(received) + .seconds(1))
                try await fixture.claim(isKept ? memory : SharedMemory(), Self.policy)
            }
            try await take(31...31, 20, at: 31)
            try await take(0...30, 24, at: 32)
            for minute in 33...40 { try await take(minute...minute, 20, at: minute) }
            #expect(try await told(fixture) == "")
        }
    }

    /// Within one batch they come at once, in no stored order.
    @Test(arguments: [true, false]) func whatComesWithANewerReadingCounts(isKept: Bool) async throws {
        try await EngineFixture.with { fixture in
            try await fixture.limitChange()
            let memories = isKept ? [SharedMemory()] : (0..<10).map { _ in SharedMemory() }
            let backlog = (0...30).map { ([Parameter.temperature: Float(24)], Self.minute($0)) }
            try await fixture.hand(
                [([.temperature: 20], Self.minute(31))] + backlog, receivedAt: Self.minute(31) + .seconds(1))
            try await fixture.claim(memories[0], Self.policy)
            try await run(fixture, minutes: 32..<36, memories) { _ in 20 }
            #expect(try await told(fixture) == "rate alarm 32 -4.0 1 20.0 3.0")
        }
    }

    /// Readings stored for hours continue from those before them, wherever the newer reading stands in the batch.
    @Test(arguments: [true, false]) func aLongBacklogGoesOnFromWhatCameBefore(isNewestFirst: Bool) async throws {
        try await EngineFixture.with { fixture in
            try await fixture.limitChange()
            try await run(fixture, minutes: 0..<35, sizes: [35], [SharedMemory()])
            let backlog = (35...60).map { ([Parameter.temperature: Self.value($0)], Self.minute($0)) }
            let newest = ([Parameter.temperature: Self.value(60)], Self.minute(330))
            try await fixture.hand(
                isNewestFirst ? [newest] + backlog : backlog + [newest], receivedAt: Self.minute(330) + .seconds(1))
            try await fixture.claim(SharedMemory(), Self.policy)
            #expect(try await told(fixture) == "rate alarm 42 3.1 31 21.1 3.0")
        }
    }

    /// Water whose parts come late, together with newer readings or after them.
    @Test(arguments: 0..<3 as Range<UInt64>) func whatIsReadAgainIsWhatWasRemembered(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var level = Int32(180)
        var batches: [[(minute: Int, value: Float)]] = [[]]
        var kept: [(minute: Int, value: Float)] = []
        var (isAway, keepsUntil) = (0, 0)
        for minute in 0..<300 {
            level = max(100, min(260, level + Int32.random(in: -4...4, using: &random)))
            if minute >= keepsUntil, Int.random(in: 0..<12, using: &random) == 0 {
                isAway = minute + Int.random(in: 1...20, using: &random)
                keepsUntil = isAway + Int.random(in: 0...20, using: &random)
            }
            if minute < isAway {
                kept.append((minute, Float(level) / 10))
                continue
            }
            batches[batches.count - 1].append((minute, Float(level) / 10))
            if minute >= keepsUntil {
                batches[batches.count - 1] += kept
                kept = []
            }
            if Bool.random(using: &random) { batches.append([]) }
        }
        let remembered = try await told(of: batches, isKept: true)
        #expect(try await told(of: batches, isKept: false) == remembered)
        #expect(remembered.contains("rate alarm"))
    }

    private func told(of batches: [[(minute: Int, value: Float)]], isKept: Bool) async throws -> String {
        let result = Mutex("")
        try await EngineFixture.with { fixture in
            _ = try await fixture.sql("UPDATE setting SET minimum = NULL, maximum = NULL WHERE parameter = 0")
            try await fixture.limitChange(to: 8)
            let memory = SharedMemory()
            for batch in batches {
                guard let newest = batch.map(\.minute).max() else { continue }
                try await fixture.hand(
                    batch.map { ([.temperature: $0.value], Self.minute($0.minute)) },
                    receivedAt: Self.minute(newest) + .seconds(1))
                try await fixture.claim(isKept ? memory : SharedMemory(), Self.policy)
            }
            let told = try await told(fixture)
            result.withLock { $0 = told }
        }
        return result.withLock(\.self)
    }

    /// The week between a late reading and the newest one does not matter, and is not read for each limited parameter.
    @Test func aLateReadingAsksForNoWeekOfReadings() async throws {
        try await EngineFixture.with { fixture in
            _ = try await fixture.sql("UPDATE setting SET change_per_hour = 30 WHERE parameter IN (0, 1, 2, 3)")
            let values: [Parameter: Float] = Dictionary(
                uniqueKeysWithValues: Parameter.allCases.prefix(4).map { ($0, 7) })
            let now = Timestamp.now
            let times = (0..<1_900).map { now - .seconds(3_600 + 300 * $0) }
            try await fixture.hand(times.map { (values, $0) }, receivedAt: now - .seconds(1_800))
            _ = try await fixture.sql("DELETE FROM evaluation_batch")
            try await fixture.hand(values, at: now - .seconds(6 * 86_400 + 7), receivedAt: now)
            let read = try await fixture.owner.transaction { transaction in
                _ = try transaction.execute(PlanAsForManySamples())
                var memory = EngineMemory()
                _ = try Claim(policy: Self.policy).perform(
                    transaction, Slot.all.map { Claim.Wanted(slot: $0, stateVersion: nil) }, memory: &memory)
                return try transaction.execute(CountSamplesRead())[0]
            }
            // Once for how far each parameter was decided, and some hours for each.
            #expect((1_000..<3_000).contains(read), "\(read)")
        }
    }

    @Test func whoDoesNotAskHearsNothing() async throws {
        try await EngineFixture.with { fixture in
            let lee = try await fixture.addPerson("lee")
            try await fixture.join(lee)
            try await fixture.begin(fixture.device, of: lee, at: Self.start - .seconds(60))
            try await fixture.limitChange()
            try await run(fixture, minutes: 0..<60, [SharedMemory()])
            #expect(
                try await fixture.sql("SELECT count(*), bool_and(account_id = \(fixture.account.rawValue)) FROM alert")
                    == "1|t")
        }
    }

    /// Readings from before a person joined are not theirs to know.
    @Test func whoJoinsHearsOfWhatChangesFromThenOn() async throws {
        try await EngineFixture.with { fixture in
            let lee = try await fixture.addPerson("lee")
            try await fixture.join(lee)
            try await fixture.begin(fixture.device, of: lee, at: Self.minute(25))
            try await fixture.limitChange(of: lee)
            try await run(fixture, minutes: 0..<140, [SharedMemory()])
            #expect(try await fixture.sql("SELECT count(*) FROM alert") == "0", "it rose by 2.5 degrees since")
        }
    }

    /// The value has left its limits, and the person knows: one trouble alerts once.
    @Test func anAlarmOfTheLimitsStandsForIt() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.limitChange()
            try await run(fixture, minutes: 0..<60, [SharedMemory()]) { Self.value($0) + 4 }
            #expect(try await fixture.sql("SELECT kind FROM alert") == "range")
            #expect(
                try await fixture.sql(
                    "SELECT notification FROM transition t JOIN episode USING (slot, episode_id) WHERE kind = 'rate'")
                    == "outOfRange")
        }
    }

    /// Not the other way round: leaving the limits is worse than changing fast.
    @Test func itHoldsBackNoAlarmOfTheLimits() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.limitChange()
            try await run(fixture, minutes: 0..<60, [SharedMemory()]) { Self.value($0) + 2.5 }
            #expect(try await fixture.sql("SELECT kind FROM alert ORDER BY alert_id") == "rate\nrange")
        }
    }

    /// - Parameter others: The number of alerts about limits after the alarm.
    @Test(arguments: [0, 250]) func itsEndIsAnnounced(others: Int) async throws {
        try await EngineFixture.with { fixture in
            try await fixture.limitChange()
            try await run(fixture, minutes: 0..<130, [SharedMemory()])
            _ = try await fixture.sql(
                """
                INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, side,
                    opened_at, event_time, state)
                SELECT slot, device_id, parameter, account_id, 1000000 + n, episode_id, 'range', 'alarm', 'high', opened_at,
                    event_time, 'delivered' FROM alert, generate_series(1, \(others)) n
                """)
            _ = try await fixture.sql(
                """
                UPDATE alert SET state = 'delivered';
                UPDATE episode SET recovery_due_at = now()
                """)
            try await fixture.withEngines(1, policy: Self.policy) {
                _ = try await awaitFact("the all-clear") {
                    try await fixture.sql("SELECT count(*) FROM alert WHERE purpose = 'recovery' AND kind = 'rate'")
                        == "1"
                        ? true : nil
                }
            }
            #expect(try await fixture.sql("SELECT change, value FROM alert WHERE purpose = 'recovery'") == "|")
        }
    }

    @Test func aLimitThatIsTakenAwayEndsIt() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.limitChange()
            let memory = SharedMemory()
            try await run(fixture, minutes: 0..<50, [memory])
            #expect(try await fixture.sql("SELECT count(*) FROM episode WHERE closed_at IS NULL") == "1")
            try await fixture.limitChange(to: nil)
            try await run(fixture, minutes: 50..<51, [memory])
            #expect(try await fixture.sql("SELECT closed_because FROM episode") == "recovered")
            try await run(fixture, minutes: 51..<60, [memory])
            #expect(try await told(fixture) == "rate alarm 42 3.1 31 21.1 3.0")
        }
    }

    @Test func aSnoozeOfItHoldsItBackAlone() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.limitChange()
            let key = SnoozeKey(
                device: fixture.device, account: fixture.account, kind: .rate, parameter: .temperature, side: nil)
            try await fixture.owner.transaction { transaction in
                try transaction.setSnooze(key, at: .now, until: .now + .seconds(3_600))
            }
            try await run(fixture, minutes: 0..<60, [SharedMemory()]) { Self.value($0) + 2.5 }
            #expect(try await fixture.sql("SELECT kind FROM alert") == "range")
            #expect(
                try await fixture.sql(
                    "SELECT notification FROM transition t JOIN episode USING (slot, episode_id) WHERE kind = 'rate'")
                    == "snoozed")
        }
    }

    /// A person may want to know of changes only.
    @Test func itNeedsNoLimits() async throws {
        try await EngineFixture.with { fixture in
            _ = try await fixture.sql("UPDATE setting SET minimum = NULL, maximum = NULL WHERE parameter = 0")
            try await fixture.limitChange()
            try await run(fixture, minutes: 0..<60, [SharedMemory()]) { Self.value($0) + 10 }
            #expect(try await told(fixture) == "rate alarm 42 3.1 31 31.1 3.0")
        }
    }
}

extension EngineFixture {
    /// - Parameter steps: The largest change of temperature in an hour.
    fileprivate func limitChange(of person: Account.ID? = nil, to steps: Int? = 30) async throws {
        _ = try await sql(
            """
            UPDATE setting SET change_per_hour = \(steps.map(String.init) ?? "NULL")
            WHERE parameter = 0 AND valid_until IS NULL AND account_id = \((person ?? account).rawValue)
            """)
    }
}

/// Makes the planner use indexes, as it would with the samples of many devices.
private struct PlanAsForManySamples: Statement {
    static let sql = """
        SELECT concat(set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
            set_config('enable_mergejoin', 'off', true))
        """
    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}

/// The rows of samples that the transaction has read so far.
private struct CountSamplesRead: Statement {
    static let sql = """
        SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint FROM pg_stat_xact_all_tables
        WHERE relname LIKE 'sample%'
        """
    static func decode(_ row: inout RowReader) throws -> Int64 { try row.read() }
}
