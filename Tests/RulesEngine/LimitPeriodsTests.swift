import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Limits that change by the clock, from a batch to episodes. The plain limits of temperature are 12 and 24; in the second of three hours 28
/// degrees are allowed.
struct LimitPeriodsTests {
    private static let policy = AlertPolicy(staleAfter: .seconds(86_400))
    private static let start = Timestamp.now.roundedDown(to: .seconds(60)) - .seconds(200 * 60)

    /// The periods as they are stored, by the clock of UTC.
    private static func warmHour(maximum: Int) -> String {
        func minute(_ minutes: Int) -> Int {
            let time = (start + .seconds(60 * minutes)).civilTime()
            return time.hour * 60 + time.minute
        }
        return
            #"{"zone": "UTC", "periods": [{"from": \#(minute(60)), "until": \#(minute(120)), "minimum": 120, "maximum": \#(maximum)}]}"#
    }

    private func set(_ periods: String, _ fixture: EngineFixture) async throws {
        _ = try await fixture.sql(
            "UPDATE setting SET periods = '\(periods)' WHERE parameter = 0 AND account_id = \(fixture.account.rawValue)"
        )
    }

    private func episodes(_ fixture: EngineFixture) async throws -> String {
        func minute(_ column: String) -> String {
            "round(extract(epoch FROM \(column) - '\(Self.start.iso8601)') / 60)"
        }
        return try await fixture.sql(
            """
            SELECT string_agg(concat_ws(' ', side, \(minute("opened_at")), \(minute("closed_at")), closed_because), ', ' ORDER BY episode_id)
            FROM episode
            """)
    }

    /// Water of 26 degrees is too warm in the first hour and the last. Its alarm ends by the clock, with the first reading of the second hour.
    @Test(arguments: [[1], [7, 1, 30], [200]]) func anAlarmEndsAndBeginsByTheClock(sizes: [Int]) async throws {
        try await EngineFixture.with { fixture in
            try await set(Self.warmHour(maximum: 280), fixture)
            try await fixture.decide(
                0..<180, since: Self.start, sizes: sizes, [SharedMemory(), SharedMemory()], Self.policy
            ) { _ in 26 }
            #expect(try await episodes(fixture) == "high 0 60 recovered, high 120")
        }
    }

    /// What the plain limits allow is too warm in an hour that allows less, though the engine had no reason to look at the readings before.
    @Test(arguments: [[1], [200]]) func aNarrowerHourIsJudgedByItsOwnLimits(sizes: [Int]) async throws {
        try await EngineFixture.with { fixture in
            try await set(Self.warmHour(maximum: 200), fixture)
            try await fixture.decide(0..<180, since: Self.start, sizes: sizes, [SharedMemory()], Self.policy) { _ in 22
            }
            #expect(try await episodes(fixture) == "high 60 120 recovered")
        }
    }

    /// The device's clock is an hour and a half late: the moment of the measurement counts, not what the device calls it.
    @Test func theMeasurementCountsByACorrectClock() async throws {
        try await EngineFixture.with { fixture in
            try await set(Self.warmHour(maximum: 200), fixture)
            let lag = 5_400
            _ = try await fixture.sql(
                """
                INSERT INTO device_clock (slot, device_id, lag_seconds)
                VALUES (\(fixture.device.slot.rawValue), \(fixture.device.device.rawValue), \(lag))
                """)
            try await fixture.decide(
                0..<180, since: Self.start, sizes: [1], [SharedMemory()], Self.policy, behind: .seconds(Int64(lag))
            ) { _ in 22 }
            #expect(try await episodes(fixture) == "high -30 30 recovered", "by the device's clock")
        }
    }

    /// A digest names the limit of the measurement, too: 22 degrees at half past the hour that allows 20, which the device calls the hour before.
    @Test func aDigestNamesTheLimitOfTheMeasurement() async throws {
        try await GatheringScene.with { scene in
            let fixture = scene.fixture
            try await set(Self.warmHour(maximum: 200), fixture)
            _ = try await fixture.sql(
                """
                INSERT INTO device_clock (slot, device_id, lag_seconds)
                VALUES (\(fixture.device.slot.rawValue), \(fixture.device.device.rawValue), 5400)
                """)
            try await scene.beginNight()
            try await fixture.hand([.temperature: 22], at: Self.start, receivedAt: Self.start + .seconds(5_401))
            try await fixture.claim(scene.memory, scene.policy)
            #expect(try await scene.gathered() == "1")
            try await scene.endNight()
            #expect(try await scene.tell().count == 1)
            #expect(try await fixture.sql("SELECT limit_value FROM alert") == "20")
        }
    }

    // MARK: The memory

    private static func device(knownUntil: Timestamp?) throws -> WatchedDevice {
        let device = WatchedDevice()
        let person = device.add(Person(account: Account.ID(rawValue: 1)))
        device.set(
            try SafeRange(.temperature, minimum: Steps(120), maximum: Steps(240)), for: .temperature, ofPersonAt: person
        )
        guard let knownUntil else { return device }
        var range = PersonalRange(parameter: .temperature, unit: .celsius, minimum: Steps(120), maximum: Steps(240))
        let hours = LimitPeriod.Hours(begins: 0, ends: 60)
        let period = try #require(LimitPeriod(hours: hours, season: nil, minimum: Steps(120), maximum: Steps(200)))
        range.periods = try LimitPeriods([period], zone: "UTC")
        let turns = LimitTurns([
            .init(at: start, place: .plain), .init(at: start + .seconds(3_600), place: LimitTurns.Place(period: 0)),
        ])
        device.set(try TimedLimits(range, turns), knownUntil: knownUntil, for: .temperature, ofPersonAt: person)
        return device
    }

    /// Without periods nothing is read again, and a reading is compared with what is in range for everybody: as before.
    @Test func whoHasNoPeriodsPaysNothing() throws {
        let device = try Self.device(knownUntil: nil)
        #expect(device.knowsLimits(at: .distantFuture - .seconds(1)))
        var readings = Readings()
        readings[.temperature] = 22
        #expect(device.areInRange(readings))
    }

    @Test func whatIsBeyondTheLimitsOfSomeTimeIsLookedAt() throws {
        let until = Self.start + .seconds(7_200)
        let device = try Self.device(knownUntil: until)
        #expect(device.knowsLimits(at: until - .seconds(1)) && !device.knowsLimits(at: until))
        var readings = Readings()
        readings[.temperature] = 22
        #expect(!device.areInRange(readings))
        readings[.temperature] = 19
        #expect(device.areInRange(readings))
        let person = device.people[0]
        #expect(person.held(.temperature, at: Self.start).range?.maximum == Steps(240))
        #expect(person.held(.temperature, at: Self.start + .seconds(3_600)).range?.maximum == Steps(200))
    }
}
