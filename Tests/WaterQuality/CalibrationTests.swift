import Instants
import Testing

@testable import WaterQuality

/// What follows of a probe's comparisons: corrections, grades, drift, and when it is due.
@Suite struct CalibrationTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_636_800))

    private static func day(_ number: Double) -> Timestamp { start + .seconds(Int64(number * 86_400)) }

    private static func check(_ day: Double, _ reading: Double, standard: Double = 7) -> Calibration {
        Calibration(.check, at: Self.day(day), [.init(standard: standard, before: reading)])
    }

    private static func calibrated(_ day: Double, found reading: Double? = nil) -> Calibration {
        Calibration(.calibrate, at: Self.day(day), [.init(standard: 7, before: reading)])
    }

    private func isNear(_ value: Double?, _ expected: Double, within noise: Double = 1e-9) -> Bool {
        value.map { abs($0 - expected) < noise } ?? false
    }

    // MARK: Corrections

    /// The values of driftR 1.1.0's tests.
    @Test(arguments: [(1.0, 7.0), (0.5, 7.035), (0, 7.07)])
    func oneStandardShifts(fraction: Double, expected: Double) {
        let correction = DriftCorrection(
            in: Self.day(0)..<Self.day(10), [.init(standard: 7, left: 7, found: 7.07)])
        #expect(isNear(correction.corrected(7.07, fraction: fraction), expected))
    }

    @Test(arguments: [(1.0, 7.05, 7.0), (1, 9.8, 10), (0.5, 8.4, 8.4348), (0, 8.4, 8.4)])
    func twoStandardsStretch(fraction: Double, reading: Double, expected: Double) {
        let correction = DriftCorrection(
            in: Self.day(0)..<Self.day(10),
            [.init(standard: 7, left: 7, found: 7.05), .init(standard: 10, left: 10, found: 9.8)])
        #expect(isNear(correction.corrected(reading, fraction: fraction), expected, within: 5e-5))
    }

    /// x' = x + Ds + (t - ts)(De - Ds)/(te - ts), with an error that stayed at the beginning.
    @Test func anErrorAtBothEndsIsThatOfUSGS() {
        let (ds, de) = (-0.1, -0.5)
        let correction = DriftCorrection(
            in: Self.day(0)..<Self.day(10), [.init(standard: 7, left: 7 - ds, found: 7 - de)])
        for number in [0.0, 2.5, 7.5, 9.99] {
            let expected = 8 + ds + number * (de - ds) / 10
            #expect(isNear(correction.corrected(8, at: Self.day(number)), expected, within: 1e-6))
        }
        #expect(correction.corrected(8, at: Self.day(10)) == nil, "over")
    }

    @Test func aProbeThatTellsNoStandardsApartIsNotCorrected() {
        let correction = DriftCorrection(
            in: Self.day(0)..<Self.day(10),
            [.init(standard: 4, left: 4, found: 6.9), .init(standard: 7, left: 7, found: 7)])
        #expect(correction.corrected(6, fraction: 1) == nil)
        #expect(correction.corrected(6, fraction: 0) == 6)
    }

    @Test func aCourseCorrectsBetweenLooksAndHoldsTheLast() {
        let course = CalibrationCourse([Self.check(20, 7.4), Self.calibrated(0), Self.calibrated(10, found: 7.2)])
        #expect(course.corrected(8, at: Self.day(-1)) == nil, "nobody knows how it read before")
        #expect(isNear(course.corrected(8, at: Self.day(5)), 7.9))
        #expect(isNear(course.corrected(8, at: Self.day(10)), 8), "just calibrated")
        #expect(isNear(course.corrected(8, at: Self.day(15)), 7.8))
        #expect(isNear(course.corrected(8, at: Self.day(99)), 7.6), "a check changes nothing of the probe")
    }

    @Test func whatNobodyFoundIsNotCorrected() {
        let course = CalibrationCourse([Self.calibrated(0), Self.calibrated(10)])
        #expect(course.corrected(8, at: Self.day(5)) == nil)
        #expect(course.corrected(8, at: Self.day(11)) == 8)
        let replaced = CalibrationCourse([Self.calibrated(0), Calibration(.replace, at: Self.day(10))])
        #expect(replaced.corrected(8, at: Self.day(11)) == nil, "nobody knows how the next probe reads")
        #expect(CalibrationCourse([]).corrected(7, at: Timestamp(unixSeconds: Int64(0))) == nil)
    }

    /// Each standard of which nobody noted how the probe was left has its own answer.
    @Test func howAProbeWasLeftIsKnownForEachStandard() {
        func left(_ kind: Calibration.Kind) -> [Double]? {
            let points: [Calibration.Point] = [
                .init(standard: 4, before: 4.2, after: 4.1), .init(standard: 7, before: 7.3),
            ]
            return Calibration(kind, at: Self.day(0), points).left?.points.map(\.reading)
        }
        #expect(left(.calibrate) == [4.1, 7])
        #expect(left(.clean) == [4.1, 7.3])
        #expect(left(.check) == [4.2, 7.3])
        #expect(left(.replace) == [4.1])
        #expect(Calibration(.calibrate, at: Self.day(0)).left?.points == [])
        #expect(Calibration(.clean, at: Self.day(0)).left == nil)
    }

    /// USGS: no correction makes readings fit to be published that were off by more.
    @Test func whatIsUnusableIsNotCorrected() {
        let looks = [Self.calibrated(0), Self.calibrated(10, found: 9.1), Self.check(20, 7.4)]
        let course = CalibrationCourse(looks, by: .of(.ph))
        #expect(course.corrected(8, at: Self.day(5)) == nil)
        #expect(isNear(course.corrected(8, at: Self.day(15)), 7.8), "what came after it was calibrated")
        #expect(CalibrationCourse(looks).corrected(8, at: Self.day(5)) != nil, "the report says nothing of others")
        let broken = CalibrationCourse([Self.check(0, 9.1)], by: .of(.ph))
        #expect(broken.corrected(8, at: Self.day(5)) == nil)
    }

    @Test func valuesByHandCorrectNothing() throws {
        let hand = try #require(HandValue(.ph, read: 7.4, in: .ph))
        let check = Calibration(by: hand, beside: 7.9, at: Self.day(5))
        #expect(isNear(check.found?.deviation, 0.5, within: 1e-6))
        #expect(CalibrationCourse([check]).corrected(7, at: check.at) == nil)
        #expect(CalibrationCourse([Self.calibrated(0), check]).corrected(8, at: Self.day(9)) == 8)
    }

    @Test func withinTheStepOfAKitNothingIsWrong() throws {
        let kit = try #require(Kit.named("api-freshwater"))
        let step = try #require(HandValue(.ammonia, choice: "0.5", of: kit))
        func deviation(_ reading: Float) -> Double? {
            Calibration(by: step, beside: reading, at: Self.day(0)).found?.deviation
        }
        #expect(deviation(0.7) == 0)
        #expect(isNear(deviation(1), 0.25, within: 1e-6))
        #expect(isNear(deviation(0.25), -0.125, within: 1e-6))
    }

    // MARK: Drift

    /// A probe that drifts 0.1 pH a month and is calibrated every month is always found 0.1 off: the drift is that all the same.
    @Test func theDriftGoesOnThroughCalibrations() {
        let course = CalibrationCourse(
            [Self.calibrated(0)] + [30, 60, 90].map { Self.calibrated($0, found: 7.1) })
        let drift = course.drift(of: .ph)
        #expect(isNear(drift?.perMonth, 0.1) && drift?.direction == .higher && drift?.checks == 3)
        #expect(drift?.usesHandValues == false)
    }

    @Test func theDriftTakesThreeLooksInAWeek() {
        let two = [Self.calibrated(0), Self.check(30, 7.1), Self.check(60, 7.2)]
        #expect(CalibrationCourse(two).drift(of: .ph) == nil)
        let hasty = [Self.check(0, 7), Self.check(1, 7.1), Self.check(2, 7.2)]
        #expect(CalibrationCourse(hasty).drift(of: .ph) == nil)
        let steady = CalibrationCourse([Self.check(0, 7.1), Self.check(30, 7.14), Self.check(60, 7.1)])
        #expect(steady.drift(of: .ph)?.direction == .steady)
        let falling = CalibrationCourse([Self.check(0, 7), Self.check(30, 6.8), Self.check(60, 6.6)])
        #expect(isNear(falling.drift(of: .ph)?.perMonth, -0.2) && falling.drift(of: .ph)?.direction == .lower)
    }

    @Test func anotherProbeAndACalibrationWithoutALookBeginAnew() {
        let old = [Self.calibrated(0), Self.check(30, 7.5), Self.check(60, 8), Self.check(90, 8.5)]
        #expect(CalibrationCourse(old).drift(of: .ph) != nil)
        for end in [Calibration(.replace, at: Self.day(91)), Self.calibrated(91)] {
            #expect(CalibrationCourse(old + [end]).drift(of: .ph) == nil)
            let new = old + [end, Self.check(100, 7), Self.check(130, 7.1), Self.check(160, 7.2)]
            #expect((CalibrationCourse(new).drift(of: .ph)?.perMonth ?? 1) < 0.15)
        }
        #expect(CalibrationCourse(old + [Calibration(.replace, at: Self.day(91))]).lastCheck == nil)
    }

    @Test func valuesByHandCountWhereStandardsAreTooFew() {
        let hands = [10.0, 40, 70].map { day in
            Calibration(.check, at: Self.day(day), [.init(standard: 7, before: 7 + day / 300)], isByHand: true)
        }
        let drift = CalibrationCourse(hands).drift(of: .ph)
        #expect(isNear(drift?.perMonth, 0.1) && drift?.usesHandValues == true)
        let standards = [0.0, 30, 60].map { Self.check($0, 7 - $0 / 300) }
        let both = CalibrationCourse(hands + standards).drift(of: .ph)
        #expect(both?.direction == .lower && both?.usesHandValues == false && both?.checks == 3)
    }

    // MARK: Grades and dates

    @Test(arguments: [
        (Parameter.ph, 7.0, 0.2, CalibrationGrade.excellent), (.ph, 7, -0.5, .good), (.ph, 7, 0.8, .fair),
        (.ph, 7, 2, .poor), (.ph, 7, 2.01, .unusable), (.temperature, 20, 0.21, .good),
        (.conductivity, 1413, 42, .excellent), (.conductivity, 1413, 141, .good), (.conductivity, 1413, 211, .fair),
        (.conductivity, 1413, 423, .poor), (.conductivity, 1413, 424, .unusable),
        (.dissolvedOxygen, 8, 0.4, .excellent), (.dissolvedOxygen, 4, 0.3, .excellent), (.turbidity, 2, 1, .good),
        (.turbidityFNU, 100, 5, .excellent),
    ])
    func gradesAreThoseOfUSGS(parameter: Parameter, standard: Double, deviation: Double, grade: CalibrationGrade) {
        #expect(CalibrationCriteria.of(parameter)?.grade(deviation, at: standard) == grade)
    }

    @Test func theWorstStandardGradesAProbe() throws {
        let response = try #require(ProbeResponse([(standard: 7, reading: 7.1), (standard: 10, reading: 9.4)]))
        #expect(CalibrationCriteria.of(.ph)?.grade(response) == .fair)
        #expect(CalibrationCriteria.of(.nitrate) == nil, "the report says nothing of it")
    }

    @Test func itIsDueOnceItReadsLessThanWell() {
        let course = CalibrationCourse(
            [Self.calibrated(0)] + [10, 20, 30].map { Self.calibrated($0, found: 7.25) })
        #expect(isNear(course.drift(of: .ph)?.perMonth, 0.75))
        let due = course.due(of: .ph, reminder: nil)
        #expect(due?.reason == .drift && due?.at == Self.day(50), "0.5 is reached after 20 days")
        #expect(course.due(of: .ph, reminder: Self.day(45)) == CalibrationDue(at: Self.day(45), reason: .reminder))
        #expect(course.days(of: .ph) == 20)

        let once = CalibrationCourse([Self.calibrated(0)])
        #expect(once.due(of: .ph, reminder: nil) == CalibrationDue(at: Self.day(30), reason: .usual))
        #expect(once.days(of: .ph) == nil)
        #expect(once.due(of: .ph, reminder: Self.day(40)) == CalibrationDue(at: Self.day(40), reason: .reminder))
        #expect(once.due(of: .ph, reminder: Self.day(-1))?.reason == .usual, "it was calibrated since")
        #expect(CalibrationCourse([]).due(of: .ph, reminder: nil) == nil)
    }

    @Test func storedWordsStay() {
        #expect(Calibration.Kind.allCases.map(\.rawValue) == ["check", "clean", "calibrate", "replace"])
        #expect(CalibrationGrade.allCases.map(\.rawValue) == ["excellent", "good", "fair", "poor", "unusable"])
        #expect(CalibrationDue.Reason.allCases.map(\.rawValue) == ["drift", "reminder", "usual"])
        #expect(ProbeDrift.Direction.allCases.map(\.rawValue) == ["higher", "lower", "steady"])
    }

    @Test func anElectrodeIsJudgedByItsMillivolts() throws {
        let health = try #require(ElectrodeHealth(.init(ph: 4, millivolts: 165), .init(ph: 7, millivolts: -5)))
        #expect(isNear(health.slope, 95.8, within: 0.05) && isNear(health.offset, -5) && health.grade == .sound)
        #expect(isNear(ElectrodeHealth.nernst(at: 25), 59.16, within: 0.005))
        #expect(isNear(ElectrodeHealth.nernst(at: 20), 58.17, within: 0.005))
        #expect(ElectrodeHealth(.init(ph: 7, millivolts: 0), .init(ph: 7, millivolts: 0)) == nil)
        #expect(
            try #require(ElectrodeHealth(.init(ph: 4, millivolts: 140), .init(ph: 7, millivolts: 0))).grade == .worn)
        // 177.48 mV are all of it, at 25 °C.
        for (four, seven, grade) in [
            (160, 0, .sound), (158, 0, .aging), (206, 31, .worn), (178, 30, .worn), (205, 30, .sound),
        ]
            as [(Double, Double, ElectrodeHealth.Grade)]
        {
            let health = try #require(
                ElectrodeHealth(.init(ph: 4, millivolts: four), .init(ph: 7, millivolts: seven)))
            #expect(health.grade == grade, "\(health)")
        }
    }
}
