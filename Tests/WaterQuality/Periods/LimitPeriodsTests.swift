import Testing
import WaterQuality

/// Times of day and seasons with limits of their own.
@Suite struct LimitPeriodsTests {
    private static func day(_ number: Int) throws -> LimitPeriod.Day { try #require(LimitPeriod.Day(number: number)) }

    private static func hours(_ from: Int, _ until: Int) throws -> LimitPeriod {
        try #require(LimitPeriod(hours: LimitPeriod.Hours(begins: from * 60, ends: until * 60), season: nil))
    }

    private static func season(_ first: Int, _ last: Int, hours: LimitPeriod.Hours? = nil) throws -> LimitPeriod {
        try #require(
            LimitPeriod(hours: hours, season: LimitPeriod.Season(first: try day(first), last: try day(last))))
    }

    @Test func whatIsNoTimeIsNone() {
        #expect(LimitPeriod.Hours(begins: 240, ends: 240) == nil)
        #expect(LimitPeriod.Hours(begins: 0, ends: 1440) == nil)
        #expect(LimitPeriod.Day(month: 2, day: 30) == nil && LimitPeriod.Day(month: 2, day: 29) != nil)
        #expect(LimitPeriod(hours: nil, season: nil) == nil)
    }

    /// From and until in hours; a night that passes midnight reaches into the morning.
    @Test(arguments: [
        ((4, 7), (7, 9), false), ((4, 7), (6, 9), true), ((22, 5), (4, 7), true), ((22, 4), (4, 7), false),
        ((22, 4), (23, 1), true), ((20, 22), (22, 20), false),
    ]) func timesOfDayOverlap(one: (Int, Int), other: (Int, Int), overlaps: Bool) throws {
        let (one, other) = (try Self.hours(one.0, one.1), try Self.hours(other.0, other.1))
        #expect(one.overlaps(other) == overlaps && other.overlaps(one) == overlaps)
    }

    @Test(arguments: [
        ((1101, 315), (316, 1031), false), ((1101, 315), (315, 1031), true), ((101, 228), (301, 331), false),
        ((101, 229), (301, 331), false), ((1231, 101), (102, 1230), false), ((401, 430), (401, 401), true),
    ]) func seasonsOverlap(one: (Int, Int), other: (Int, Int), overlaps: Bool) throws {
        let (one, other) = (try Self.season(one.0, one.1), try Self.season(other.0, other.1))
        #expect(one.overlaps(other) == overlaps && other.overlaps(one) == overlaps)
    }

    /// The night of 28 February reaches into the first of March, but not in a leap year; the one of New Year's Eve into the new year.
    @Test func aNightReachesIntoTheNextSeason() throws {
        let night = try #require(LimitPeriod.Hours(begins: 22 * 60, ends: 6 * 60))
        let morning = try #require(LimitPeriod.Hours(begins: 0, ends: 4 * 60))
        let march = try Self.season(301, 331, hours: morning)
        let (leap, before) = (try Self.season(201, 228, hours: night), try Self.season(201, 227, hours: night))
        #expect(leap.overlaps(march) && !before.overlaps(march))
        let (december, january) = (try Self.season(1201, 1231, hours: night), try Self.season(101, 131, hours: morning))
        #expect(december.overlaps(january))
    }

    @Test func anOverlapNamesBoth() throws {
        let all = [try Self.hours(0, 2), try Self.hours(4, 7), try Self.hours(9, 11), try Self.hours(6, 8)]
        #expect(throws: LimitPeriods.Fault.overlap(1, 3)) { try LimitPeriods(all, zone: "UTC") }
        #expect(throws: LimitPeriods.Fault.tooMany) { try LimitPeriods(all + [try Self.hours(12, 13)], zone: "UTC") }
        let none = try LimitPeriods([], zone: "UTC")
        #expect(none == nil)
    }

    private static let oxygen = PersonalRange(
        parameter: .dissolvedOxygen, unit: Parameter.dissolvedOxygen.canonicalUnit, minimum: Steps(60), maximum: nil)

    @Test func aChangeSetsPeriodsInThePersonsUnit() throws {
        let wish = RangeChange.Period(
            hours: LimitPeriod.Hours(begins: 240, ends: 420), season: nil, minimum: .value(4.5),
            criticalMinimum: .value(3))
        let steps = Self.oxygen.parameter.stepsPerUnit
        let changed = try RangeChange(periods: .init([wish], zone: "Europe/Madrid")).applied(to: Self.oxygen)
        let period = try #require(changed.periods?.all.first)
        #expect(period.minimum == Steps(Int32(4.5 * Double(steps))) && period.maximum == nil)
        #expect(period.criticalMinimum == Steps(3 * steps))
        #expect(changed.minimum == Self.oxygen.minimum, "the plain limits stay")
        let held = changed.held(at: LimitTurns.Place(period: 0))
        #expect(held.minimum == period.minimum && held.criticalMinimum == period.criticalMinimum)
        #expect(changed.held(at: .plain).minimum == Self.oxygen.minimum)
        let without = try RangeChange(periods: .init([], zone: "UTC")).applied(to: changed)
        let wider = try RangeChange(maximum: .value(12)).applied(to: changed)
        #expect(without.periods == nil && wider.periods == changed.periods)
    }

    @Test func limitsOfAPeriodHoldUpLikeOthers() throws {
        func fault(_ wish: RangeChange.Period) -> RangeChange.Fault? {
            do throws(RangeChange.Fault) {
                _ = try RangeChange(periods: .init([wish], zone: "UTC")).applied(to: Self.oxygen)
                return nil
            } catch {
                return error
            }
        }
        let hours = LimitPeriod.Hours(begins: 240, ends: 420)
        #expect(
            fault(.init(hours: hours, season: nil, minimum: .value(8), maximum: .value(6)))
                == .period(0, .range(.limitsCross(.dissolvedOxygen))))
        #expect(
            fault(.init(hours: hours, season: nil, minimum: .value(6), criticalMinimum: .value(7)))
                == .period(0, .critical(.minimumNotBelow(.dissolvedOxygen))))
        #expect(fault(.init(hours: nil, season: nil, minimum: .value(6))) == .period(0, nil))
    }
}
