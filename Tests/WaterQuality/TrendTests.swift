import Foundation
import Instants
import TestSupport
import Testing

@testable import WaterQuality

/// The direction of a value. Times are minutes after `start`.
@Suite struct TrendTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_636_800))

    private static func reading(_ minute: Double, _ value: Int32) -> Reading {
        Reading(time: start + .milliseconds(Int64(minute * 60_000)), value: Steps(value))
    }

    private static func trend(_ readings: [Reading]) -> Trend {
        var trend = Trend()
        for reading in readings { _ = trend.add(reading) }
        return trend
    }

    private static func line(_ readings: [Reading], since: Timestamp = .distantPast) -> Trend.Line? {
        trend(readings).line(since: since)
    }

    // MARK: The app's display

    /// The cases that `outlook.test.js` tests too, with values in tenths.
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let step: Double
        let minimum, maximum: Int32?
        let values: [Int32?]
        let outlook: Expected?

        struct Expected: Decodable { let side: String, minutes: Double }
        var testDescription: String { name }
    }

    private static let cases =
        (try? JSONDecoder().decode(
            [Case].self, from: Data(contentsOf: Paths.repository.appending(path: "Tests/Web/outlooks.json")))) ?? []

    @Test func theAppsCasesAreThere() { #expect(Self.cases.count >= 12) }

    @Test(arguments: cases) func theAppShowsTheSame(_ told: Case) throws {
        let range = try SafeRange(
            .dissolvedOxygen, minimum: told.minimum.map { Steps($0) }, maximum: told.maximum.map { Steps($0) })
        let readings = told.values.enumerated().compactMap { index, value in
            value.map { Self.reading(Double(index) * told.step, $0) }
        }
        let heading = Self.line(readings)?.heading(in: range, within: WatchRules.aheadBounds.upperBound)
        guard case .toward(let outlook) = heading else {
            #expect(told.outlook == nil)
            return
        }
        let expected = try #require(told.outlook)
        #expect(outlook.side.rawValue == expected.side && outlook.limit == range.limit(on: outlook.side))
        let last = Double(told.values.count - 1) * told.step
        let minutes = Double((outlook.at - Self.start).wholeMicroseconds) / 60e6 - last
        #expect(abs(minutes - expected.minutes) < 1, "\(minutes)")
    }

    // MARK: Counted readings

    @Test func aStraightWayIsFollowed() throws {
        let line = try #require(Self.line((0...24).map { Self.reading(Double($0) * 5, 900 - $0 * 3) }))
        #expect(abs(line.slope + 3.0 / 300) < 1e-12 && line.agreement == 1 && abs(line.value - 828) < 1e-9)
        #expect(line.newest == Steps(828) && line.settled == Steps(831) && line.span == .seconds(110 * 60))
    }

    @Test func oneOfEachFiveMinutesCounts() {
        var trend = Trend()
        let counted = [0, 1, 4.9, 5, 4, 9, 10.5].map { trend.add(Self.reading($0, 700)) }
        #expect(counted == [true, false, false, true, false, false, true] && trend.count == 3)
    }

    @Test func tooLittleSaysNothing() {
        func known(_ count: Int32, every pace: Double) -> Bool {
            Self.line((0..<count).map { Self.reading(Double($0) * pace, 700 - $0) }) != nil
        }
        #expect(!known(11, every: 5) && known(12, every: 5), "three quarters of an hour between medians")
        #expect(!known(7, every: 20) && known(8, every: 20), "six medians")
        #expect(!known(40, every: 24) && known(40, every: 23.9), "a pause of a fifth of the memory")
    }

    /// Any size of glitch, at any place and pace.
    @Test(arguments: [0.5, 1, 5, 10, 20]) func oneGlitchLeadsNowhere(pace: Double) throws {
        let range = try SafeRange(.temperature, minimum: Steps(195), maximum: Steps(205))
        for place in stride(from: 0, to: Int(120 / pace), by: max(1, Int(3 / pace))) {
            for value: Int32 in [-1_270, 199, 850] {
                var readings = (0..<Int(120 / pace)).map { Self.reading(Double($0) * pace, 200) }
                readings[place].value = Steps(value)
                var trend = Trend()
                for reading in readings {
                    guard trend.add(reading), let line = trend.line() else { continue }
                    #expect(line.slope == 0, "at \(place) of pace \(pace)")
                    #expect(line.heading(in: range, within: .seconds(21_600)) == .away)
                }
            }
        }
    }

    /// A glitch does not change the slope of a straight line.
    @Test func oneGlitchBendsNoWay() throws {
        let straight = (0...24).map { Self.reading(Double($0) * 5, 900 - $0 * 3) }
        let expected = try #require(Self.line(straight))
        for place in straight.indices {
            for value: Int32 in [-1_270, 1_850] {
                var readings = straight
                readings[place].value = Steps(value)
                let line = try #require(Self.line(readings))
                #expect(abs(line.slope - expected.slope) < 0.05 * 3 / 300, "at \(place)")
                #expect(abs(line.value - expected.value) < 3 && line.agreement > 0.9)
            }
        }
    }

    @Test func afterAPauseItBeginsAnew() {
        let before = (0...24).map { Self.reading(Double($0) * 5, 900 - $0) }
        #expect(Self.line(before) != nil)
        let after = (0...10).map { Self.reading(144 + Double($0) * 5, 800 - $0) }
        #expect(Self.line(before + after) == nil && Self.trend(before + after).count == 11)
    }

    @Test func somebodyElsesWaterDoesNotCount() throws {
        let readings = (0...24).map { Self.reading(Double($0) * 5, $0 < 10 ? 200 + $0 * 5 : 250 - $0) }
        let trend = Self.trend(readings)
        let start = Self.start + .seconds(50 * 60)
        #expect(trend.isWhole(since: Self.start) && !trend.isWhole(since: start))
        #expect(try #require(trend.line(since: start)).agreement == 1)
        #expect(try #require(trend.line()).agreement < 1)
        #expect(trend.line(since: Self.start + .seconds(70 * 60)) == nil)
    }

    @Test func readingsOfAClockThatWasAheadAreVoid() {
        var trend = Trend()
        for minute in 120...124 { _ = trend.add(Self.reading(Double(minute) * 5, 900)) }
        let counted = (0...14).map { number in
            let reading = Self.reading(Double(number) * 5, 200)
            return trend.add(reading, latest: reading.time + .seconds(360))
        }
        #expect(counted.allSatisfy(\.self) && trend.count == 15 && trend.line()?.slope == 0)
    }

    // MARK: Over random water

    private static func water(_ seed: UInt64) -> [Reading] {
        var random = SeededGenerator(seed: seed)
        let pace = [7, 60, 290, 310, 600, 1_200].randomElement(using: &random) ?? 60
        var (second, value) = (0, Int32(700))
        return (0..<max(300, 30_000 / pace)).map { number in
            second += Int.random(in: max(1, pace * 9 / 10)...pace * 11 / 10 + 1, using: &random)
            if Int.random(in: 0..<60, using: &random) == 0 { second += Int.random(in: 0...3_000, using: &random) }
            value += Int32.random(in: -3...(number / 100 % 2 == 0 ? 2 : 4), using: &random)
            let isGlitch = Int.random(in: 0..<20, using: &random) == 0
            return Reading(time: start + .seconds(second), value: Steps(isGlitch ? value + 300 : value))
        }
    }

    /// The line as the documentation of `Trend` defines it, over all readings.
    private static func naiveLine(_ readings: [Reading]) -> (slope: Double, value: Double)? {
        var counted: [Reading] = []
        for reading in readings {
            let interval = { (reading: Reading) in (reading.time - start).components.seconds / 300 }
            if let last = counted.last, interval(reading) == interval(last) { continue }
            counted.append(reading)
        }
        let pauses = zip(counted, counted.dropFirst()).map { $1.time - $0.time }
        if let pause = pauses.lastIndex(where: { $0 >= .seconds(24 * 60) }) { counted.removeFirst(pause + 1) }
        guard counted.count >= 3, let newest = counted.last?.time else { return nil }
        let medians = (1..<counted.count - 1).map { index in
            (
                time: Double((counted[index].time - newest).wholeMicroseconds) / 1e6,
                value: Double(counted[index - 1...index + 1].map(\.value).sorted()[1].count)
            )
        }
        let points = medians.filter { medians[medians.count - 1].time - $0.time < 7_200 }
        guard points.count >= 6, points[points.count - 1].time - points[0].time >= 2_700 else { return nil }
        func median(_ values: [Double]) -> Double {
            let sorted = values.sorted()
            return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        }
        let slopes = points.indices.flatMap { one in
            points.indices.filter { $0 < one }.map {
                (points[one].value - points[$0].value) / (points[one].time - points[$0].time)
            }
        }
        let slope = median(slopes)
        return (slope, median(points.map { $0.value - slope * $0.time }))
    }

    private static func isClose(_ line: Trend.Line?, _ naive: (slope: Double, value: Double)?) -> Bool {
        guard let line, let naive else { return line == nil && naive == nil }
        return abs(line.slope - naive.slope) < 1e-9 && abs(line.value - naive.value) < 1e-6
    }

    @Test(arguments: 0..<30 as Range<UInt64>) func itIsWhatItsDefinitionSays(seed: UInt64) {
        let readings = Self.water(seed)
        var (trend, known) = (Trend(), 0)
        for (index, reading) in readings.enumerated() {
            let counts = trend.add(reading)
            #expect(trend.count <= 27)
            guard counts, index % 5 == 0 else { continue }
            known += trend.line() == nil ? 0 : 1
            #expect(Self.isClose(trend.line(), Self.naiveLine(Array(readings[...index]))), "after \(index)")
        }
        #expect(known > 0)
    }

    /// An engine that starts loads the stored readings of the last hours, and then knows exactly as much as one that
    /// kept running.
    @Test(arguments: 0..<40 as Range<UInt64>) func itIsReadAgainFromTheLastHours(seed: UInt64) {
        let readings = Self.water(seed)
        var (kept, read) = (Trend(), Trend())
        for (index, reading) in readings.enumerated() {
            if index % 23 == 0 {
                read = Trend()
                for reading in readings[..<index].filter({ $0.time >= reading.time - Trend.reach }) {
                    _ = read.add(reading)
                }
            }
            #expect(kept.add(reading) == read.add(reading) && kept.line() == read.line(), "after \(index)")
        }
    }

    /// A line stays known until a pause. So only a pause or the line's heading ends an episode.
    @Test(arguments: 0..<40 as Range<UInt64>) func whatIsKnownStaysKnownUntilAPause(seed: UInt64) {
        var (trend, wasKnown, last) = (Trend(), false, Timestamp.distantPast)
        for reading in Self.water(seed) where trend.add(reading) {
            let isKnown = trend.line() != nil
            if wasKnown, !isKnown { #expect(reading.time - last >= Trend.pause) }
            (wasKnown, last) = (isKnown, reading.time)
        }
    }
}
