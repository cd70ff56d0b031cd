import Instants
import Testing

@testable import WaterQuality

/// Two probes of pH in the same water, each with a value every two minutes unless said otherwise.
@Suite struct ProbePairTests {
    private static let now = Timestamp(unixSeconds: Int64(1_777_777_200))

    private static func ago(_ minutes: Double) -> Timestamp { now - .seconds(Int64(minutes * 60)) }

    /// Values of the last hours, oldest first.
    private static func values(
        every minutes: Double = 2, shiftedBy shift: Double = 0, for hours: Double = 8,
        _ value: (_ minutesAgo: Double) -> Float?
    ) -> [ProbePair.Value] {
        stride(from: hours * 60 - shift, through: 0, by: -minutes).compactMap { minutesAgo in
            value(minutesAgo).map { ProbePair.Value(at: ago(minutesAgo), value: $0) }
        }
    }

    private static let flat = values { _ in 7 }

    private static func find(
        _ first: [ProbePair.Value], _ second: [ProbePair.Value], since start: Timestamp = .distantPast
    ) throws -> ProbePair.Finding {
        try ProbePair(first, second, since: start).find(at: now, within: #require(ProbeTolerance(.ph)))
    }

    // MARK: Tolerance

    /// Twice the criteria of USGS TM1-D3 for a monitor that needs no calibration: 0.2 pH, 0.2 °C, 0.3 mg/L or 5 %, 3 %.
    @Test(arguments: [
        (Parameter.ph, Float(7), Float(0.4)), (.temperature, 20, 0.4), (.dissolvedOxygen, 5, 0.6),
        (.dissolvedOxygen, 10, 1), (.conductivity, 1_000, 60), (.turbidity, 2, 1),
    ])
    func theToleranceIsTwiceTheAccuracy(parameter: Parameter, level: Float, amount: Float) throws {
        #expect(try abs(#require(ProbeTolerance(parameter)).amount(at: level) - amount) < 0.01)
    }

    @Test func whatNoSourceSpeaksOfIsNotCompared() {
        #expect(ProbeTolerance(.nitrate) == nil)
        #expect(ProbeTolerance.parameters.contains(.ph) && !ProbeTolerance.parameters.contains(.nitrate))
    }

    // MARK: Differences

    @Test func twoProbesThatReadTheSameAgree() throws {
        #expect(try Self.find(Self.flat, Self.flat) == .agrees)
        #expect(try Self.find(Self.values { _ in 7.4 }, Self.flat) == .agrees, "by as much as the tolerance")
    }

    @Test(arguments: [Float(0.5), -0.5]) func aLastingDifferenceIsFoundWithItsBeginning(by: Float) throws {
        let first = Self.values { $0 <= 330 ? 7 + by : 7 }
        let found = try Self.find(first, Self.flat)
        guard case .differs(let difference, let since) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(abs(difference - by) < 0.01)
        #expect(since >= Self.ago(331) && since <= Self.ago(299), "the stretch in which it began: \(since)")
    }

    /// The median of six hours turns after three, and has to hold for two more.
    @Test(arguments: [(170, ProbePair.Finding.agrees), (290, .near)])
    func aDifferenceHasToLast(minutes: Double, expected: ProbePair.Finding) throws {
        #expect(try Self.find(Self.values { $0 <= minutes ? 7.6 : 7 }, Self.flat) == expected)
    }

    @Test func spikesAreNoDifference() throws {
        let first = Self.values { Int($0) % 3 == 0 ? 12 : 7 }
        #expect(try Self.find(first, Self.flat) == .agrees)
    }

    /// Water that goes up and down through the day is the same for both.
    @Test func whatBothMeasureIsNoDifference() throws {
        let water = Self.values { 7 + Float($0) / 200 }
        #expect(try Self.find(water, water) == .agrees)
    }

    @Test func agreementOfTwoHoursEndsItThoughTheWindowRemembers() throws {
        let mended = Self.values { $0 > 125 ? 7.6 : 7 }
        #expect(try Self.find(mended, Self.flat) == .agrees)
        #expect(try Self.find(Self.values { $0 > 40 ? 7.6 : 7 }, Self.flat) == .near, "not yet")
    }

    @Test func aDifferenceThatChangesSidesIsNone() throws {
        #expect(try Self.find(Self.values { $0 > 240 ? 7.6 : 6.4 }, Self.flat) == .near)
    }

    // MARK: Pairs

    /// A device that sends every ten minutes has some thirty-six values in the window, at times of its own.
    @Test func theNearestValuesArePaired() throws {
        let slow = Self.values(every: 10, shiftedBy: 3) { _ in 7 }
        let found = try Self.find(Self.values(every: 10) { _ in 7.6 }, slow)
        guard case .differs = found else {
            Issue.record("\(found)")
            return
        }
        #expect(ProbePair(Self.values { _ in 7 }, slow).pairs > 200, "each of the first has a neighbour")
    }

    @Test func fewerThanThirtyPairsSayNothing() throws {
        let rare = Self.values(every: 15) { _ in 7 }
        #expect(try Self.find(rare, Self.values { _ in 8 }) == .unknown)
        #expect(ProbePair(rare, rare).difference(at: Self.now) == nil)
    }

    @Test func valuesThatLieFarApartInTimeAreNoPair() throws {
        let morning = Self.values { $0 > 240 ? 7 : nil }
        let evening = Self.values { $0 < 230 ? 8 : nil }
        #expect(try Self.find(morning, evening) == .alone)
        #expect(try Self.find(Self.flat, []) == .alone && Self.find([], Self.flat) == .alone)
    }

    /// A value that was measured before the end of work counts for nothing, and does not mean that a probe is gone.
    @Test func pairsCountFromTheEndOfWork() throws {
        let first = Self.values { $0 > 20 ? 8 : 7 }
        #expect(try Self.find(first, Self.flat, since: Self.ago(20)) == .unknown)
        #expect(
            ProbePair(first, Self.flat, since: Self.ago(90)).difference(at: Self.now).map { abs($0 - 1) < 0.01 } == true
        )
    }

