import Instants
import TestSupport
import Testing
import WaterQuality

/// Which limits hold at an instant, once the turns are known.
@Suite struct LimitTurnsTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_636_800))
    private static let dawn = LimitTurns.Place(period: 0)

    private static func hour(_ hours: Double) -> Timestamp { start + .seconds(Int64(hours * 3600)) }

    /// Dawn from the fourth hour to the seventh.
    private static let turns = LimitTurns([
        .init(at: hour(0), place: .plain), .init(at: hour(4), place: dawn), .init(at: hour(7), place: .plain),
    ])

    @Test func eachTurnHoldsFromItsInstantOn() {
        #expect(Self.turns.place(at: Self.hour(4) - .microseconds(1)) == .plain)
        #expect(Self.turns.place(at: Self.hour(4)) == Self.dawn)
        #expect(Self.turns.place(at: Self.hour(7) - .microseconds(1)) == Self.dawn)
        #expect(Self.turns.place(at: Self.hour(7)) == .plain)
        #expect(Self.turns.next(after: Self.hour(4)) == Self.hour(7) && Self.turns.next(after: Self.hour(7)) == nil)
        #expect(LimitTurns.none.place(at: Self.hour(5)) == .plain)
    }

    @Test func theirPlacesAreStoredFromOne() {
        #expect(LimitTurns.Place(stored: 0) == .plain && LimitTurns.Place(stored: 1) == Self.dawn)
    }

    @Test func aLateClockMovesThem() {
        #expect(Self.turns.moved(by: .seconds(-3600)).place(at: Self.hour(3)) == Self.dawn)
    }

    /// At each instant exactly one holds: pieces follow each other without gaps, and each says what its every instant does.
    @Test(arguments: 1...200) func exactlyOneHoldsAtEachInstant(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var at = Self.start
        let turns = LimitTurns(
            (0..<Int.random(in: 0...12, using: &random)).map { _ in
                at = at + .seconds(Int64.random(in: 1...40_000, using: &random))
                let period = Int.random(in: -1...3, using: &random)
                return LimitTurns.Turn(at: at, place: LimitTurns.Place(period: period < 0 ? nil : period))
            })
        let from = Self.start + .seconds(Int64.random(in: -50_000...300_000, using: &random))
        let asked = from..<from + .seconds(Int64.random(in: 1...400_000, using: &random))
        let pieces = turns.pieces(of: asked)
        #expect(pieces.first?.time.lowerBound == asked.lowerBound && pieces.last?.time.upperBound == asked.upperBound)
        for (one, next) in zip(pieces, pieces.dropFirst()) { #expect(one.time.upperBound == next.time.lowerBound) }
        for piece in pieces {
            #expect(!piece.time.isEmpty)
            #expect(turns.place(at: piece.time.lowerBound) == piece.place)
            #expect(turns.place(at: piece.time.upperBound - .microseconds(1)) == piece.place)
        }
    }

    // MARK: What uses them

    private static func oxygen() throws -> PersonalRange {
        var range = PersonalRange(
            parameter: .dissolvedOxygen, unit: Parameter.dissolvedOxygen.canonicalUnit, minimum: Steps(60), maximum: nil
        )
        let hours = LimitPeriod.Hours(begins: 240, ends: 420)
        let period = try #require(LimitPeriod(hours: hours, season: nil, minimum: Steps(45)))
        range.periods = try LimitPeriods([period], zone: "UTC")
        return range
    }

    /// Fifty are too few by day and enough at dawn: the alarm of the night ends by the clock, and comes again.
    @Test func aBackTestJudgesEachReadingByItsTime() throws {
        let timed = try TimedLimits(try Self.oxygen(), Self.turns)
        #expect(timed[Self.hour(5)].range.minimum == Steps(45) && timed[Self.hour(8)].range.minimum == Steps(60))
        let readings = (0..<18 * 60).map { Reading(time: Self.start + .seconds($0 * 30), value: Steps(50)) }
        let range = try SafeRange(.dissolvedOxygen, minimum: Steps(60))
        var test = BackTest(range, policy: AlertPolicy(), timed: timed)
        test.add(readings)
        var plain = BackTest(range, policy: AlertPolicy())
        plain.add(readings)
        #expect(test.alarmCount == 2 && plain.alarmCount == 1)
        #expect(test.alarms.map(\.time) == [Self.hour(0), Self.hour(7)])
    }

    @Test func anExplanationTellsWhichLimitsHeld() throws {
        let readings = [1.0, 3, 5, 6, 8].map {
            PastReading(
                reading: Reading(time: Self.hour($0), value: Steps(50)), receivedAt: Self.hour($0) + .seconds(1))
        }
        var past = WatchPast(
            settings: [
                SettingVersion(period: .distantPast..<(.distantFuture), range: try Self.oxygen(), turns: Self.turns)
            ])
        past.told = [.distantPast..<(.distantFuture)]
        let explanation = Explanation(
            of: readings, past, policy: AlertPolicy(), in: Self.hour(0)..<Self.hour(9), now: Self.hour(9), lag: .zero)
        let limits = explanation.steps.filter { $0.what == .limits }
        #expect(limits.map { $0.range?.minimum } == [Steps(60), Steps(45), Steps(60)])
        #expect(limits.dropFirst().map(\.time) == [Self.hour(4), Self.hour(7)])
    }
}
