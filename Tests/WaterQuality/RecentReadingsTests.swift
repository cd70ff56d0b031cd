import Instants
import TestSupport
import Testing

@testable import WaterQuality

/// The change of a value within the last hour. Times are minutes after `start`.
@Suite struct RecentReadingsTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_636_800))

    private static func reading(_ minute: Double, _ value: Int32) -> Reading {
        Reading(time: start + .milliseconds(Int64(minute * 60_000)), value: Steps(value))
    }

    private static func change(_ readings: [Reading], since: Timestamp = .distantPast) -> ValueChange? {
        var recent = RecentReadings()
        for reading in readings { _ = recent.add(reading) }
        return recent.change(since: since)
    }

    @Test func whatRoseWithinTheHourIsToldInFull() throws {
        let change = try #require(Self.change((0...40).map { Self.reading(Double($0), 200 + $0) }))
        // Medians lie one reading inside both ends.
        #expect(change.by == Steps(38) && change.within == .seconds(38 * 60) && change.to == Steps(239))
        #expect(change.perHour == Steps(38), "it is not extrapolated")
    }

    @Test func whatFellIsBelowZero() throws {
        let change = try #require(Self.change((0...90).map { Self.reading(Double($0), 500 - $0) }))
        #expect(change.by == Steps(-60) && change.within == RecentReadings.hour)
        #expect(change.perHour == Steps(-60), "what took longer counts by as much as an hour of it")
    }

    /// Any size of glitch, at any place and pace.
    @Test(arguments: [0.5, 1, 2, 15, 60]) func oneGlitchMovesNothing(pace: Double) {
        for place in 0..<8 {
            for value: Int32 in [-1_270, 850] {
                var readings = (0..<8).map { Self.reading(Double($0) * pace, 200) }
                readings[place].value = Steps(value)
                var recent = RecentReadings()
                for reading in readings {
                    _ = recent.add(reading)
                    #expect((recent.change()?.by ?? Steps(0)) == Steps(0), "at \(place) of pace \(pace)")
                }
            }
        }
    }

    /// Many readings within one minute count as a single reading.
    @Test func aGlitchOfManySecondsMovesNothing() {
        let readings = (0..<600).map { second in
            Self.reading(Double(second) / 60, (290..<335).contains(second) ? 900 : 200)
        }
        #expect(Self.change(readings)?.by == Steps(0))
    }

    @Test func twoReadingsConfirmAStep() throws {
        let values: [Int32] = [200, 200, 200, 240]
        let readings = values.enumerated().map { Self.reading(Double($0), $1) }
        #expect(Self.change(readings)?.by == Steps(0))
        let change = try #require(Self.change(readings + [Self.reading(4, 240)]))
        #expect(change.by == Steps(40) && change.within == .seconds(60))
    }

    /// A reading per hour, a little early or late.
    @Test func aReadingAnHourIsEnough() throws {
        let minutes = [0, 59, 121, 180, 243.5, 302]
        let values: [Int32] = [200, 200, 200, 200, 240, 241]
        let change = try #require(Self.change(zip(minutes, values).map { Self.reading($0, $1) }))
        #expect(change.by == Steps(40) && change.within == .seconds(Int64(63.5 * 60)))
        #expect(change.perHour == Steps(37))
    }

    @Test func afterALongPauseNothingIsKnown() {
        let before = (0...3).map { Self.reading(Double($0), 200) }
        let after = (0...3).map { Self.reading(3 + 65.1 + Double($0), 260) }
        #expect(Self.change(before + after.prefix(1)) == nil && Self.change(before + after.prefix(2)) == nil)
        #expect(Self.change(before + after)?.by == Steps(0), "what came before it does not count")
        let soon = (0...3).map { Self.reading(3 + 63 + Double($0), 260) }
        #expect(Self.change(before + soon.prefix(3))?.by == Steps(60))
    }

    @Test func somebodyElsesWaterDoesNotCount() {
        let readings = (0...10).map { Self.reading(Double($0), $0 < 5 ? 200 : 300) }
        #expect(Self.change(readings)?.by == Steps(100))
        #expect(Self.change(readings, since: Self.start + .seconds(5 * 60))?.by == Steps(0))
        #expect(Self.change(readings, since: Self.start + .seconds(9 * 60)) == nil)
    }

    @Test func onlyNewerReadingsCount() {
        var recent = RecentReadings()
        let counted = [10, 10.5, 9, 11, 10.9].map { recent.add(Self.reading($0, 200)) }
        #expect(counted == [true, false, false, true, false] && recent.count == 2)
    }

    @Test func readingsOfAClockThatWasAheadAreVoid() {
        var recent = RecentReadings()
        for minute in 600...604 { _ = recent.add(Self.reading(Double(minute), 900)) }
        let latest = Self.start + .seconds(10 * 60)
        let counted = (0...4).map { recent.add(Self.reading(Double($0), 200), latest: latest) }
        #expect(counted == Array(repeating: true, count: 5) && recent.change()?.by == Steps(0))
    }

    // MARK: Over random water

    /// The change as the documentation of `RecentReadings` defines it, over all readings.
    private static func naiveChange(_ readings: [Reading]) -> ValueChange? {
        var counted: [Reading] = []
        for reading in readings {
            let minute = { (reading: Reading) in (reading.time - start).components.seconds / 60 }
            if let last = counted.last, minute(reading) <= minute(last) { continue }
            counted.append(reading)
        }
        let pauses = zip(counted, counted.dropFirst()).map { $1.time - $0.time }
        if let pause = pauses.lastIndex(where: { $0 > RecentReadings.window }) { counted.removeFirst(pause + 1) }
        guard counted.count >= 3 else { return nil }
        let medians = (1..<counted.count - 1).map { index in
            Reading(time: counted[index].time, value: counted[index - 1...index + 1].map(\.value).sorted()[1])
        }
        let newest = medians[medians.count - 1]
        let changes = medians.filter { newest.time - $0.time <= RecentReadings.window }.map {
            ValueChange(
                by: Steps(newest.value.count - $0.value.count), to: newest.value, since: $0.time, until: newest.time)
        }
        let greatest = changes.map { abs($0.perHour.count) }.max()
        return changes.last { abs($0.perHour.count) == greatest }
    }

    /// Readings in the order of their arrival, some of them late.
    private static func water(_ seed: UInt64) -> [Reading] {
        var random = SeededGenerator(seed: seed)
        let pace = [1, 10, 30, 60, 300, 900, 3_600].randomElement(using: &random) ?? 60
        var (second, value) = (0, Int32(200))
        return (0..<400).map { _ in
            if Int.random(in: 0..<10, using: &random) == 0 {
                let late = second - Int.random(in: 0...40 * pace, using: &random)
                return Reading(
                    time: start + .seconds(late), value: Steps(value + Int32.random(in: 0...90, using: &random)))
            }
            second += Int.random(in: max(1, pace * 9 / 10)...pace * 11 / 10 + 1, using: &random)
            if Int.random(in: 0..<60, using: &random) == 0 { second += Int.random(in: 0...9_000, using: &random) }
            value += Int32.random(in: -2...2, using: &random)
            let isGlitch = Int.random(in: 0..<20, using: &random) == 0
            return Reading(time: start + .seconds(second), value: Steps(isGlitch ? value + 300 : value))
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>) func itIsWhatItsDefinitionSays(seed: UInt64) {
        let readings = Self.water(seed)
        var recent = RecentReadings()
        for (index, reading) in readings.enumerated() {
            let counts = recent.add(reading)
            #expect(recent.count <= 68)
            guard counts, index % 7 == 0 else { continue }
            #expect(recent.change() == Self.naiveChange(Array(readings[...index])), "after \(index)")
        }
    }

    /// An engine that starts loads the stored readings of the last hours.
    @Test(arguments: 0..<60 as Range<UInt64>) func itIsReadAgainFromTheLastHours(seed: UInt64) {
        let readings = Self.water(seed)
        var recent = RecentReadings()
        for (index, reading) in readings.enumerated() {
            if index % 40 == 0 {
                recent = RecentReadings()
                let head = readings[...index].map(\.time).max() ?? reading.time
                var minutes = Set<Int64>()
                // The first reading received of each minute.
                let stored = readings[..<index].filter {
                    $0.time >= head - RecentReadings.reach && minutes.insert($0.time.microseconds / 60_000_000).inserted
                }
                for reading in stored { _ = recent.add(reading) }
            }
            guard recent.add(reading) else { continue }
            #expect(recent.change() == Self.naiveChange(Array(readings[...index])), "after \(index)")
        }
    }
}