    // MARK: Decisions

    private static let moment = FoundAt(now - .seconds(3_600), now: now, lag: .seconds(3_600))
    private static let apart = ProbePair.Finding.differs(by: 0.5, since: ago(330))

    private static func open(_ trouble: Episode.Trouble) -> Episode {
        Episode(trouble, openedAt: ago(600), isAlerted: true)
    }

    /// Times are by the device's clock, which is an hour behind.
    @Test func aDifferenceOpensAnEpisodeByTheDevicesClock() {
        guard case .holds(let evidence) = Finding.difference(Self.apart, at: Self.moment, open: nil) else {
            Issue.record("nothing holds")
            return
        }
        #expect(evidence.trouble == .differs(by: 0.5) && evidence.trouble.kind == .fault)
        #expect(evidence.since == Self.ago(390) && evidence.at == Self.ago(60) && evidence.age == .zero)
    }

    @Test func agreementEndsItWithoutAWordAndDoubtDoesNot() {
        let open = Self.open(.differs(by: 0.5))
        for found in [ProbePair.Finding.agrees, .alone] {
            #expect(Finding.difference(found, at: Self.moment, open: open) == .moot(at: Self.moment.time))
        }
        for found in [ProbePair.Finding.near, .unknown] {
            #expect(Finding.difference(found, at: Self.moment, open: open) == .lingers(.ongoing))
        }
        let other = ProbePair.Finding.differs(by: -0.5, since: Self.ago(330))
        #expect(Finding.difference(other, at: Self.moment, open: open) == .moot(at: Self.moment.time))
    }

    /// A fault that the probe tells of itself is worth more.
    @Test func anotherFaultIsLeftAlone() {
        for trouble in [Episode.Trouble.fault(flatAt: nil), .fault(flatAt: 7)] {
            for found in [Self.apart, .agrees, .alone] {
                #expect(Finding.difference(found, at: Self.moment, open: Self.open(trouble)) == .nothing)
            }
        }
        let open = Self.open(.differs(by: 0.5))
        #expect(Finding.fault(nil, at: Self.moment, open: open) == .nothing, "a value is no news of it")
        #expect(Finding.flatLine(.moved, at: Self.moment, open: open, lasting: .zero) == .nothing)
    }

    @Test func whoHasTheDevicesForLessThanTwoHoursIsNotTold() {
        #expect(Finding.difference(Self.apart, at: Self.moment, open: nil, theirsFrom: Self.ago(90)) == .nothing)
        let later = Finding.difference(Self.apart, at: Self.moment, open: nil, theirsFrom: Self.ago(200))
        guard case .holds(let evidence) = later else {
            Issue.record("\(later)")
            return
        }
        #expect(evidence.since == Self.ago(260), "nothing of the time before is told")
    }
}
